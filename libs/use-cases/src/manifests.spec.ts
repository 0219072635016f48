import { idIn, source, unknownIn, VatWorld, violatedIn } from './testing/vats.testing';

describe('a manifest', () => {
  it('that all clauses let through is accepted at once, and holds capacity at the vat first and at the permit last', async () => {
    const world = await VatWorld.open();
    const permit = await world.leave('1000 gal');
    const answer = await world.ask(permit, 'T1');
    expect(answer).toMatchObject({ kind: 'recorded', body: { status: 'accepted', missing: [] } });
    const id = idIn(answer);
    expect(await world.typesIn(`load-${id}`)).toEqual(['ManifestSubmitted']);
    expect((await world.typesIn(`subject-${world.id('vat', 'V1')}`)).at(-1)).toBe('CapacityReserved');
    expect((await world.typesIn(`permit-${permit}`)).slice(-2)).toEqual([
      'CapacityReserved',
      'ManifestAccepted',
    ]);
    expect(violatedIn(answer)).toEqual([]);
  });

  it('that a clause forbids is refused in the permit’s stream, with findings', async () => {
    const world = await VatWorld.open();
    const permit = await world.leave('1000 gal');
    const answer = await world.ask(permit, 'T1', { sources: [source('far')] });
    expect(answer.kind).toBe('refused');
    expect(answer.body['status']).toBe('refused');
    expect(violatedIn(answer)).toEqual(['valley']);
    expect((await world.typesIn(`permit-${permit}`)).at(-1)).toBe('ManifestRefused');
    expect([...(await world.vat()).reservations.values()]).toEqual([]);
  });

  it('of which something is not known waits, and holds nothing', async () => {
    const world = await VatWorld.open();
    const permit = await world.leave('1000 gal');
    const answer = await world.ask(permit, 'T1', { facts: {} });
    expect(answer).toMatchObject({ kind: 'recorded', body: { status: 'pending', missing: ['sound'] } });
    expect(unknownIn(answer)).toEqual(['sound']);
    expect([...(await world.permit(permit)).reservations.values()]).toEqual([]);
  });

  it('may take what is left and not more', async () => {
    const world = await VatWorld.open();
    const permit = await world.leave('250 gal');
    expect((await world.ask(permit, 'T1')).kind).toBe('recorded');
    const over = await world.ask(permit, 'T2', { quantity: '150.01 gal' });
    expect(violatedIn(over)).toEqual(['plan']);
    expect((await world.ask(permit, 'T3', { quantity: '150 gal' })).body['status']).toBe('accepted');
    expect(violatedIn(await world.ask(permit, 'T4', { quantity: '0.01 gal' }))).toEqual(['plan']);
  });
});

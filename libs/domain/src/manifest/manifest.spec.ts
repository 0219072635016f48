import type { Decision } from '@headworks/kernel';
import { newPermit } from '../permit/permit';
import { newSubject } from '../subject/subject';
import { asked, LeaveUnderTest, MINUTE, MORNING, VatUnderTest, worldOf } from '../testing/vats.testing';
import type { AtThing } from './commands';
import { heldAt } from './reservations';
import { acceptedMs, openManifests } from './standing';

const types = ({ events }: Decision): readonly string[] => events.map(({ type }) => type);
const why = (decision: Decision): string | undefined =>
  'ignored' in decision ? decision.ignored : undefined;

/** Holds at the vat and asks the leave, as the use-case does. */
function bring(vat: VatUnderTest, leave: LeaveUnderTest, manifest: string, gallons = '100') {
  const ask = asked(manifest, gallons);
  const held = vat.when({ type: 'reserve', ask, world: worldOf(vat.state, leave.state) });
  const event = vat.state.reservations.get(manifest)?.event ?? '';
  const thing: AtThing = { is: 'reserved', event };
  const world = worldOf(vat.state, leave.state);
  const decided = leave.when({ type: 'answer-manifest', ask, world, thing, last: false });
  return { held, decided, ask };
}

describe('given a leave and an open vat, a manifest', () => {
  it('is held at the vat, then held and accepted in one decision', () => {
    const [vat, leave] = [new VatUnderTest(), new LeaveUnderTest()];
    const { held, decided } = bring(vat, leave, 'm1');
    expect(types(held)).toEqual(['CapacityReserved']);
    expect(types(decided)).toEqual(['CapacityReserved', 'ManifestAccepted']);
    expect(held.events[0]?.data).toMatchObject({
      manifest: 'm1',
      limits: ['vat_days'],
      rows: { vat_days: { gallons: { value: '100', unit: 'gal' } } },
      // What does not stand at the vat goes with it; ledgers never do.
      facts: { sound: true, licensed: true, cart_clean: true, from_valley: true, makes: ['apple'] },
    });
    expect(held.events[0]?.data['facts']).not.toHaveProperty('earlier');
    expect(held.events[0]?.data['facts']).not.toHaveProperty('closed');
    expect(decided.events[1]?.data['reservations']).toEqual(['subject-v1@0', 'permit-p1@4']);
    expect(leave.refold(newPermit('permit-p1'))).toEqual(leave.state);
    expect(vat.refold(newSubject('subject-v1'))).toEqual(vat.state);
  });

  it('is answered once, in its time, and not after its load has come', () => {
    const [vat, leave] = [new VatUnderTest(), new LeaveUnderTest()];
    const { ask } = bring(vat, leave, 'm1');
    const command = { type: 'answer-manifest', ask, world: worldOf(vat.state), last: false } as const;
    const thing = { is: 'not_needed' } as const;
    expect(why(leave.when({ ...command, thing }))).toBe('it is answered already');
    expect(why(vat.when({ type: 'reserve', ask, world: worldOf(vat.state, leave.state) }))).toBe(
      'it is reserved already',
    );
    const late = asked('m2');
    leave.nowMs = vat.nowMs = late.untilMs;
    expect(why(leave.when({ ...command, ask: late, thing }))).toBe('its time is over');
    expect(why(vat.when({ type: 'reserve', ask: late, world: worldOf(vat.state, leave.state) }))).toBe(
      'its time is over',
    );
  });

  it('that the vat would not hold, on a leave that has changed since, is looked at once more', () => {
    const [vat, leave] = [new VatUnderTest(), new LeaveUnderTest()];
    const ask = asked('m1');
    const findings = VAT_FULL;
    const command = {
      type: 'answer-manifest',
      ask,
      world: worldOf(vat.state),
      thing: { is: 'against', findings },
    } as const;
    expect(why(leave.when({ ...command, last: false }))).toBe('it is to be looked at again');
    const refused = leave.when({ ...command, last: true });
    expect(refused.events).toMatchObject([
      { type: 'ManifestRefused', data: { findings: [{ clause: 'vat' }] } },
    ]);
  });

  it('waits where something is not known, and takes with it what it would be judged by again', () => {
    const [vat, leave] = [new VatUnderTest(), new LeaveUnderTest()];
    const ask = asked('m1', '100', {});
    expect(why(vat.when({ type: 'reserve', ask, world: worldOf(vat.state, leave.state) }))).toBe(
      'something stands against it',
    );
    const command = { type: 'answer-manifest', ask, world: worldOf(vat.state), last: true } as const;
    const pending = leave.when({ ...command, thing: { is: 'against', findings: [] } });
    expect(pending.events).toMatchObject([
      { type: 'ManifestPending', data: { missing: ['sound'], facts: { licensed: true } } },
    ]);
    // A bar of the permit ends what waits there.
    const bar = {
      type: 'do-act',
      kind: 'permit',
      pack: 'fernhollow-vats',
      act: 'bar',
      facts: { barred: true },
    } as const;
    expect(types(leave.when({ ...bar, by: { person: 'wes' } }))).toEqual([
      'fernhollow-vats.PresserBarred',
      'AcceptanceWithdrawn',
    ]);
    expect(leave.state.manifests.get('m1')).toMatchObject({
      is: 'withdrawn',
      was: 'pending',
      why: 'restricted',
    });
  });
});

const VAT_FULL = [
  {
    ...{ clause: 'vat', rows: [], cite: 'par. 2', says: 'A vat takes 500 gallons in three days.' },
    ...{ status: 'violated' as const, operands: [], missing: [], binds: 'person' as const },
  },
];

describe('given one that was accepted', () => {
  const given = () => {
    const [vat, leave] = [new VatUnderTest(), new LeaveUnderTest()];
    bring(vat, leave, 'm1');
    return { vat, leave };
  };

  it('was accepted from its instant on, until its time or its end', () => {
    const { leave } = given();
    const at = (ms: number) => acceptedMs(leave.state, 'm1', ms);
    expect(at(MORNING - 1)).toBeUndefined();
    expect(at(MORNING)).toBe(MORNING);
    expect(at(asked('m1').untilMs - 1)).toBe(MORNING);
    expect(at(asked('m1').untilMs)).toBeUndefined();
    leave.nowMs += 10 * MINUTE;
    leave.when({ type: 'suspend', reason: 'r', grounds: ['closed'] });
    expect(at(leave.nowMs - 1)).toBe(MORNING);
    expect(at(leave.nowMs)).toBeUndefined();
    expect(openManifests(leave.state, leave.nowMs)).toEqual([]);
    expect(heldAt(leave.state.reservations, leave.nowMs)).toEqual([]);
  });

  it('its load takes its place, and what comes then ends it no more', () => {
    const { vat, leave } = given();
    expect(openManifests(leave.state, MORNING)).toEqual([{ manifest: 'm1', was: 'accepted' }]);
    expect(openManifests(leave.state, asked('m1').untilMs)).toEqual([]);
    for (const [stream, limits, as] of [
      [vat, ['vat_days'], undefined],
      [leave, ['leave_year'], 'permit'],
    ] as const) {
      stream.when({
        type: 'post-load',
        load: 'm1',
        loadRevision: 1,
        posting: {
          ...asked('m1').load,
          ...{ pack: 'fernhollow-vats', loadType: 'must', limits, event: 'load-m1@1' },
          quantity: { value: '90', unit: 'gal' },
          hauler: { kind: 'presser', key: 'P1' },
          ...(as && { as }),
        },
      });
      expect(heldAt(stream.state.reservations, MORNING)).toEqual([]);
    }
    expect(openManifests(leave.state, MORNING)).toEqual([]);
    expect(types(vat.closed(true))).toEqual(['fernhollow-vats.VatClosed']);
    expect(
      types(leave.when({ type: 'end-manifest', manifest: 'm1', why: 'reservation_ended', findings: [] })),
    ).toEqual([]);
  });

  it('what ends it names what it ends: another reservation, another acceptance stays', () => {
    const { vat, leave } = given();
    const released = { type: 'release', manifest: 'm1', why: 'not_accepted', findings: [] } as const;
    expect(why(vat.when({ ...released, reservation: 'subject-v1@9' }))).toBe('it is not reserved any more');
    const end = { type: 'end-manifest', manifest: 'm1', why: 'basis_changed', findings: [] } as const;
    expect(why(leave.when({ ...end, acceptance: 'permit-p1@1' }))).toBe('it was accepted anew');
    expect(types(leave.when({ ...end, acceptance: leave.state.manifests.get('m1')?.event ?? '' }))).toEqual([
      'AcceptanceWithdrawn',
    ]);
    expect(types(vat.when({ ...released, reservation: 'subject-v1@0' }))).toEqual(['AcceptanceWithdrawn']);
    expect(why(leave.when(end))).toBe('it does not stand any more');
  });

  it('a vat that is closed ends it in the same decision, and one that was closed and opened does not bring it back', () => {
    const { vat } = given();
    const { events } = vat.closed(true);
    expect(events).toMatchObject([
      { type: 'fernhollow-vats.VatClosed' },
      {
        type: 'AcceptanceWithdrawn',
        data: {
          manifest: 'm1',
          why: 'restricted',
          ended: 'subject-v1@0',
          findings: [{ clause: 'closed', status: 'violated' }],
        },
      },
    ]);
    vat.nowMs += MINUTE;
    vat.closed(false);
    expect(heldAt(vat.state.reservations, vat.nowMs)).toEqual([]);
  });

  it('a fact of the vat that none of its clauses use ends nothing, and a correction that closed it does', () => {
    const { vat } = given();
    const told = vat.closed(false);
    expect(types(told)).toEqual(['fernhollow-vats.VatClosed']);
    const corrected = vat.when({
      type: 'correct-facts',
      corrects: 'subject-v1@1',
      facts: { closed: true },
      reason: 'misheard',
    });
    expect(corrected.events).toMatchObject([
      { type: 'FactsCorrected' },
      { type: 'AcceptanceWithdrawn', data: { why: 'judged_again' } },
    ]);
  });
});

describe('given more held than one append can name', () => {
  it('the rest ends by name in its last event, and the next decision says why', () => {
    const [vat, leave] = [new VatUnderTest(), new LeaveUnderTest()];
    const names = Array.from({ length: 230 }, (_, index) => `m${index}`);
    for (const name of names) bring(vat, leave, name, '1');
    expect(heldAt(vat.state.reservations, MORNING)).toHaveLength(names.length);
    const { events } = vat.closed(true);
    expect(events).toHaveLength(200);
    // At this place of the log nothing stands against the closed vat.
    expect(heldAt(vat.state.reservations, MORNING)).toEqual([]);
    const left = events.at(-1)?.data['unjudged'] as { since: string; limits: string[]; manifests: string[] };
    expect(left.manifests).toHaveLength(31);
    expect(vat.refold(newSubject('subject-v1'))).toEqual(vat.state);
    const rest = vat.when({ type: 'judge-rest', ...left });
    expect(rest.events).toHaveLength(31);
    for (const { data } of rest.events) expect(data['findings']).toMatchObject([{ clause: 'closed' }]);
    expect([...vat.state.reservations.values()]).toEqual([]);
    expect(vat.when({ type: 'judge-rest', ...left }).events).toEqual([]);
  });
});

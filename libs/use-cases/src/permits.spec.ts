import { HOLDER, PressWorld } from './testing/press.testing';

describe('a permit', () => {
  it('goes from the form to its number', async () => {
    const world = await PressWorld.open();
    const id = await world.issued();
    const shown = await world.headworks.permits.permit(world.by(HOLDER), id, {}, 'full');
    expect(shown).toMatchObject({
      status: 'issued',
      live: false,
      number: 1,
      series: 'fernhollow-press/pressing/2028',
      valid: { from: '2028-01-01', until: '2028-12-31' },
    });
  });
});

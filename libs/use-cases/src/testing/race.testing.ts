import { isoInstant } from '@headworks/kernel';
import { heldAt, violationStatus } from '@headworks/domain';
import type { OpenStore } from '@headworks/event-store';
import { idIn, source, violatedIn, type VatWorld } from './vats.testing';
import { openShared, World } from './world.testing';

export const LOADS = 200;
const FIRST = Date.parse('2027-07-05T05:00:00.000Z');
/** Eight minutes apart: 26 hours and a half, so three campaigns of twelve. */
const APART = 8 * 60_000;
const PER_CAMPAIGN = 91;

const ticketOf = (index: number): string => `R-${String(index).padStart(3, '0')}`;

/** Loads of ten gallons at once on ten acres that take 1,000 a year, and 600 a week, in an order that nobody chose. */
export async function raceOnOneMeadow(store?: OpenStore): Promise<World> {
  const world = new World(await openShared(store));
  world.at('2027-07-06T14:00:00.000Z');
  await world.register('M1', { meadow_area: '10 acre', fenced: true });
  const order = Array.from({ length: LOADS }, (_, index) => (index * 77) % LOADS);
  const answers = await Promise.all(
    order.map((index) => world.tip(ticketOf(index), { occurredAt: isoInstant(FIRST + index * APART) })),
  );
  expect(answers.map(({ kind }) => kind)).toEqual(order.map(() => 'recorded'));
  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(LOADS);
  return world;
}

/** Each load recorded once; each over a limit, or a second use, in exactly one violation a clause. */
export async function expectEachOnce(world: World): Promise<void> {
  const thing = await world.thing('M1');
  expect(thing.postings.map(({ key }) => (key.ms - FIRST) / APART)).toEqual(
    Array.from({ length: LOADS }, (_, index) => index),
  );
  const found = new Map<string, number[]>();
  for (const one of await world.violations()) {
    const { data, ms = 0 } = one.detected ?? {};
    if (violationStatus(one) === 'withdrawn' || data?.duty !== undefined) continue;
    const clause = data?.clause ?? '';
    found.set(
      clause,
      [...(found.get(clause) ?? []), (ms - FIRST) / APART].toSorted((a, b) => a - b),
    );
  }
  const from = (first: number) => Array.from({ length: LOADS - first }, (_, index) => first + index);
  // The hundredth load fills the year, the sixtieth the week; the ninety-second comes past the clock of the first.
  expect(Object.fromEntries(found)).toEqual({
    rate: from(100),
    week: from(60),
    once: from(PER_CAMPAIGN),
    whole: from(PER_CAMPAIGN),
  });
  const missed = [...thing.missed.values()].filter(({ reversedBy }) => reversedBy === undefined);
  expect(
    missed.map(({ data }) => (Date.parse(data.startedAt) - FIRST) / APART).toSorted((a, b) => a - b),
  ).toEqual([0, PER_CAMPAIGN]);
}

export const MANIFESTS = 300;
/** A leave of a hundred gallons, for three times as many. */
const PLAN = 100;
const VATS_OPEN = ['V1', 'V2'];

/**
 * Manifests of a gallon each that are asked at once, of as many processes as there are, for the last gallons of a
 * leave. None is accepted above the plan, none lost or doubled, each refusal explained, and each answer is the log's.
 */
export async function raceForTheLastGallons(worlds: readonly VatWorld[]): Promise<number> {
  const [first] = worlds;
  if (!first) throw new Error('no process');
  await first.begin();
  const permit = await first.leave(`${PLAN} gal`);
  const answers = await Promise.all(
    Array.from({ length: MANIFESTS }, (_, index) => {
      const world = worlds[index % worlds.length] ?? first;
      const vat = { kind: 'vat', key: VATS_OPEN[index % VATS_OPEN.length] ?? '' };
      return world.ask(permit, `R-${index}`, {
        quantity: '1 gal',
        subject: vat,
        sources: [source('near', '1 gal')],
      });
    }),
  );
  expect(new Set(answers.map(idIn)).size).toBe(MANIFESTS);
  const accepted = answers.filter(({ body }) => body['status'] === 'accepted').map(idIn);
  const refused = answers.filter(({ kind }) => kind === 'refused');
  expect(accepted).toHaveLength(PLAN);
  expect(refused).toHaveLength(MANIFESTS - PLAN);
  for (const one of refused) expect(violatedIn(one)).toEqual(['plan']);
  const { manifests, reservations } = await first.permit(permit);
  expect([...manifests.entries()].filter(([, { is }]) => is === 'accepted').map(([id]) => id)).toEqual(
    expect.arrayContaining(accepted),
  );
  expect([...manifests.entries()]).toHaveLength(MANIFESTS);
  const held = heldAt(reservations, first.shared.now).map(({ data }) => data.manifest);
  expect(held.toSorted()).toEqual(accepted.toSorted());
  const atVats = await Promise.all(VATS_OPEN.map((key) => first.vat(key)));
  const there = atVats.flatMap((vat) => heldAt(vat.reservations, first.shared.now));
  expect(there.map(({ data }) => data.manifest).toSorted()).toEqual(accepted.toSorted());
  return accepted.length;
}

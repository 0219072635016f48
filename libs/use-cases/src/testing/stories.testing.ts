import fc from 'fast-check';
import { isoInstant, type JsonObject } from '@headworks/kernel';
import type { Answer } from '../answers';
import type { OpenStore } from '@headworks/event-store';
import { openShared, World } from './world.testing';

/**
 * Stories for properties: loads, facts, acts and corrections that may arrive in any order. What can't be told apart
 * from what came first (two corrections of one load, an ask that is refused on what is known) is none of them.
 */
export const MEADOWS = ['M1', 'M2', 'M3'] as const;
const START = Date.parse('2027-07-01T05:00:00.000Z');
const SLOT = 97 * 60_000;
const SLOTS = 150;
/** After everything that is told; the duties of the last loads are open then. */
export const END = START + SLOTS * SLOT + 3_600_000;
const instant = (slot: number): string => isoInstant(START + slot * SLOT);

export interface Step {
  readonly name: string;
  /** What it is about; corrections come when they come. */
  readonly slot?: number;
  /** The step that must have arrived before. */
  readonly after?: number;
  readonly run: (told: Telling) => Promise<Answer>;
}

/** One way of telling a story. */
export interface Telling {
  readonly world: World;
  /** Answers by step. */
  readonly answers: Map<number, Answer>;
}

const gallons = fc.integer({ min: 5, max: 120 }).map((n) => `${n} gal`);
const meadow = fc.constantFrom(...MEADOWS);
const loadArb = fc.record({
  meadow,
  gallons,
  make: fc.constantFrom('wet', 'dry', 'compost'),
  brook: fc.constantFrom('30 ft', '90 ft', undefined),
  hauler: fc.constantFrom('H1', 'H2'),
  correction: fc.option(
    fc.oneof(
      gallons.map((quantity) => ({ set: { quantity } })),
      fc.constant({ void: true }),
      meadow.map((key) => ({ set: { subject: { kind: 'meadow', key } } })),
      fc.constantFrom('wet', 'compost').map((make) => ({ set: { facts: { make } } })),
      fc.constant({ set: { occurredAt: 'a slot of its own' } }),
    ),
    { nil: undefined },
  ),
});
const factArb = fc.record({
  meadow,
  fact: fc.oneof(
    fc.constantFrom('0.5 acre', '1 acre', '3 acre').map((area): JsonObject => ({ meadow_area: area })),
    fc.boolean().map((fenced): JsonObject => ({ fenced })),
    fc.constantFrom('40 ft', '60 ft').map((brook): JsonObject => ({ brook_distance: brook })),
  ),
  change: fc.constantFrom(undefined, undefined, 'correct', 'annul'),
});
const actArb = fc.record({
  meadow,
  act: fc.constantFrom(
    ['fork_in', { rake: 'fork' }],
    ['fork_in', { rake: 'roller' }],
    ['close_fence', {}],
    ['visit', { soggy: true }],
    ['visit', { soggy: false }],
  ),
  annulled: fc.constantFrom(false, false, true),
});

export interface Story {
  readonly steps: readonly Step[];
  /** Sort keys of the order in which they arrive. */
  readonly order: readonly number[];
}

export const storyArb: fc.Arbitrary<Story> = fc
  .record({
    loads: fc.array(loadArb, { minLength: 2, maxLength: 7 }),
    facts: fc.array(factArb, { maxLength: 5 }),
    acts: fc.array(actArb, { maxLength: 5 }),
    superseded: fc.boolean(),
    slots: fc.uniqueArray(fc.integer({ min: 0, max: SLOTS - 1 }), { minLength: 24, maxLength: 24 }),
    order: fc.array(fc.nat({ max: 1000 }), { minLength: 40, maxLength: 40 }),
  })
  .map(({ loads: told, facts, acts, superseded, slots, order }) => {
    const free = [...slots];
    const slot = (): number => free.pop() ?? 0;
    const steps: Step[] = [];
    for (const one of told) addLoad(steps, one, slot);
    for (const one of facts) addFact(steps, one, slot());
    for (const one of acts) addAct(steps, one, slot());
    if (superseded) steps.push(supersede);
    return { steps, order, [fc.toStringMethod]: () => shownSteps(steps, order) };
  });

const shownSteps = (steps: readonly Step[], order: readonly number[]): string =>
  steps.map((step, i) => `\n${i} slot ${step.slot ?? '-'} order ${order[i]}: ${step.name}`).join('');

type Arb<T> = T extends fc.Arbitrary<infer V> ? V : never;

function addLoad(steps: Step[], one: Arb<typeof loadArb>, slot: () => number): void {
  const [at, index] = [slot(), steps.length];
  const ticket = `T${index}`;
  steps.push({
    name: `load ${ticket} ${one.meadow} ${one.gallons} ${one.make} ${one.brook} ${one.hauler}`,
    slot: at,
    run: ({ world }) =>
      world.tip(ticket, {
        subject: { kind: 'meadow', key: one.meadow },
        hauler: { kind: 'hauler', key: one.hauler },
        occurredAt: instant(at),
        quantity: one.gallons,
        facts: { make: one.make, ...(one.brook !== undefined && { brook_distance: one.brook }) },
      }),
  });
  const { correction } = one;
  if (!correction) return;
  const other = slot();
  const moves = 'set' in correction && 'occurredAt' in correction.set;
  const body = moves ? { set: { occurredAt: instant(other) } } : correction;
  steps.push({
    name: `correct ${ticket} ${JSON.stringify(body)}`,
    after: index,
    run: ({ world, answers }) =>
      world.headworks.correctLoad(world.request(), idIn(answers.get(index)), {
        reason: 'misread',
        ...body,
      }),
  });
}

const idIn = (answer: Answer | undefined): string => answer?.body['id'] as string;

/** Address of the event that a step appended, of those it appended itself. */
function eventOf(answers: Telling['answers'], step: number, type: string): string {
  const events = answers.get(step)?.body['events'] as readonly { event: string; type: string }[];
  return events.find((event) => event.type.endsWith(type))?.event ?? '';
}

function addFact(steps: Step[], { meadow: key, fact, change }: Arb<typeof factArb>, slot: number): void {
  const index = steps.length;
  steps.push({
    name: `fact ${key} ${JSON.stringify(fact)}`,
    slot,
    run: ({ world }) => world.facts(key, fact, instant(slot)),
  });
  if (change === undefined) return;
  const corrected: JsonObject =
    'fenced' in fact
      ? { fenced: fact['fenced'] !== true }
      : 'meadow_area' in fact
        ? { meadow_area: '2 acre' }
        : { brook_distance: '55 ft' };
  steps.push({
    name: `${change} ${index}`,
    after: index,
    run: ({ world, answers }) => {
      const event = eventOf(answers, index, 'FactsRecorded');
      const body = change === 'annul' ? { annuls: event } : { corrects: event, facts: corrected };
      return world.headworks.recordFacts(world.request(), 'meadow', world.meadow(key), {
        ...body,
        reason: 'misread',
      });
    },
  });
}

function addAct(
  steps: Step[],
  { meadow: key, act: [act, facts], annulled }: Arb<typeof actArb>,
  slot: number,
): void {
  const index = steps.length;
  const names: Record<string, string> = {
    fork_in: 'PomaceWorkedIn',
    close_fence: 'FenceClosed',
    visit: 'MeadowVisited',
  };
  steps.push({
    name: `act ${key} ${String(act)} ${JSON.stringify(facts)}`,
    slot,
    run: ({ world }) => world.act(key, String(act), { ...(facts as JsonObject) }, instant(slot)),
  });
  if (!annulled) return;
  steps.push({
    name: `annul ${index}`,
    after: index,
    run: ({ world, answers }) =>
      world.headworks.recordFacts(world.request(), 'meadow', world.meadow(key), {
        annuls: eventOf(answers, index, names[String(act)] ?? ''),
        reason: 'another meadow',
      }),
  });
}

const supersede: Step = {
  name: 'M1 is split',
  run: ({ world }) =>
    world.headworks.supersedeSubject(world.request(), 'meadow', world.meadow('M1'), {
      successors: [{ key: 'M3' }],
      on: '2027-07-06',
      reason: 'split',
    }),
};

async function begin(store?: OpenStore): Promise<Telling> {
  const world = new World(await openShared(store));
  world.shared.now = START - 86_400_000;
  for (const key of MEADOWS)
    await world.register(key, key === 'M2' ? { fenced: true, meadow_area: '1 acre' } : { fenced: true });
  return { world, answers: new Map() };
}

/** Ends a telling: the clock at the end, everything settled. */
async function end(told: Telling): Promise<Telling> {
  told.world.shared.now = END;
  for (const key of MEADOWS) await told.world.headworks.settle(`subject-${told.world.meadow(key)}`);
  return told;
}

/** Everything told as it happens, with a sweep before each step; corrections at the end, in their order. */
export async function tellInTime({ steps }: Story): Promise<Telling> {
  const told = await begin();
  const { world } = told;
  const indexed = steps.map((step, index) => ({ step, index }));
  const inOrder = indexed.toSorted(
    (a, b) => (a.step.slot ?? SLOTS) - (b.step.slot ?? SLOTS) || a.index - b.index,
  );
  for (const { step, index } of inOrder) {
    world.shared.now = step.slot === undefined ? END : START + step.slot * SLOT;
    for (const key of MEADOWS) await world.headworks.settle(`subject-${world.meadow(key)}`);
    told.answers.set(index, await step.run(told));
  }
  return end(told);
}

/** Everything told late, in the order of arrival, a second apart. */
export async function tellLate(
  { steps, order }: Story,
  seen: (told: Telling) => Promise<void> = () => Promise.resolve(),
  store?: OpenStore,
): Promise<Telling> {
  const told = await begin(store);
  const { world } = told;
  world.shared.now = END - 60_000;
  await seen(told);
  const waiting = steps
    .map((step, index) => ({ step, index }))
    .toSorted((a, b) => (order[a.index] ?? 0) - (order[b.index] ?? 0) || a.index - b.index);
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ step }) => step.after === undefined || told.answers.has(step.after));
    const [arrived] = waiting.splice(next, 1);
    if (!arrived) break;
    world.shared.now += 1000;
    told.answers.set(arrived.index, await arrived.step.run(told));
    await seen(told);
  }
  return end(told);
}

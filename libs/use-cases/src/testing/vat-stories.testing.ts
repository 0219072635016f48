import fc from 'fast-check';
import { CodedError, isoInstant } from '@headworks/kernel';
import type { Answer } from '../answers';
import { idIn, source, type VatWorld } from './vats.testing';

const HOUR = 3_600_000;

/** Something that somebody does with the vats; which load or leave it is about is found when it is done. */
export interface Deed {
  readonly name: string;
  readonly run: (told: Telling, world: VatWorld) => Promise<unknown>;
}

export interface Telling {
  readonly worlds: readonly VatWorld[];
  /** Leaves, by presser. */
  readonly leaves: readonly { readonly id: string; readonly presser: string }[];
  /** Every answer to a manifest, in the order of answering. */
  readonly answers: { readonly answer: Answer; readonly at: number }[];
  readonly loads: string[];
  tickets: number;
}

const small = fc.integer({ min: 0, max: 30 });
const leave = fc.constantFrom(0, 1);
const amount = fc.constantFrom(20, 60, 120, 200, 300);
/** Mostly at once; else in the days that a vat looks back on. */
const ahead = fc.constantFrom(0, 0, 0, 1, 5, 26, 50);

const vat = fc.constantFrom('V1', 'V2');

const named = (name: string, run: Deed['run']): Deed =>
  ({ name, run, [fc.toStringMethod]: () => name }) as Deed;

function ask(one: {
  leave: number;
  amount: number;
  vat: string;
  hours: number;
  known: boolean;
  far: number;
}): Deed {
  const orchard = one.far === 0 ? 'far' : 'near';
  return named(`ask ${JSON.stringify(one)}`, async (told, world) => {
    const { id = '', presser = '' } = told.leaves[one.leave] ?? {};
    const ticket = `M${told.tickets++}`;
    const answer = await world.ask(id, ticket, {
      hauler: { kind: 'presser', key: presser },
      subject: { kind: 'vat', key: one.vat },
      quantity: `${one.amount} gal`,
      plannedAt: isoInstant(world.shared.now + one.hours * HOUR),
      sources: [source(orchard)],
      facts: one.known ? { sound: true } : {},
    });
    told.answers.push({ answer, at: world.shared.now });
  });
}

const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)];

function pour(one: { which: number; less: boolean }): Deed {
  return named(`pour ${JSON.stringify(one)}`, async (told, world) => {
    const asked = pick(told.answers, one.which)?.answer.body;
    if (!asked) return;
    const { value } = asked['quantity'] as { value: string };
    const plannedMs = Date.parse(asked['plannedAt'] as string);
    // Poured on the planned day, or now: what comes on another day was not what was held.
    if (world.shared.now < plannedMs) return;
    const answer = await world.pour(asked['permitId'] as string, asked['ticket'] as string, {
      manifestId: asked['id'] as string,
      hauler: asked['hauler'] as { kind: string; key: string },
      subject: asked['subject'] as { kind: string; key: string },
      quantity: `${one.less ? Number(value) / 2 : value} gal`,
      sources: [],
    });
    told.loads.push(idIn(answer));
  });
}

function pourUnasked(one: { leave: number; amount: number; vat: string }): Deed {
  return named(`pour unasked ${JSON.stringify(one)}`, async (told, world) => {
    const { id = '', presser = '' } = told.leaves[one.leave] ?? {};
    const answer = await world.pour(id, `U${told.tickets++}`, {
      hauler: { kind: 'presser', key: presser },
      subject: { kind: 'vat', key: one.vat },
      quantity: `${one.amount} gal`,
    });
    told.loads.push(idIn(answer));
  });
}

function correct(one: { which: number; how: string }): Deed {
  return named(`correct ${JSON.stringify(one)}`, async (told, world) => {
    const id = pick(told.loads, one.which);
    if (id === undefined) return;
    const other = told.leaves[one.which % 2]?.id ?? '';
    const bodies: Record<string, object> = {
      less: { set: { quantity: '10 gal' } },
      void: { void: true },
      leave: { set: { permitId: other } },
      vat: { set: { subject: { kind: 'vat', key: 'V2' } } },
    };
    await world.headworks.correctLoad(world.request(), id, { reason: 'misread', ...bodies[one.how] });
  });
}

const close = (one: { vat: string; closed: boolean }): Deed =>
  named(`${one.closed ? 'close' : 'open'} ${one.vat}`, (_, world) => world.closeVat(one.closed, one.vat));

const bar = (one: { leave: number; barred: boolean }): Deed =>
  named(`${one.barred ? 'bar' : 'let'} ${one.leave}`, (told, world) =>
    world.bar(told.leaves[one.leave]?.id ?? '', one.barred),
  );

function decide(one: { leave: number; decision: string }): Deed {
  return named(`${one.decision} of ${one.leave}`, (told, world) => {
    const grounds = one.decision === 'reinstatement' ? {} : { grounds: ['plan'] };
    return world.headworks.permits.decide(
      world.request(),
      told.leaves[one.leave]?.id ?? '',
      one.decision as 'suspension',
      { reason: 'r', ...grounds },
    );
  });
}

const plan = (one: { leave: number; plan: string }): Deed =>
  named(`plan of ${one.leave}: ${one.plan}`, (told, world) =>
    world.headworks.permits.decide(world.request(), told.leaves[one.leave]?.id ?? '', 'conditions', {
      reason: 'r',
      conditions: ['c'],
      sets: { yearly_volume: one.plan },
    }),
  );

function onManifest(one: { which: number; decision: string }): Deed {
  return named(`${one.decision} of ${one.which}`, async (told, world) => {
    const id = pick(told.answers, one.which)?.answer.body['id'] as string | undefined;
    if (id === undefined) return;
    const body = one.decision === 'acceptance' ? { facts: { sound: true } } : { reason: 'r' };
    const answer = await world.headworks.manifests.decide(
      world.request(),
      id,
      one.decision as 'acceptance',
      body,
    );
    told.answers.push({ answer, at: world.shared.now });
  });
}

const license = (one: { leave: number; licensed: boolean }): Deed =>
  named(`licence of ${one.leave}: ${one.licensed}`, (told, world) =>
    world.factsOf('presser', told.leaves[one.leave]?.presser ?? '', { licensed: one.licensed }),
  );

const wait = (hours: number): Deed =>
  named(`${hours} hours pass`, (_, world) => {
    world.shared.now += hours * HOUR;
    return Promise.resolve();
  });

export const deedArb: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ leave, amount, vat, hours: ahead, known: fc.boolean(), far: fc.nat(9) }).map(ask),
  },
  { weight: 5, arbitrary: fc.record({ which: small, less: fc.boolean() }).map(pour) },
  { weight: 1, arbitrary: fc.record({ leave, amount, vat }).map(pourUnasked) },
  {
    weight: 2,
    arbitrary: fc.record({ which: small, how: fc.constantFrom('less', 'void', 'leave', 'vat') }).map(correct),
  },
  { weight: 2, arbitrary: fc.record({ vat, closed: fc.boolean() }).map(close) },
  { weight: 2, arbitrary: fc.record({ leave, barred: fc.boolean() }).map(bar) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        leave,
        decision: fc.constantFrom('suspension', 'reinstatement', 'reinstatement', 'revocation'),
      })
      .map(decide),
  },
  { weight: 1, arbitrary: fc.record({ leave, plan: fc.constantFrom('300 gal', '700 gal') }).map(plan) },
  {
    weight: 3,
    arbitrary: fc
      .record({ which: small, decision: fc.constantFrom('acceptance', 'refusal', 'withdrawal') })
      .map(onManifest),
  },
  { weight: 1, arbitrary: fc.record({ leave, licensed: fc.boolean() }).map(license) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map(wait) },
);

/** Two leaves, and as many processes on one log as there are worlds. */
export async function beginVats(worlds: readonly VatWorld[]): Promise<Telling> {
  const [first] = worlds;
  if (!first) throw new Error('no process');
  await first.begin();
  const leaves = [];
  for (const presser of ['P1', 'P2']) leaves.push({ id: await first.leave('700 gal', presser), presser });
  return { worlds, leaves, answers: [], loads: [], tickets: 0 };
}

/** Does it; what has no meaning then (a load that is void already, a leave that is suspended) is refused, and no matter. */
export async function doDeed(told: Telling, deed: Deed, process = 0): Promise<void> {
  const world = told.worlds[process % told.worlds.length];
  if (!world) return;
  // No two things at one instant, as far as one process tells them.
  world.shared.now += 1000;
  try {
    await deed.run(told, world);
  } catch (error) {
    if (!(error instanceof CodedError) || error.code === 'store-unavailable') throw error;
  }
}

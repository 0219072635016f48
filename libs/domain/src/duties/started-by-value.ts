import { address, nameId, parseAddress } from '@headworks/kernel';
import type { FactSource, Pack } from '@headworks/rules-engine';
import { firstOf } from '../load-facts';
import type { SubjectState } from '../subject/subject';
import { beginsInTime, clockOf } from './clock';
import type { Asked, Found } from './asked';
import { doneSince, readFor, startOf, withoutBeginning } from './done';
import { dueMs, isInTime, type DeadlineClause, type Duty } from './duty';
import { grantedOf, inOrder } from './grants';
import type { Whose } from './responsible';

/** What is known of a permit or a thing over time. */
export interface Known {
  readonly state: SubjectState;
  readonly on: string;
  readonly pack: Pack;
  readonly source: (ms: number) => FactSource;
  /** Instants at which something was said, ascending. */
  readonly changes: readonly number[];
  /** Address of the event that said something of these facts at the instant. */
  readonly saidBy: (ms: number, facts: ReadonlySet<string>) => string;
  /** That event with its corrections. */
  readonly corrected: (event: string) => ReadonlySet<string>;
  readonly whose: Whose;
  /** From when on nobody owes anything here any more. */
  readonly endedMs?: number;
  /** Whether what begins then begins under this text; without it, all does. */
  readonly isInForce?: (ms: number) => boolean;
}

/** A stretch in which the clause's start has one value, or had several before any of them came to an end. */
interface Run {
  readonly value: string;
  /** The instant from which the value is known. */
  readonly fromMs: number;
  /** From when on the start is another one: this duty keeps its own. */
  readonly untilMs?: number;
  /** It was taken back before the duty came to an end. */
  readonly isVoid?: true;
}

/**
 * Duties of a clause that begin with a fact. A start that changes while its duty runs moves that duty; one that comes
 * after the duty was met or missed begins the next one. So a yearly duty that each filing starts anew has its next
 * cycle alone.
 */
export function startedByValue(known: Known, clause: DeadlineClause, { sinceMs, always }: Asked): Found {
  const duties: Duty[] = [];
  const over = new Set<string>();
  for (const [ordinal, run] of runsOf(known, clause).entries()) {
    const isOurs = known.isInForce?.(run.fromMs) ?? true;
    const duty = isOurs ? dutyOf(known, clause, run, ordinal) : undefined;
    if (!duty) continue;
    const isOver = dueMs(duty) < sinceMs && run.fromMs < sinceMs && !always.has(duty.duty);
    if (isOver) over.add(duty.duty);
    else duties.push(duty);
  }
  return { duties, over };
}

function runsOf(known: Known, clause: DeadlineClause): readonly Run[] {
  const { pack, source, changes } = known;
  const runs: Run[] = [];
  const end = (run: Run, untilMs: number, isVoid: boolean): void => {
    runs[runs.length - 1] = { ...run, untilMs, ...(isVoid && { isVoid }) };
  };
  for (const ms of changes) {
    const value = pack.value(clause.deadline.starts, source(ms));
    const last = runs.at(-1);
    const current = last?.untilMs === undefined ? last : undefined;
    const starts = typeof value === 'string' ? value : undefined;
    if (starts === current?.value) continue;
    const isDecided = current === undefined || hasEnded(known, clause, current, runs.length - 1, ms);
    if (current && isDecided) end(current, ms, false);
    else if (current && starts === undefined) end(current, ms, true);
    if (starts === undefined) continue;
    if (isDecided) runs.push({ value: starts, fromMs: ms });
    else runs[runs.length - 1] = { value: starts, fromMs: ms };
  }
  return runs;
}

/** Whether the duty of the run was met or missed by the instant. */
function hasEnded(known: Known, clause: DeadlineClause, run: Run, ordinal: number, ms: number): boolean {
  const duty = dutyOf(known, clause, run, ordinal);
  if (!duty) return false;
  return (duty.done !== undefined && duty.done.ms <= ms) || !isInTime(duty, ms);
}

function dutyOf(known: Known, clause: DeadlineClause, run: Run, ordinal: number): Duty | undefined {
  const { state, pack, changes, whose, endedMs } = known;
  const startMs = startOf(pack, run.value);
  if (startMs === undefined) return undefined;
  const duty = nameId('duty', state.stream, pack.ref.pack, clause.id, `start ${ordinal}`);
  const startedBy = beganBy(known, clause, run);
  const begunBy = known.corrected(startedBy);
  const began = { begunBy, fromMs: run.fromMs };
  const plain = withoutBeginning(pack, clause.deadline, factsOf(known, clause, run), began);
  const { facts, instants, waived } = grantedOf(state, duty, clause, plain);
  const clock = clockOf(pack, clause, { startMs, facts, changes: () => inOrder(changes, instants) });
  if (!clock || !beginsInTime(clock, startMs)) return undefined;
  const done = doneSince(pack, clause.deadline.done, { facts, startMs, changes, begunBy });
  const voidMs = run.isVoid ? run.untilMs : endedMs;
  return {
    ...{ duty, pack, clause, clock, startMs, startedBy, on: known.on, facts },
    ...(done && { done }),
    ...(waived && { waived }),
    ...(voidMs !== undefined && { voidMs }),
    ...whose,
  };
}

/** The event that said the start last; where it has none of its own, what was said at its instant. */
function beganBy({ pack, source, saidBy }: Known, clause: DeadlineClause, { fromMs }: Run): string {
  const read = readFor(pack, clause.deadline.starts, source(fromMs));
  // Of what has not happened only the head of the stream can be named, and that may be what meets the duty.
  const said = [...read.values()].filter(({ json }) => json !== null);
  const events = said.flatMap(({ from }) => parseAddress(from.event ?? '') ?? []);
  const last = events.toSorted((a, b) => a.revision - b.revision).at(-1);
  return last ? address(last) : saidBy(fromMs, new Set(read.keys()));
}

/**
 * A duty keeps what its own start was told by: before that was said (a day counts from its beginning), and once another
 * start is. Only within the run the facts say it themselves.
 */
function factsOf({ pack, source }: Known, clause: DeadlineClause, run: Run): (ms: number) => FactSource {
  const { fromMs, untilMs = Number.POSITIVE_INFINITY } = run;
  const first = pinned(pack, clause, source(fromMs));
  const last = untilMs === Number.POSITIVE_INFINITY ? first : pinned(pack, clause, source(untilMs - 1));
  return (ms) => {
    if (ms < fromMs) return firstOf(first, source(ms));
    return ms < untilMs ? source(ms) : firstOf(last, source(ms));
  };
}

/** Where each filing begins the next cycle, the next one is what meets this: that is looked up as it is said. */
function pinned(pack: Pack, { deadline }: DeadlineClause, source: FactSource): FactSource {
  const read = readFor(pack, deadline.starts, source);
  return (fact) => (fact === deadline.done ? undefined : read.get(fact));
}

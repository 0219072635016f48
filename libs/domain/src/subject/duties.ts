import { isoInstant, nameId, type Due, type Finding } from '@headworks/kernel';
import type { ClauseDef, FactSource, LimitDef, LoadDef, Pack } from '@headworks/rules-engine';
import { storedDue, storedFinding, type DutyMissed } from '../events';
import { changesOf } from '../facts';
import { compareKeys } from '../legal-order';
import { firstOf } from '../load-facts';
import { packOf, type Law } from '../pack-at';
import { campaigns, countsIn, postingSource, type Posting } from '../postings';
import { subjectSource } from './subject-facts';
import type { DutyChanges, OpenDuty, SubjectState } from './subject';

/** A duty as the log and the law make it: derived, never stored as such. */
export interface Duty {
  readonly duty: string;
  readonly pack: Pack;
  readonly clause: ClauseDef;
  readonly limit: LimitDef;
  /** The posting that began the campaign, and the first load that the clause binds. */
  readonly start: Posting;
  readonly bound: Posting;
  readonly startMs: number;
  readonly due: Due;
  readonly doneMs?: number;
}

/** All duties that the postings of a thing have started: one for each clause and campaign. */
export const dutiesOf = (state: SubjectState, law: Law): readonly Duty[] =>
  dutiesSince(state, law, Number.NEGATIVE_INFINITY, new Set()).duties;

export interface DutiesSince {
  readonly duties: readonly Duty[];
  /** Ids of those that were over before the instant: nothing of then on changes whether they were missed. */
  readonly over: ReadonlySet<string>;
}

/**
 * Duties that a change at the instant can touch, and those that are asked for by id. A thing keeps its duties for
 * ever; to look at each of them again with each load would cost more with every year.
 */
export function dutiesSince(
  state: SubjectState,
  law: Law,
  sinceMs: number,
  always: ReadonlySet<string>,
): DutiesSince {
  const duties: Duty[] = [];
  const over = new Set<string>();
  for (const [pack, limit] of campaignLimits(state, law)) {
    const found = campaigns(pack, limit, state.postings);
    found.forEach((campaign, index) => {
      // What was brought forward is judged where it was made.
      if (campaign.start.broughtFrom !== undefined) return;
      const next = found[index + 1]?.start;
      for (const begun of begunBy(state, law, limit, campaign.start)) {
        const ended = Math.max(campaign.endMs, Date.parse(begun.due.at)) < sinceMs;
        const duty = ended && !always.has(begun.duty) ? undefined : boundBy(state, law, begun, next);
        if (duty) duties.push(duty);
        else if (ended) over.add(begun.duty);
      }
    });
  }
  return { duties, over };
}

/** Each limit with a campaign that has postings here, with the pack in force at the newest of them. */
function campaignLimits(state: SubjectState, law: Law): readonly (readonly [Pack, LimitDef])[] {
  const found = new Map<string, readonly [Pack, LimitDef]>();
  for (const posting of state.postings) {
    for (const name of posting.data.limits) {
      const key = `${posting.data.pack}|${name}`;
      const pack = packOf(law, posting.data.pack, posting.key.ms);
      const limit = pack.limits.get(name);
      if (limit?.campaign) found.set(key, [pack, limit]);
    }
  }
  return [...found.values()];
}

type Begun = Omit<Duty, 'bound' | 'doneMs'>;

/** What the first load of a campaign begins, whomever it binds. */
function begunBy(state: SubjectState, law: Law, limit: LimitDef, start: Posting): readonly Begun[] {
  const pack = packOf(law, start.data.pack, start.key.ms);
  const def = pack.loads.get(start.data.loadType);
  const startMs = start.key.ms;
  return (def ? dutyClauses(pack, def) : []).map((clause) => ({
    // The first load names the campaign: a correction of it posts it anew, and its duty stays the same one.
    duty: nameId('duty', state.stream, pack.ref.pack, clause.id, start.data.load),
    pack,
    clause,
    limit,
    start,
    startMs,
    due: dueOf(pack, clause.id, startMs),
  }));
}

/** The duty, where the clause binds a load of the campaign, up to the first of the next one. */
function boundBy(state: SubjectState, law: Law, begun: Begun, next: Posting | undefined): Duty | undefined {
  const { pack, clause, limit, start, startMs } = begun;
  const counts = countsIn(pack, limit);
  const campaign = state.postings.filter(
    (p) =>
      counts(p) &&
      compareKeys(p.key, start.key) >= 0 &&
      (next === undefined || compareKeys(p.key, next.key) < 0),
  );
  const ledger = { stream: state.stream, revision: state.revision, postings: state.postings };
  const kind = pack.loads.get(start.data.loadType)?.on ?? '';
  const sourceOf = (posting: Posting) => postingSource(pack, limit, ledger, posting);
  const bound = firstBound(campaign, (posting) => {
    const { ms } = posting.key;
    return judge(pack, clause.id, dutyFacts(state, pack, kind, sourceOf(posting), ms), ms);
  });
  if (!bound) return undefined;
  const doneMs = firstDone(state, pack, clause.deadline?.done, kind, sourceOf(bound), startMs);
  return { ...begun, bound, ...(doneMs === undefined ? {} : { doneMs }) };
}

const dues = new WeakMap<Pack, Map<string, Due>>();
/** A derivation is a list of days: kept for the starts that are asked for again and again, not for all of them. */
const MOST_DUES = 2000;

function dueOf(pack: Pack, clause: string, startMs: number): Due {
  let known = dues.get(pack);
  if (!known) dues.set(pack, (known = new Map<string, Due>()));
  const name = `${startMs}|${clause}`;
  let due = known.get(name);
  if (!due) {
    if (known.size >= MOST_DUES) known.clear();
    due = pack.due(clause, startMs);
    known.set(name, due);
  }
  return due;
}

/** Clauses that start a duty with the first load of a campaign. */
export function dutyClauses(pack: Pack, def: LoadDef): readonly ClauseDef[] {
  const clauses = pack.assessments.get(def.judgedBy)?.clauses ?? [];
  return clauses
    .map((id) => pack.clauses.get(id))
    .filter((clause): clause is ClauseDef => clause?.deadline !== undefined)
    .filter(({ deadline }) => deadline && def.gives[deadline.starts] === 'campaign_start');
}

/** The first load that the clause is known to bind; where none is, the first that it may bind. */
function firstBound(
  campaign: readonly Posting[],
  findingOn: (posting: Posting) => Finding,
): Posting | undefined {
  let possible: Posting | undefined;
  for (const posting of campaign) {
    const { status, reason } = findingOn(posting);
    if (status === 'not_applicable') continue;
    if (status !== 'unknown' || reason === 'not_yet_due') return posting;
    possible ??= posting;
  }
  return possible;
}

const dutyFacts = (state: SubjectState, pack: Pack, kind: string, load: FactSource, ms: number): FactSource =>
  firstOf(load, subjectSource(state, pack, kind, ms));

function judge(pack: Pack, clause: string, facts: FactSource, now: number): Finding {
  const [finding] = pack.evaluate({ clauses: [clause], facts, now });
  if (!finding) throw new Error(`Clause ${clause} of ${pack.ref.pack} gave no finding.`);
  return finding;
}

/**
 * When a thing was done: the first instant from the start at which the facts give the named instant. Facts count only
 * from the start on, so an old cure never satisfies a new duty. Also the cure of a violation that lasts.
 */
export function firstDone(
  state: SubjectState,
  pack: Pack,
  done: string | undefined,
  kind: string,
  load: FactSource,
  startMs: number,
): number | undefined {
  if (done === undefined) return undefined;
  for (const ms of [startMs, ...changesOf(state.facts, state.facts.rows.keys(), startMs)]) {
    const value = pack.value(done, dutyFacts(state, pack, kind, load, ms));
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (at >= startMs) return at;
  }
  return undefined;
}

/** The finding on a duty as of an instant, with the facts as they stood when it was done, or then. */
export function dutyFinding(state: SubjectState, law: Law, duty: Duty, now: number): Finding {
  return findingAt(state, law, duty, duty.doneMs ?? now);
}

/** The finding just after the statutory instant, on what is known now of that instant: violated is missed. */
export function missedFinding(state: SubjectState, law: Law, duty: Duty): Finding {
  return findingAt(state, law, duty, dueMs(duty) + 1);
}

function findingAt(state: SubjectState, law: Law, { pack, bound, clause, limit }: Duty, ms: number): Finding {
  const inForce = packOf(law, bound.data.pack, bound.key.ms);
  const ledger = { stream: state.stream, revision: state.revision, postings: state.postings };
  const kind = inForce.loads.get(bound.data.loadType)?.on ?? '';
  const facts = dutyFacts(state, pack, kind, postingSource(pack, limit, ledger, bound), ms);
  return judge(pack, clause.id, facts, ms);
}

const dueMs = (duty: Duty): number => Date.parse(duty.due.at);

/** Missed: the statutory instant is past, and it was not done by then. Done at that very instant is in time. */
export const isMissed = (duty: Duty, now: number): boolean =>
  (duty.doneMs === undefined || duty.doneMs > dueMs(duty)) && now > dueMs(duty);

export type DutyStatus = 'open' | 'contestable' | 'met' | 'met_late' | 'missed';

/** Between the elapsed and the statutory instant a duty not done is contestable: late by the clock, not citable. */
export function dutyStatus(duty: Duty, now: number): DutyStatus {
  if (duty.doneMs !== undefined && duty.doneMs <= now) return duty.doneMs > dueMs(duty) ? 'met_late' : 'met';
  if (now > dueMs(duty)) return 'missed';
  const elapsed = duty.due.elapsedAt === null ? Number.POSITIVE_INFINITY : Date.parse(duty.due.elapsedAt);
  return now > elapsed ? 'contestable' : 'open';
}

export function missedData(duty: Duty, finding: Finding): DutyMissed {
  return {
    duty: duty.duty,
    pack: duty.pack.ref.pack,
    clause: duty.clause.id,
    startedBy: duty.start.event,
    load: duty.bound.data.load,
    startedAt: isoInstant(duty.startMs),
    due: storedDue(duty.due),
    outcome: duty.clause.deadline?.outcome ?? 'violation',
    responsible: duty.bound.data.hauler,
    binds: duty.clause.binds,
    finding: storedFinding(finding),
  };
}

/**
 * What a change of the thing opened and closed, to be written into the event that made it. Open is what will be missed
 * if nothing more is recorded: a duty of which a missing fact leaves open whether it binds is no alarm of anyone.
 */
export function dutyChanges(state: SubjectState, law: Law, duties: readonly Duty[]): DutyChanges | undefined {
  const wanted = new Map<string, OpenDuty>();
  const closed: { duty: string; how: string }[] = [];
  for (const duty of duties) {
    const missed = state.missed.get(duty.duty);
    const stands = missed !== undefined && missed.reversedBy === undefined;
    const open =
      duty.doneMs === undefined && !stands && missedFinding(state, law, duty).status === 'violated';
    if (open) wanted.set(duty.duty, { duty: duty.duty, clause: duty.clause.id, dueAt: duty.due.at });
    else if (state.openDuties.has(duty.duty)) closed.push({ duty: duty.duty, how: howClosed(duty, stands) });
  }
  const known = new Set(duties.map(({ duty }) => duty));
  for (const duty of state.openDuties.keys()) if (!known.has(duty)) closed.push({ duty, how: 'void' });
  const opened = [...wanted.values()].filter(
    ({ duty, dueAt }) => state.openDuties.get(duty)?.dueAt !== dueAt,
  );
  return opened.length + closed.length === 0 ? undefined : { opened, closed };
}

function howClosed(duty: Duty, missed: boolean): string {
  if (duty.doneMs !== undefined) return duty.doneMs > dueMs(duty) ? 'met_late' : 'met';
  return missed ? 'missed' : 'void';
}

import { isoInstant, nameId, type Due, type Finding } from '@headworks/kernel';
import type { ClauseDef, FactSource, LimitDef, Pack } from '@headworks/rules-engine';
import { storedDue, storedFinding, type DutyMissed, type ThingRef } from '../events';
import { changesOf } from '../facts';
import { compareKeys } from '../legal-order';
import { firstOf } from '../load-facts';
import { packOf, type Law } from '../pack-at';
import { campaignStarts, postingSource, type Posting } from '../postings';
import { subjectSource } from './subject-facts';
import type { DutyChanges, OpenDuty, SubjectState } from './subject';

/** A duty as the log and the law make it: derived, never stored as such. */
export interface Duty {
  readonly duty: string;
  readonly pack: Pack;
  readonly clause: ClauseDef;
  /** The posting that began the campaign, and the first load that the clause binds. */
  readonly start: Posting;
  readonly bound: Posting;
  readonly startMs: number;
  readonly due: Due;
  readonly doneMs?: number;
}

/** All duties that the postings of a thing have started: one for each clause and campaign. */
export function dutiesOf(state: SubjectState, law: Law): readonly Duty[] {
  const duties: Duty[] = [];
  for (const [pack, limit] of campaignLimits(state, law)) {
    const starts = campaignStarts(pack, limit, state.postings);
    starts.forEach((start, index) => {
      const end = starts[index + 1];
      const campaign = state.postings.filter(
        (p) =>
          p.data.limits.includes(limit.name) &&
          compareKeys(p.key, start.key) >= 0 &&
          (end === undefined || compareKeys(p.key, end.key) < 0),
      );
      // What was brought forward is judged where it was made.
      if (start.broughtFrom === undefined) duties.push(...campaignDuties(state, law, limit, start, campaign));
    });
  }
  return duties;
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

function campaignDuties(
  state: SubjectState,
  law: Law,
  limit: LimitDef,
  start: Posting,
  campaign: readonly Posting[],
): readonly Duty[] {
  const pack = packOf(law, start.data.pack, start.key.ms);
  const def = pack.loads.get(start.data.loadType);
  const clauses = pack.assessments.get(def?.judgedBy ?? '')?.clauses ?? [];
  const duties: Duty[] = [];
  for (const id of clauses) {
    const clause = pack.clauses.get(id);
    if (!clause?.deadline || def?.gives[clause.deadline.starts] !== 'campaign_start') continue;
    const ledger = { stream: state.stream, revision: state.revision, postings: state.postings };
    const bound = campaign.find((posting) => {
      const facts = dutyFacts(
        state,
        pack,
        def.on,
        postingSource(pack, limit, ledger, posting),
        posting.key.ms,
      );
      return judge(pack, id, facts, posting.key.ms).status !== 'not_applicable';
    });
    if (!bound) continue;
    const startMs = start.key.ms;
    const duty = nameId('duty', state.stream, id, start.data.load);
    const source = postingSource(pack, limit, ledger, bound);
    const doneMs = firstDone(state, pack, clause.deadline.done, def.on, source, startMs);
    duties.push({
      duty,
      pack,
      clause,
      start,
      bound,
      startMs,
      due: pack.due(id, startMs),
      ...(doneMs === undefined ? {} : { doneMs }),
    });
  }
  return duties;
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
  for (const ms of changesOf(state.facts, state.facts.rows.keys(), startMs)) {
    const value = pack.value(done, dutyFacts(state, pack, kind, load, ms));
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (at >= startMs) return at;
  }
  return undefined;
}

export function dutyFinding(state: SubjectState, law: Law, duty: Duty, now: number): Finding {
  const { pack, bound, clause } = duty;
  const def = pack.loads.get(bound.data.loadType);
  const limit = bound.data.limits.map((name) => pack.limits.get(name)).find((l) => l?.campaign);
  if (!def || !limit) throw new Error(`Pack ${pack.ref.pack} no longer knows the load of duty ${duty.duty}.`);
  const ledger = { stream: state.stream, revision: state.revision, postings: state.postings };
  const at = duty.doneMs ?? now;
  const facts = dutyFacts(state, pack, def.on, postingSource(pack, limit, ledger, bound), at);
  return judge(pack, clause.id, facts, at);
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

export function missedData(state: SubjectState, law: Law, duty: Duty): DutyMissed {
  const due = dueMs(duty);
  return {
    duty: duty.duty,
    pack: duty.pack.ref.pack,
    clause: duty.clause.id,
    startedBy: duty.start.event,
    load: duty.bound.data.load,
    startedAt: isoInstant(duty.startMs),
    due: storedDue(duty.due),
    outcome: duty.clause.deadline?.outcome ?? 'violation',
    responsible: responsible(duty),
    binds: duty.clause.binds,
    finding: storedFinding(dutyFinding(state, law, { ...duty, doneMs: due + 1 }, due + 1)),
  };
}

const responsible = (duty: Duty): ThingRef => duty.bound.data.hauler;

/** What a change of the thing opened and closed, to be written into the event that made it. */
export function dutyChanges(
  state: SubjectState,
  duties: readonly Duty[],
  now: number,
): DutyChanges | undefined {
  const wanted = new Map<string, OpenDuty>();
  const closed: { duty: string; how: string }[] = [];
  for (const duty of duties) {
    const open =
      duty.doneMs === undefined && !(state.missed.get(duty.duty) && !state.missed.get(duty.duty)?.reversedBy);
    const entry: OpenDuty = { duty: duty.duty, clause: duty.clause.id, dueAt: duty.due.at };
    if (open) wanted.set(duty.duty, entry);
    else if (state.openDuties.has(duty.duty)) closed.push({ duty: duty.duty, how: dutyStatus(duty, now) });
  }
  const known = new Set(duties.map(({ duty }) => duty));
  for (const duty of state.openDuties.keys()) if (!known.has(duty)) closed.push({ duty, how: 'void' });
  const opened = [...wanted.values()].filter(
    ({ duty, dueAt }) => state.openDuties.get(duty)?.dueAt !== dueAt,
  );
  return opened.length + closed.length === 0 ? undefined : { opened, closed };
}

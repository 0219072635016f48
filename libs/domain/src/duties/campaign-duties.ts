import { nameId, type Finding } from '@headworks/kernel';
import type { FactSource, LimitDef, LoadDef, Pack } from '@headworks/rules-engine';
import { changesOf } from '../facts';
import { compareKeys } from '../legal-order';
import { firstOf } from '../load-facts';
import { packOf, type Law } from '../pack-at';
import { campaigns, countsIn, postingSource, type Posting } from '../postings';
import { subjectSource } from '../subject/subject-facts';
import type { SubjectState } from '../subject/subject';
import { clockOf } from './clock';
import { doneSince } from './done';
import { grantedOf, inOrder } from './grants';
import { dueMs, isDeadline, type DeadlineClause, type Duty, type DutyClock } from './duty';
import type { Asked, Found } from './asked';
import { thingRef } from './responsible';

/** Duties that the first load of a campaign starts: one for each clause and campaign that the change can touch. */
export function campaignDuties(state: SubjectState, law: Law, { sinceMs, always }: Asked): Found {
  const duties: Duty[] = [];
  const over = new Set<string>();
  for (const [pack, limit] of campaignLimits(state, law)) {
    const found = campaigns(pack, limit, state.postings);
    found.forEach((campaign, index) => {
      // What was brought forward is judged where it was made.
      if (campaign.start.broughtFrom !== undefined) return;
      const next = found[index + 1]?.start;
      for (const begun of begunBy(state, law, limit, campaign.start)) {
        const ended = Math.max(campaign.endMs, dueMs(begun)) < sinceMs;
        const duty = ended && !always.has(begun.duty) ? undefined : boundBy(state, begun, next);
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

interface Begun {
  readonly duty: string;
  readonly pack: Pack;
  readonly clause: DeadlineClause;
  readonly limit: LimitDef;
  /** The posting that began the campaign. */
  readonly start: Posting;
  readonly clock: DutyClock;
}

/** What the first load of a campaign begins, whomever it binds. */
function begunBy(state: SubjectState, law: Law, limit: LimitDef, start: Posting): readonly Begun[] {
  const pack = packOf(law, start.data.pack, start.key.ms);
  const def = pack.loads.get(start.data.loadType);
  const startMs = start.key.ms;
  // Most clocks run from their start alone and ask for neither.
  const plain = (ms: number): FactSource => factsOn(state, { pack, limit, posting: start })(ms);
  return (def ? dutyClauses(pack, def) : []).flatMap((clause) => {
    // The first load names the campaign: a correction of it posts it anew, and its duty stays the same one.
    const duty = nameId('duty', state.stream, pack.ref.pack, clause.id, start.data.load);
    const { facts, instants } = grantedOf(state, duty, clause, plain);
    const changes = (): readonly number[] => inOrder(changesSince(state, startMs), instants);
    const clock = clockOf(pack, clause, { startMs, facts, changes });
    if (!clock) return [];
    return [{ duty, pack, clause, limit, start, clock }];
  });
}

/** The duty, where the clause binds a load of the campaign, up to the first of the next one. */
function boundBy(state: SubjectState, begun: Begun, next: Posting | undefined): Duty | undefined {
  const { duty, pack, clause, limit, start, clock } = begun;
  const counts = countsIn(pack, limit);
  const campaign = state.postings.filter(
    (p) =>
      counts(p) &&
      compareKeys(p.key, start.key) >= 0 &&
      (next === undefined || compareKeys(p.key, next.key) < 0),
  );
  const bound = firstBound(campaign, (posting) => {
    const { ms } = posting.key;
    return findingOn(pack, clause.id, factsOn(state, { pack, limit, posting })(ms), ms);
  });
  if (!bound) return undefined;
  const startMs = start.key.ms;
  const { facts, waived } = grantedOf(state, duty, clause, factsOn(state, { pack, limit, posting: bound }));
  const changes = changesSince(state, startMs);
  const done = doneSince(pack, clause.deadline.done, { facts, startMs, changes });
  const { load, hauler } = bound.data;
  const kind = pack.loads.get(bound.data.loadType)?.on ?? '';
  return {
    ...{ duty, pack, clause, clock, startMs, startedBy: start.event, load, facts },
    on: kind,
    subject: thingRef(state, kind),
    ...(clause.binds === 'person' && { responsible: hauler }),
    ...(done && { done }),
    ...(waived && { waived }),
  };
}

interface Judged {
  readonly pack: Pack;
  readonly limit: LimitDef;
  readonly posting: Posting;
}

/** What the load says and what counts before it, then what is known of the thing at the instant. */
function factsOn(state: SubjectState, { pack, limit, posting }: Judged): (ms: number) => FactSource {
  const ledger = { stream: state.stream, revision: state.revision, postings: state.postings };
  const load = postingSource(pack, limit, ledger, posting);
  const kind = pack.loads.get(posting.data.loadType)?.on ?? '';
  return (ms) => firstOf(load, subjectSource(state, pack, kind, ms));
}

/** Clauses that start a duty with the first load of a campaign. */
export function dutyClauses(pack: Pack, def: LoadDef): readonly DeadlineClause[] {
  const clauses = pack.assessments.get(def.judgedBy)?.clauses ?? [];
  return clauses
    .map((id) => pack.clauses.get(id))
    .filter(isDeadline)
    .filter(({ deadline }) => def.gives[deadline.starts] === 'campaign_start');
}

/** The first load that the clause is known to bind; where none is, the first that it may bind. */
function firstBound(campaign: readonly Posting[], judge: (posting: Posting) => Finding): Posting | undefined {
  let possible: Posting | undefined;
  for (const posting of campaign) {
    const { status, reason } = judge(posting);
    if (status === 'not_applicable') continue;
    if (status !== 'unknown' || reason === 'not_yet_due') return posting;
    possible ??= posting;
  }
  return possible;
}

function findingOn(pack: Pack, clause: string, facts: FactSource, now: number): Finding {
  const [finding] = pack.evaluate({ clauses: [clause], facts, now });
  if (!finding) throw new Error(`Clause ${clause} of ${pack.ref.pack} gave no finding.`);
  return finding;
}

const changesSince = (state: SubjectState, startMs: number): readonly number[] =>
  changesOf(state.facts, state.facts.rows.keys(), startMs);

/** When a load's violation that lasts was cured: the first instant from the start on that the facts give. */
export function firstDone(
  state: SubjectState,
  pack: Pack,
  done: string | undefined,
  kind: string,
  load: FactSource,
  startMs: number,
): number | undefined {
  if (done === undefined) return undefined;
  const facts = (ms: number): FactSource => firstOf(load, subjectSource(state, pack, kind, ms));
  return doneSince(pack, done, { facts, startMs, changes: changesSince(state, startMs) })?.ms;
}

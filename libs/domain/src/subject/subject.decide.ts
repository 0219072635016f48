import { CodedError, isoInstant, type Decision, type DomainEvent, type Occurred } from '@headworks/kernel';
import { occurredMs } from '@headworks/calendars';
import { Draft, type Envelope } from '../draft';
import type { LegalKey } from '../legal-order';
import { loadFactSource } from '../load-facts';
import { packOf, type Law } from '../pack-at';
import { decideAct } from './acts.decide';
import type { SubjectCommand } from './commands';
import { dutiesOf, dutyChanges, isMissed, missedData } from './duties';
import { limitsUsing, rejudge } from './limits.decide';
import { endsOf } from './subject-facts';
import { applyDutyChanges, evolveSubject, type SubjectState } from './subject';

export interface SubjectContext {
  readonly law: Law;
  /** Fixed at receipt, for all attempts. */
  readonly nowMs: number;
  readonly envelope: Envelope;
}

type Of<T extends SubjectCommand['type']> = Extract<SubjectCommand, { type: T }>;
type SubjectDraft = Draft<SubjectState>;

/**
 * Settle first: consequences due by now are appended before the command's own events, dated at their instants. Then
 * the command, then what follows from it at once: limits judged again in legal order, duties opened, closed, reversed.
 */
export function decideSubject(
  command: SubjectCommand,
  state: SubjectState,
  context: SubjectContext,
): Decision {
  const draft: SubjectDraft = new Draft(state, evolveSubject, context.envelope);
  if (anyDue(state, context.nowMs)) settleDuties(draft, context);
  const before = draft.events.length;
  const ignored = decideOwn(command, draft, context);
  if (draft.events.length > before) reconcileDuties(draft, context);
  if (draft.events.length === 0) return { events: [], ignored: ignored ?? 'nothing to do' };
  return { events: draft.events };
}

function decideOwn(
  command: SubjectCommand,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  switch (command.type) {
    case 'settle':
      return 'nothing is due';
    case 'register':
      return register(command, draft, context);
    case 'record-facts':
      return recordOn(command, draft, context);
    case 'correct-facts':
      return correct(command, draft, context);
    case 'annul':
      return annul(command, draft, context);
    case 'do-act':
      return doAct(command, draft, context);
    case 'post-load':
      return postLoad(command, draft, context);
    case 'supersede':
      draft.push({
        type: 'SubjectSuperseded',
        data: { successors: command.successors, on: command.on, reason: command.reason },
      });
      return undefined;
    case 'bring-forward':
      return bringForward(command, draft, context);
  }
}

function register(command: Of<'register'>, draft: SubjectDraft, context: SubjectContext): string | undefined {
  const { registered } = draft.state;
  const { kind, key, name, geometry, facts } = command;
  if (registered) {
    throw new CodedError(
      'conflict',
      `The ${kind} '${key}' is registered already; record facts on it instead.`,
      [],
      {
        registeredBy: registered.event,
      },
    );
  }
  const pack = packOf(context.law, command.pack, at(context));
  draft.push({
    type: 'SubjectRegistered',
    data: {
      kind,
      key,
      ...(name !== undefined && { name }),
      ...(geometry && { geometry }),
      facts,
      ...endsOf(pack, facts, at(context)),
    },
  });
  rejudgeFacts(draft, context, Object.keys(facts), at(context));
  return undefined;
}

function recordOn(command: Of<'record-facts'>, draft: SubjectDraft, context: SubjectContext): undefined {
  const { facts, evidence, reason } = command;
  const pack = packOf(context.law, command.pack, at(context));
  draft.push({
    type: 'FactsRecorded',
    data: {
      facts,
      ...endsOf(pack, facts, at(context)),
      ...(evidence !== undefined && { evidence }),
      ...(reason !== undefined && { reason }),
    },
  });
  rejudgeFacts(draft, context, Object.keys(facts), at(context));
}

function correct(command: Of<'correct-facts'>, draft: SubjectDraft, context: SubjectContext): undefined {
  const { corrects, facts, reason, evidence } = command;
  const rows = [...draft.state.facts.rows.values()].flat().filter((row) => row.recordedBy === corrects);
  const unknown = Object.keys(facts).filter((fact) => !rows.some((row) => row.fact === fact));
  const from = rows[0]?.key.ms;
  if (from === undefined || unknown.length > 0) {
    throw new CodedError('invalid-request', `The event ${corrects} did not record what is to be corrected.`, [
      {
        pointer: '/corrects',
        code: 'not-recorded-there',
        detail:
          rows.length === 0
            ? `${corrects} recorded no facts here.`
            : `${corrects} did not record ${unknown.join(', ')}.`,
        hint: "look the event up in the thing's history",
      },
    ]);
  }
  // A correction is about the time of what it corrects: a view as of any instant since then has it.
  draft.push({
    type: 'FactsCorrected',
    data: { corrects, facts, reason, ...(evidence !== undefined && { evidence }) },
    occurred: { at: isoInstant(from) },
    causedBy: corrects,
  });
  rejudgeFacts(draft, context, Object.keys(facts), from);
}

function annul(command: Of<'annul'>, draft: SubjectDraft, context: SubjectContext): string | undefined {
  const { annuls, reason } = command;
  if (draft.state.annulled.has(annuls)) return `${annuls} is annulled already`;
  const rows = [...draft.state.facts.rows.values()].flat().filter((row) => row.recordedBy === annuls);
  const act = draft.state.acts.find(({ event }) => event === annuls);
  const from = act?.key.ms ?? rows[0]?.key.ms;
  if (from === undefined) {
    throw new CodedError('invalid-request', `${annuls} is nothing that can be annulled here.`, [
      {
        pointer: '/annuls',
        code: 'not-annullable',
        detail: `${annuls} recorded neither facts nor an act on this thing.`,
        hint: 'a load is corrected or voided by POST /v1/loads/{id}/corrections',
      },
    ]);
  }
  draft.push({
    type: 'RecordedInError',
    data: { annuls, reason },
    occurred: { at: isoInstant(from) },
    causedBy: annuls,
  });
  rejudgeFacts(
    draft,
    context,
    rows.map((row) => row.fact),
    from,
  );
  return undefined;
}

function doAct(command: Of<'do-act'>, draft: SubjectDraft, context: SubjectContext): string | undefined {
  const pack = packOf(context.law, command.pack, at(context));
  const event = decideAct(command, draft.state, pack, at(context));
  draft.push(event);
  if (event.type !== 'ActRefused')
    rejudgeFacts(draft, context, Object.keys(event.data['facts'] ?? {}), at(context));
  return undefined;
}

function postLoad(
  command: Of<'post-load'>,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  const { load, loadRevision, posting } = command;
  const standing = draft.state.postings.find((p) => p.data.load === load && p.broughtFrom === undefined);
  if (standing && standing.data.loadRevision >= loadRevision) return 'posted already';
  if (!standing && !posting) return 'never posted here';
  const keys: LegalKey[] = [];
  if (standing) {
    draft.push({
      type: 'PostingReversed',
      data: { posting: standing.event, load, loadRevision },
      occurred: { at: isoInstant(standing.key.ms) },
      causedBy: `load-${load}@${loadRevision}`,
    });
    keys.push(standing.key);
  }
  if (posting) {
    const event = loadPosted(command, posting, context);
    draft.push(event);
    keys.push({ ms: posting.occurredMs, recordedAt: '', revision: -1 });
  }
  const limits = new Set([...(standing?.data.limits ?? []), ...(posting?.limits ?? [])]);
  const first = keys.toSorted((a, b) => a.ms - b.ms)[0];
  if (first) rejudge(draft, context, { ...first, recordedAt: '', revision: -1 }, limits);
  return undefined;
}

function loadPosted(
  { load, loadRevision }: Of<'post-load'>,
  posting: NonNullable<Of<'post-load'>['posting']>,
  context: SubjectContext,
): DomainEvent {
  const pack = packOf(context.law, posting.pack, posting.occurredMs);
  const def = pack.loads.get(posting.loadType);
  if (!def) throw new Error(`Pack ${pack.ref.pack} has no load '${posting.loadType}'.`);
  const source = loadFactSource(pack, def, posting, undefined);
  const limits = posting.limits.map((name) => pack.limits.get(name)).filter((limit) => limit !== undefined);
  const facts = limits
    .flatMap((limit) => limit.postingFacts)
    .map((fact) => [fact, source(fact)?.json] as const)
    .filter(([, json]) => json !== undefined);
  return {
    type: 'LoadPosted',
    data: {
      pack: posting.pack,
      load,
      loadRevision,
      loadType: posting.loadType,
      limits: posting.limits,
      quantity: { ...posting.quantity },
      hauler: posting.hauler,
      facts: Object.fromEntries(facts) as DomainEvent['data'],
      rows: Object.fromEntries(limits.map((limit) => [limit.name, pack.row(limit.name, source)])),
    },
    occurred: { at: isoInstant(posting.occurredMs) },
    causedBy: posting.event,
    law: pack.ref,
  };
}

function bringForward(
  { data }: Of<'bring-forward'>,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  const carried = draft.state.broughtForward.get(data.from);
  if (carried !== undefined && carried >= data.fromRevision) return 'carried already';
  draft.push({ type: 'BroughtForward', data: { ...data }, causedBy: `${data.from}@${data.fromRevision}` });
  const limits = new Set(data.postings.flatMap((posting) => posting.limits));
  rejudge(draft, context, { ms: Number.NEGATIVE_INFINITY, recordedAt: '', revision: -1 }, limits);
  return undefined;
}

/** Limits whose clauses use one of the facts are judged again from the instant that the facts are about. */
function rejudgeFacts(
  draft: SubjectDraft,
  context: SubjectContext,
  facts: readonly string[],
  ms: number,
): void {
  const limits = limitsUsing(draft.state, context.law, facts);
  if (limits.size > 0) rejudge(draft, context, { ms, recordedAt: '', revision: -1 }, limits);
}

const anyDue = (state: SubjectState, nowMs: number): boolean =>
  [...state.openDuties.values()].some(({ dueAt }) => Date.parse(dueAt) < nowMs);

/** Appends what the law says has happened by now, in legal order, each dated at its own instant. */
function settleDuties(draft: SubjectDraft, context: SubjectContext): void {
  const missed = dutiesOf(draft.state, context.law)
    .filter((duty) => isMissed(duty, context.nowMs) && !stands(draft.state, duty.duty))
    .toSorted((a, b) => Date.parse(a.due.at) - Date.parse(b.due.at));
  for (const duty of missed) {
    draft.push({
      type: 'DutyMissed',
      data: missedData(draft.state, context.law, duty),
      occurred: { at: duty.due.at },
      causedBy: duty.start.event,
      law: duty.pack.ref,
    });
  }
}

const stands = (state: SubjectState, duty: string): boolean => {
  const missed = state.missed.get(duty);
  return missed !== undefined && missed.reversedBy === undefined;
};

/** After the command's own events: duties it opened or closed, consequences it overtook, and what is due at once. */
function reconcileDuties(draft: SubjectDraft, context: SubjectContext): void {
  const duties = dutiesOf(draft.state, context.law);
  const changes = dutyChanges(draft.state, duties, context.nowMs);
  if (changes) draft.amendLast({ duties: changes }, (state) => applyDutyChanges(state, changes));
  const causedBy = `${draft.state.stream}@${draft.state.revision}`;
  for (const missed of [...draft.state.missed.values()]) {
    if (missed.reversedBy !== undefined) continue;
    const duty = duties.find((candidate) => candidate.duty === missed.data.duty);
    if (duty && isMissed(duty, context.nowMs)) continue;
    const why = duty ? 'met_in_time' : 'no_longer_due';
    draft.push({
      type: 'ConsequenceReversed',
      data: { event: missed.event, duty: missed.data.duty, why },
      occurred: { at: String(missed.data.due['at']) },
      causedBy,
    });
  }
  if (anyDue(draft.state, context.nowMs)) settleDuties(draft, context);
}

const at = (context: SubjectContext): number => occurredMs(context.envelope.occurred satisfies Occurred);

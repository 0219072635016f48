import { CodedError, isoInstant } from '@headworks/kernel';
import type { FactRow } from '../facts';
import type { AcceptanceWithdrawn } from '../manifest/events';
import { rejudgeHeld } from '../manifest/rejudge-held';
import { leniencyMs } from '../duties/state';
import { packFor } from '../pack-at';
import { decideAct } from './acts.decide';
import { at, type CommandOf, type SubjectContext, type SubjectDraft } from './context';
import { limitsUsing, rejudge } from './limits.decide';
import { endsOf } from './subject-facts';

export function register(command: CommandOf<'register'>, draft: SubjectDraft, context: SubjectContext): void {
  const { registered } = draft.state;
  const { kind, key, name, geometry, facts } = command;
  if (registered) {
    throw new CodedError(
      'conflict',
      `The ${kind} '${key}' is registered already; record facts on it instead.`,
      [],
      { registeredBy: registered.event },
    );
  }
  const pack = packFor(context.law, command.pack, at(context));
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
}

export function recordFactsOn(
  command: CommandOf<'record-facts'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  const { facts, evidence, reason } = command;
  const pack = packFor(context.law, command.pack, at(context));
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

export function correctFactsOn(
  command: CommandOf<'correct-facts'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  const { corrects, facts, reason, evidence } = command;
  const rows = rowsOf(draft, corrects);
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
  rejudgeFacts(draft, context, Object.keys(facts), from, 'judged_again');
}

export function annulOn(
  command: CommandOf<'annul'>,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  const { annuls, reason } = command;
  if (draft.state.annulled.has(annuls)) return `${annuls} is annulled already`;
  const rows = rowsOf(draft, annuls);
  const act = draft.state.acts.find(({ event }) => event === annuls);
  const from = act?.key.ms ?? rows[0]?.key.ms ?? leniencyMs(draft.state, annuls);
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
    'judged_again',
  );
  return undefined;
}

export function doAct(command: CommandOf<'do-act'>, draft: SubjectDraft, context: SubjectContext): void {
  const pack = packFor(context.law, command.pack, at(context));
  const event = decideAct(command, draft.state, pack, at(context));
  draft.push(event);
  if (event.type !== 'ActRefused')
    rejudgeFacts(draft, context, Object.keys(event.data['facts'] ?? {}), at(context));
}

/** What an event says of the thing's facts now. */
export const rowsOf = (draft: SubjectDraft, event: string): readonly FactRow[] =>
  [...draft.state.facts.rows.values()].flat().filter((row) => row.recordedBy === event);

/**
 * A fact holds until another is said, so each later posting under a clause that uses it is judged again, and all that
 * manifests hold: what is violated by it ends in this append.
 */
export function rejudgeFacts(
  draft: SubjectDraft,
  context: SubjectContext,
  facts: readonly string[],
  ms: number,
  why: AcceptanceWithdrawn['why'] = 'restricted',
): void {
  const limits = limitsUsing(draft.state, context.law, facts);
  if (limits.size > 0) rejudge(draft, context.law, { instants: [ms], limits, reaches: 'onwards' });
  rejudgeHeld(draft, context, facts, why);
}

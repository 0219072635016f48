import { CodedError, isoInstant, type Finding } from '@headworks/kernel';
import { at, type CommandOf, type SubjectContext, type SubjectDraft } from '../subject/context';
import { dutiesNamed } from './derive';
import { endedInTime, isInTime, isOwed, type Duty } from './duty';
import { lenientBody, type Leniency } from './lenient-body';

/** More time, by the body that may give it, while the duty runs. */
export function extendDuty(
  { duty, times, reason, evidence }: CommandOf<'extend-duty'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  const { pack, clause } = mustBeOwed(draft, context, duty, 'extension');
  draft.push({
    type: 'DutyExtended',
    data: {
      duty,
      pack: pack.ref.pack,
      clause: clause.id,
      times,
      reason,
      ...(evidence !== undefined && { evidence }),
    },
    law: pack.ref,
  });
}

/** Nothing is owed any more, from then on. */
export function waiveDuty(
  { duty, reason, evidence }: CommandOf<'waive-duty'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  const { pack, clause } = mustBeOwed(draft, context, duty, 'waiver');
  draft.push({
    type: 'DutyWaived',
    data: {
      duty,
      pack: pack.ref.pack,
      clause: clause.id,
      reason,
      ...(evidence !== undefined && { evidence }),
    },
    law: pack.ref,
  });
}

/**
 * It has to be owed at the instant of the leniency, and somebody has to be able to give it. A late recording is judged
 * where it stands in law: a consequence that it overtakes is taken back by what follows.
 */
function mustBeOwed(draft: SubjectDraft, context: SubjectContext, id: string, what: Leniency): Duty {
  const [duty] = dutiesNamed(draft.state, context.law, [id]);
  if (!duty) throw new CodedError('not-found', 'There is no such duty here.');
  const { clause, pack } = duty;
  if (lenientBody(pack, clause, what) === undefined)
    throw refusal(duty, what, 'It names nobody who may give it.', []);
  const ms = at(context);
  const ended = endedInTime(duty);
  const isOver = (ended && ended.ms <= ms) || !isInTime(duty, ms) || ms < duty.startMs || !isOwed(duty, ms);
  if (!isOver) return duty;
  throw refusal(duty, what, "What was not owed then, ended or fell due can't be given more time.", [
    { fact: 'due', value: duty.clock.due?.at ?? null, from: { source: 'calendar', event: duty.startedBy } },
    { fact: 'occurred_at', value: isoInstant(ms), from: { source: 'payload' } },
  ]);
}

/** Nothing of it is recorded: nobody's right hangs on the asking. */
function refusal(
  { clause, pack }: Duty,
  what: Leniency,
  says: string,
  operands: Finding['operands'],
): CodedError {
  const { id, cite, rows } = clause;
  const finding: Finding = {
    ...{ clause: id, cite, rows, says, operands },
    status: 'violated',
    missing: [],
    binds: 'office',
  };
  const why = `The ${what} of ${id} (${cite}) of ${pack.ref.pack} is refused: ${says} Nothing was recorded.`;
  return new CodedError('refused', why, [], { findings: [finding] });
}

import { CodedError } from '@headworks/kernel';
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
  const about = { clause: clause.id, cite: clause.cite };
  if (lenientBody(pack, clause, what) === undefined) {
    const says = `The ${what} is not possible: ${clause.id} (${clause.cite}) names nobody who may give it.`;
    throw new CodedError('conflict', says, [], about);
  }
  const ms = at(context);
  const ended = endedInTime(duty);
  const isOver = (ended && ended.ms <= ms) || !isInTime(duty, ms) || ms < duty.startMs || !isOwed(duty, ms);
  if (!isOver) return duty;
  const says = `The ${what} is not possible: the duty of ${clause.id} (${clause.cite}) was not owed then. What ended or fell due can't be given more time.`;
  throw new CodedError('conflict', says, [], { ...about, due: duty.clock.due?.at ?? null });
}

import type { ThingRef } from '../events';
import { holderOf, isPermit } from '../permit/permit';
import type { SubjectState } from '../subject/subject';
import type { DeadlineClause } from './duty';

export interface Whose {
  readonly subject?: ThingRef;
  readonly responsible?: ThingRef;
}

/** A thing nobody registered is still named by its kind and the id of its stream. */
export const thingRef = ({ registered, stream }: SubjectState, kind: string): ThingRef =>
  registered
    ? { kind: registered.kind, key: registered.key }
    : { kind, key: stream.slice(stream.indexOf('-') + 1) };

/** On what a duty is owed, and who answers for it: the permit's holder, or the thing itself for whoever has it. */
export function answersFor(
  state: SubjectState,
  kind: string,
  { binds }: Pick<DeadlineClause, 'binds'>,
): Whose {
  if (isPermit(state)) {
    const holder = holderOf(state.file);
    return holder && binds === 'person' ? { responsible: holder } : {};
  }
  const subject = thingRef(state, kind);
  return binds === 'person' ? { subject, responsible: subject } : { subject };
}

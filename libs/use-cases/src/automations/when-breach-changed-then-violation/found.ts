import type { Breach, SubjectState, ThingRef } from '@headworks/domain';
import type { LawRef, StreamAt } from '@headworks/kernel';
import { idOf } from '../../models';

/** What the log says of one clause, thing and occasion. */
export interface Found {
  /** Where it is looked up: a load's findings and limits, a thing's duties, an act's own assessment. */
  readonly in: 'load' | 'duty' | 'act';
  readonly pack: string;
  readonly clause: string;
  readonly thing: string;
  /** Where the duty is at home, for one that was missed. */
  readonly stream?: string;
  readonly occasion: string;
  readonly breach: Breach;
  /** The text that it was found under. */
  readonly law?: LawRef;
  /** Heads that it was found on. */
  readonly basis: readonly StreamAt[];
}

export const headOf = ({ stream, revision }: StreamAt): StreamAt => ({ stream, revision });

/** A thing nobody registered is still named by its kind and the id of its stream. */
export function subjectRef({ registered, stream }: SubjectState, kind: string): ThingRef {
  if (registered) return { kind: registered.kind, key: registered.key };
  return { kind, key: idOf(stream) };
}

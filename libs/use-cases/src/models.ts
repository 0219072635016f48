import {
  evolveLaw,
  evolveLoad,
  evolveSubject,
  evolveViolation,
  newLaw,
  newLoad,
  newSubject,
  newViolation,
  type LawState,
  type LoadState,
  type SubjectState,
  type ViolationState,
} from '@headworks/domain';
import type { Model } from './stream-runner';

export const subjects: Model<SubjectState> = { initial: newSubject, evolve: evolveSubject };
export const loads: Model<LoadState> = { initial: newLoad, evolve: evolveLoad };
export const violations: Model<ViolationState> = { initial: newViolation, evolve: evolveViolation };
export const laws: Model<LawState> = { initial: newLaw, evolve: evolveLaw };

export const subjectStream = (id: string): string => `subject-${id}`;
export const loadStream = (id: string): string => `load-${id}`;
export const violationStream = (id: string): string => `violation-${id}`;
export const lawStream = (jurisdiction: string): string => `law-${jurisdiction}`;
/** The id in a stream's name. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

import {
  evolveLaw,
  evolveLoad,
  evolvePermit,
  evolveRegister,
  evolveSubject,
  evolveViolation,
  newLaw,
  newLoad,
  newPermit,
  newRegister,
  newSubject,
  newViolation,
  type LawState,
  type LoadState,
  type PermitState,
  type RegisterState,
  type SubjectState,
  type ViolationState,
} from '@headworks/domain';
import type { Model } from './stream-runner';

// Bytes as the heap was seen to grow with ten thousand of each: findings with their operands are most of a load.
export const subjects: Model<SubjectState> = {
  initial: newSubject,
  evolve: evolveSubject,
  bytes: ({ revision }) => 2048 + (revision + 1) * 3072,
};
export const permits: Model<PermitState> = {
  initial: newPermit,
  evolve: evolvePermit,
  bytes: ({ revision }) => 4096 + (revision + 1) * 3072,
};
export const registers: Model<RegisterState> = {
  initial: newRegister,
  evolve: evolveRegister,
  bytes: ({ drawn }) => 1024 + drawn * 512,
};
export const loads: Model<LoadState> = {
  initial: newLoad,
  evolve: evolveLoad,
  bytes: ({ findings }) => 4096 + findings.length * 1536,
};
export const violations: Model<ViolationState> = {
  initial: newViolation,
  evolve: evolveViolation,
  bytes: ({ revision }) => 4096 + (revision + 1) * 2048,
};
export const laws: Model<LawState> = {
  initial: newLaw,
  evolve: evolveLaw,
  bytes: ({ texts }) => [...texts.values()].reduce((sum, { text }) => sum + text.length, 4096),
};

export const subjectStream = (id: string): string => `subject-${id}`;
export const permitStream = (id: string): string => `permit-${id}`;
export const registerStream = (id: string): string => `register-${id}`;
export const loadStream = (id: string): string => `load-${id}`;
export const violationStream = (id: string): string => `violation-${id}`;
export const lawStream = (jurisdiction: string): string => `law-${jurisdiction}`;
/** The id in a stream's name. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/**
 * How a stream that acts, postings and reservations stand in is folded. A state is kept by its stream, so one stream
 * has one fold: what is done on any thing reads a permit by this.
 */
export const thingModel = (stream: string): Model<SubjectState> =>
  stream.startsWith('permit-') ? asThing(permits) : subjects;

/** A permit is folded from its own initial state alone: the wider fold is never handed another thing's. */
const asThing = (model: Model<PermitState>): Model<SubjectState> => model as unknown as Model<SubjectState>;

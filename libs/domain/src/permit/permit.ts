import { endOfDay, startOfDay } from '@headworks/calendars';
import { address, isoInstant, type LocalDate, type RecordedEvent } from '@headworks/kernel';
import type { ConsequenceReversed, Facts, RecordedInError, ThingRef } from '../events';
import { annulFacts, recordFacts, type FactTimeline } from '../facts';
import { compareKeys, insertSorted, legalKey, type LegalKey } from '../legal-order';
import { evolveManifests, noManifests, type Manifests } from '../manifest/standing';
import { evolveSubject, newSubject, type SubjectState } from '../subject/subject';
import type {
  ApplicationApproved,
  ApplicationDeemedApproved,
  ApplicationFiled,
  InformationReceived,
  PermitConditioned,
  PermitIssued,
  PermitNumbered,
  PermitRenewed,
} from './events';
import { isStep, phaseAfter, type PhaseName, type StepType } from './transitions';

/** A step of the file, in legal order: what a permit is, is read from its steps and from nothing else. */
export interface PermitStep {
  readonly type: StepType;
  readonly key: LegalKey;
  readonly event: string;
  readonly data: RecordedEvent['data'];
  /** Body and person who acted: some decisions are not for who did an earlier one. */
  readonly body?: string;
  readonly person?: string;
}

/**
 * What a permit is at an instant. The step that made it so is named; a suspended one is still issued, and not live. An
 * approval that is taken back before its issue is revoked or void too, and was never issued.
 */
export type Phase =
  | { readonly is: 'nothing' }
  | {
      readonly is:
        'filed' | 'awaiting_information' | 'complete' | 'approved' | 'denied' | 'not_renewed' | 'withdrawn';
      readonly step: PermitStep;
    }
  | {
      readonly is: 'issued' | 'suspended' | 'expired';
      readonly step: PermitStep;
      readonly issued: PermitIssued;
    }
  /** By silence: it gives leave as if it had been issued, where its days could be told. */
  | { readonly is: 'deemed_approved'; readonly step: PermitStep; readonly issued?: PermitIssued }
  | { readonly is: 'revoked' | 'voided'; readonly step: PermitStep; readonly issued?: PermitIssued };

export interface PermitFile {
  readonly steps: readonly PermitStep[];
  readonly filed?: ApplicationFiled;
  readonly number?: PermitNumbered;
  readonly renewedBy?: string;
}

/**
 * A permit, from its application on: a thing like any other (facts, acts, postings, reservations) with a file of steps.
 * An application's id is its permit's id.
 */
export interface PermitState extends SubjectState {
  readonly file: PermitFile;
  /** What was said of each manifest: submitted under it, accepted, ended. */
  readonly manifests: Manifests;
}

export const newPermit = (stream: string): PermitState => ({
  ...newSubject(stream),
  file: { steps: [] },
  manifests: noManifests,
});

/** Whether what is folded as a thing is a permit: its stream tells. */
export const isPermit = (state: SubjectState): state is PermitState => 'file' in state;

export function evolvePermit(state: PermitState, event: RecordedEvent): PermitState {
  const thing = evolveSubject(state, event);
  return {
    ...thing,
    facts: evolveFacts(thing.facts, event),
    file: evolveFile(state.file, event),
    manifests: evolveManifests(state.manifests, event),
  };
}

/** What an application brings, information adds and a decision sets holds from its instant on, as on any thing. */
function evolveFacts(facts: FactTimeline, event: RecordedEvent): FactTimeline {
  // What silence had fixed was fixed by nothing.
  if (event.type === 'ConsequenceReversed')
    return annulFacts(facts, (event.data as ConsequenceReversed).event);
  const told = factsOf(event);
  if (!told) return facts;
  const until = event.data['until'] as Readonly<Record<string, string>> | undefined;
  return recordFacts(facts, {
    facts: told,
    key: legalKey(event),
    event: address(event),
    ...(until && { until }),
  });
}

function factsOf({ type, data }: RecordedEvent): Facts | undefined {
  switch (type) {
    case 'ApplicationFiled':
      return (data as ApplicationFiled).facts;
    case 'InformationReceived':
      return (data as InformationReceived).facts;
    case 'ApplicationApproved':
    case 'ApplicationDeemedApproved':
    case 'PermitConditioned':
      return (data as ApplicationApproved | ApplicationDeemedApproved | PermitConditioned).sets;
    default:
      return undefined;
  }
}

/** The file alone, for whoever shows a list: it asks for nothing else of the permit. */
export function evolveFile(file: PermitFile, event: RecordedEvent): PermitFile {
  const { type, data } = event;
  if (isStep(type)) {
    const { by } = event.metadata;
    const step: PermitStep = {
      type,
      key: legalKey(event),
      event: address(event),
      data,
      ...(by?.body !== undefined && { body: by.body }),
      ...(by?.person !== undefined && { person: by.person }),
    };
    return {
      ...file,
      steps: insertSorted(file.steps, step, (a, b) => compareKeys(a.key, b.key)),
      ...(type === 'ApplicationFiled' && { filed: data as ApplicationFiled }),
    };
  }
  switch (type) {
    case 'PermitNumbered':
      return { ...file, number: data as PermitNumbered };
    case 'PermitRenewed':
      return { ...file, renewedBy: (data as PermitRenewed).by };
    case 'RecordedInError': {
      const { annuls } = data as RecordedInError;
      return withoutStep(file, annuls);
    }
    case 'ConsequenceReversed':
      return withoutStep(file, (data as ConsequenceReversed).event);
    default:
      return file;
  }
}

const withoutStep = (file: PermitFile, event: string): PermitFile => ({
  ...file,
  steps: file.steps.filter((step) => step.event !== event),
});

/** What the permit was at the instant, by the steps that had occurred; without one, by all that stand. */
export function phaseAt({ steps }: PermitFile, ms: number = Number.POSITIVE_INFINITY): Phase {
  let phase: Phase = { is: 'nothing' };
  for (const step of steps) {
    if (step.key.ms > ms) break;
    phase = after(phase, step);
  }
  return phase;
}

/**
 * A step that the table does not allow from the phase changes nothing: one that stands before it in law has overtaken
 * it, as a revocation that was recorded late overtakes all that followed.
 */
function after(phase: Phase, step: PermitStep): Phase {
  const is = phaseAfter(phase.is, step.type);
  if (is === undefined || (is === phase.is && step.type !== 'InformationRequested')) return phase;
  const before = 'issued' in phase ? phase.issued : undefined;
  const issued = issuedBy(step) ?? before;
  switch (is) {
    case 'nothing':
      return phase;
    case 'denied':
      return { is: step.data['notRenewed'] === true ? 'not_renewed' : is, step };
    case 'issued':
    case 'suspended':
    case 'expired':
      return issued ? { is, step, issued } : phase;
    case 'deemed_approved':
    case 'revoked':
    case 'voided':
      return issued ? { is, step, issued } : { is, step };
    case 'filed':
    case 'awaiting_information':
    case 'complete':
    case 'approved':
    case 'not_renewed':
    case 'withdrawn':
      return { is, step };
  }
}

/** Days and holder of the leave that the step gives. */
function issuedBy({ type, data }: PermitStep): PermitIssued | undefined {
  if (type === 'PermitIssued') return data as PermitIssued;
  const leave = type === 'ApplicationDeemedApproved' ? (data as ApplicationDeemedApproved).leave : undefined;
  return leave && { ...leave, findings: [] };
}

/** Whether the permit runs to the end of its validity, live or suspended. */
export const lasts = (
  phase: Phase,
): phase is Extract<Phase, { readonly issued?: PermitIssued }> & { readonly issued: PermitIssued } =>
  (phase.is === 'issued' || phase.is === 'suspended' || phase.is === 'deemed_approved') &&
  phase.issued !== undefined;

/** The instants between which an issued permit gives leave: `[fromMs, untilMs)`, without end where it has no last day. */
export function validBetween({ valid, zone }: PermitIssued): {
  readonly fromMs: number;
  readonly untilMs: number;
} {
  return {
    fromMs: startOfDay(zone, valid.from as LocalDate),
    untilMs: valid.until === null ? Number.POSITIVE_INFINITY : endOfDay(zone, valid.until as LocalDate),
  };
}

/** The instant at which its validity ends, as it is shown; null where it has no last day. */
export function endsAt(issued: PermitIssued): string | null {
  const { untilMs } = validBetween(issued);
  return Number.isFinite(untilMs) ? isoInstant(untilMs) : null;
}

/** Where its validity stands behind it, a permit has ended by derivation, whether that is written down yet or not. */
export function phaseNameAt(file: PermitFile, ms: number): PhaseName {
  const phase = phaseAt(file, ms);
  if (!lasts(phase)) return phase.is;
  if (ms < validBetween(phase.issued).untilMs) return phase.is;
  return phase.issued.then === 'void' ? 'voided' : 'expired';
}

/** Whether the permit gives leave at the instant: issued, not suspended, and inside its days. */
export function isLive(file: PermitFile, ms: number): boolean {
  const phase = phaseAt(file, ms);
  if (!lasts(phase) || phase.is === 'suspended') return false;
  const { fromMs, untilMs } = validBetween(phase.issued);
  return ms >= fromMs && ms < untilMs;
}

/** Who holds it, or would. */
export const holderOf = ({ filed }: PermitFile): ThingRef | undefined => filed?.applicant;

/** When a step of the type last occurred, by the instant. */
export const lastStep = (
  { steps }: PermitFile,
  type: StepType,
  ms: number = Number.POSITIVE_INFINITY,
): PermitStep | undefined => steps.findLast((step) => step.type === type && step.key.ms <= ms);

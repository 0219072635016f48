import { endOfDay, startOfDay } from '@headworks/calendars';
import { address, type LocalDate, type RecordedEvent } from '@headworks/kernel';
import type { RecordedInError, ThingRef } from '../events';
import { compareKeys, insertSorted, legalKey, type LegalKey } from '../legal-order';
import { evolveSubject, newSubject, type SubjectState } from '../subject/subject';
import type { ApplicationFiled, PermitIssued, PermitNumbered, PermitRenewed } from './events';

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

export const STEP_TYPES = [
  'ApplicationFiled',
  'InformationRequested',
  'InformationReceived',
  'ApplicationCompleted',
  'ApplicationApproved',
  'ApplicationDenied',
  'ApplicationWithdrawn',
  'PermitIssued',
  'PermitConditioned',
  'PermitSuspended',
  'PermitReinstated',
  'PermitRevoked',
  'PermitExpired',
  'PermitVoided',
] as const;
export type StepType = (typeof STEP_TYPES)[number];
const isStep = (type: string): type is StepType => (STEP_TYPES as readonly string[]).includes(type);

/** What a permit is at an instant. The step that made it so is named; a suspended one is still issued, and not live. */
export type Phase =
  | { readonly is: 'nothing' }
  | { readonly is: 'filed'; readonly step: PermitStep }
  | { readonly is: 'awaiting_information'; readonly step: PermitStep }
  | { readonly is: 'complete'; readonly step: PermitStep }
  | { readonly is: 'approved'; readonly step: PermitStep }
  | { readonly is: 'denied'; readonly step: PermitStep }
  | { readonly is: 'not_renewed'; readonly step: PermitStep }
  | { readonly is: 'withdrawn'; readonly step: PermitStep }
  | { readonly is: 'issued'; readonly step: PermitStep; readonly issued: PermitIssued }
  | { readonly is: 'suspended'; readonly step: PermitStep; readonly issued: PermitIssued }
  | { readonly is: 'revoked'; readonly step: PermitStep; readonly issued: PermitIssued }
  | { readonly is: 'expired'; readonly step: PermitStep; readonly issued: PermitIssued }
  | { readonly is: 'voided'; readonly step: PermitStep; readonly issued: PermitIssued };
export type PhaseName = Phase['is'];

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
}

export const newPermit = (stream: string): PermitState => ({ ...newSubject(stream), file: { steps: [] } });

export function evolvePermit(state: PermitState, event: RecordedEvent): PermitState {
  return { ...evolveSubject(state, event), file: evolveFile(state.file, event) };
}

function evolveFile(file: PermitFile, event: RecordedEvent): PermitFile {
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
      return { ...file, steps: file.steps.filter((step) => step.event !== annuls) };
    }
    default:
      return file;
  }
}

/** What the permit was at the instant, by the steps that had occurred; without one, by all that stand. */
export function phaseAt({ steps }: PermitFile, ms: number = Number.POSITIVE_INFINITY): Phase {
  let phase: Phase = { is: 'nothing' };
  for (const step of steps) {
    if (step.key.ms > ms) break;
    phase = after(phase, step);
  }
  return phase;
}

function after(phase: Phase, step: PermitStep): Phase {
  const issued = 'issued' in phase ? phase.issued : undefined;
  switch (step.type) {
    case 'ApplicationFiled':
      return { is: 'filed', step };
    case 'InformationRequested':
      return { is: 'awaiting_information', step };
    case 'InformationReceived':
      return phase.is === 'awaiting_information' ? { is: 'filed', step } : phase;
    case 'ApplicationCompleted':
      return { is: 'complete', step };
    case 'ApplicationApproved':
      return { is: 'approved', step };
    case 'ApplicationDenied':
      return { is: step.data['notRenewed'] === true ? 'not_renewed' : 'denied', step };
    case 'ApplicationWithdrawn':
      return { is: 'withdrawn', step };
    case 'PermitIssued':
      return { is: 'issued', step, issued: step.data as PermitIssued };
    case 'PermitConditioned':
      return phase;
    case 'PermitSuspended':
      return issued ? { is: 'suspended', step, issued } : phase;
    case 'PermitReinstated':
      return issued ? { is: 'issued', step, issued } : phase;
    case 'PermitRevoked':
      return issued ? { is: 'revoked', step, issued } : phase;
    case 'PermitExpired':
      return issued ? { is: 'expired', step, issued } : phase;
    case 'PermitVoided':
      return issued ? { is: 'voided', step, issued } : phase;
  }
}

/** The instants between which an issued permit gives leave: `[fromMs, untilMs)`. */
export function validBetween({ valid, zone }: PermitIssued): {
  readonly fromMs: number;
  readonly untilMs: number;
} {
  return {
    fromMs: startOfDay(zone, valid.from as LocalDate),
    untilMs: endOfDay(zone, valid.until as LocalDate),
  };
}

/** Whether the permit gives leave at the instant: issued, not suspended, and inside its days. */
export function isLive(file: PermitFile, ms: number): boolean {
  const phase = phaseAt(file, ms);
  if (phase.is !== 'issued') return false;
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

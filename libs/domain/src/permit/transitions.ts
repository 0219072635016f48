/** What can stand in a permit's file as a step, in the order in which it is usually taken. */
export const STEP_TYPES = [
  'ApplicationFiled',
  'InformationRequested',
  'InformationReceived',
  'ApplicationCompleted',
  'ApplicationApproved',
  'ApplicationDenied',
  'ApplicationDeemedApproved',
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
export const isStep = (type: string): type is StepType => (STEP_TYPES as readonly string[]).includes(type);

/** What a permit can be at an instant. A suspended one was issued, and gives no leave. */
export const PHASES = [
  'nothing',
  'filed',
  'awaiting_information',
  'complete',
  'approved',
  'deemed_approved',
  'denied',
  'not_renewed',
  'withdrawn',
  'issued',
  'suspended',
  'revoked',
  'expired',
  'voided',
] as const;
export type PhaseName = (typeof PHASES)[number];

export interface Transition {
  readonly event: StepType;
  /** Phases in which it may be taken; in every other it is refused, and a step found there changes nothing. */
  readonly from: readonly PhaseName[];
  /** What the permit is then; without it, what it was. */
  readonly to?: PhaseName;
  /** What makes of a phase another than `to`. */
  readonly except?: Partial<Record<PhaseName, PhaseName>>;
  /** Who takes it: a rule of the permit type, whoever applies, or the law by itself. */
  readonly by:
    'applicant' | 'reviewed_by' | 'decided_by' | 'issued_by' | 'suspended_by' | 'revoked_by' | 'the law';
}

/**
 * The one table of what may follow what: the deciders, the fold of a file, docs/permits.md and a test of every cell
 * come from it. Names are those of the routes.
 */
export const TRANSITIONS = {
  filing: { event: 'ApplicationFiled', from: ['nothing'], to: 'filed', by: 'applicant' },
  'information-requests': {
    event: 'InformationRequested',
    from: ['filed', 'awaiting_information', 'complete'],
    to: 'awaiting_information',
    by: 'reviewed_by',
  },
  // What comes unasked is put on file too; only what was waited for moves the file on.
  information: {
    event: 'InformationReceived',
    from: ['filed', 'awaiting_information', 'complete'],
    except: { awaiting_information: 'filed' },
    by: 'applicant',
  },
  completion: { event: 'ApplicationCompleted', from: ['filed'], to: 'complete', by: 'reviewed_by' },
  approval: { event: 'ApplicationApproved', from: ['filed', 'complete'], to: 'approved', by: 'decided_by' },
  denial: {
    event: 'ApplicationDenied',
    from: ['filed', 'awaiting_information', 'complete'],
    to: 'denied',
    by: 'decided_by',
  },
  // Silence, where the law lets it approve: the applicant may go ahead as if the permit had been issued that day.
  'deemed approval': {
    event: 'ApplicationDeemedApproved',
    from: ['filed', 'awaiting_information', 'complete'],
    to: 'deemed_approved',
    by: 'the law',
  },
  withdrawal: {
    event: 'ApplicationWithdrawn',
    from: ['filed', 'awaiting_information', 'complete', 'approved', 'deemed_approved'],
    to: 'withdrawn',
    by: 'applicant',
  },
  issuance: {
    event: 'PermitIssued',
    from: ['approved', 'deemed_approved'],
    to: 'issued',
    by: 'issued_by',
  },
  conditions: { event: 'PermitConditioned', from: ['issued', 'suspended'], by: 'decided_by' },
  suspension: { event: 'PermitSuspended', from: ['issued'], to: 'suspended', by: 'suspended_by' },
  reinstatement: { event: 'PermitReinstated', from: ['suspended'], to: 'issued', by: 'suspended_by' },
  // An approval that was not issued yet can be taken back too: nothing else would end it.
  revocation: {
    event: 'PermitRevoked',
    from: ['approved', 'deemed_approved', 'issued', 'suspended'],
    to: 'revoked',
    by: 'revoked_by',
  },
  voidance: {
    event: 'PermitVoided',
    from: ['approved', 'deemed_approved', 'issued', 'suspended'],
    to: 'voided',
    by: 'issued_by',
  },
  expiry: {
    event: 'PermitExpired',
    from: ['issued', 'suspended', 'deemed_approved'],
    to: 'expired',
    by: 'the law',
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type Transitions = keyof typeof TRANSITIONS;
/** Decisions that somebody takes on a file that stands. */
export type PermitDecision = Exclude<Transitions, 'filing' | 'expiry' | 'deemed approval'>;
export const PERMIT_DECISIONS = Object.keys(TRANSITIONS).filter(
  (name): name is PermitDecision => name !== 'filing' && name !== 'expiry' && name !== 'deemed approval',
);

export const transitionOf = (name: Transitions): Transition => TRANSITIONS[name];

const byEvent = new Map<StepType, Transition>(
  Object.values<Transition>(TRANSITIONS).map((transition) => [transition.event, transition]),
);

/** What the phase becomes by a step, or undefined where that step changes nothing in it. */
export function phaseAfter(phase: PhaseName, step: StepType): PhaseName | undefined {
  const transition = byEvent.get(step);
  if (!transition?.from.includes(phase)) return undefined;
  return transition.except?.[phase] ?? transition.to ?? phase;
}

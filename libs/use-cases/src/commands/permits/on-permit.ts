import {
  decidePermit,
  holderOf,
  type PermitCommand,
  type PermitState,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import { CodedError, isoInstant, subjectId, type ActedBy, type Finding } from '@headworks/kernel';
import { shownFinding } from '../../answers';
import {
  atMs,
  commandIdOf,
  envelopeFor,
  mustSee,
  type Request,
  type Services,
  type Timing,
} from '../../context';
import { mustSeeOf } from '../../holding';
import { permits, permitStream, subjects, subjectStream } from '../../models';
import type { Job, Outcome } from '../../stream-runner';

export const NO_PERMIT = 'There is no such permit here.';

/** The permit, where the caller may see it: another agency's, or another holder's, is as if it were not. */
export async function permitSeen(
  services: Services,
  request: Pick<Request, 'caller'>,
  id: string,
): Promise<{ readonly permit: PermitState; readonly jurisdiction: string }> {
  const permit = await services.runner.read(permits, permitStream(id));
  const { jurisdiction, file } = permit;
  mustSee(request.caller, file.filed && jurisdiction, NO_PERMIT);
  mustSeeOf(request.caller, [holderOf(file)], NO_PERMIT);
  return { permit, jurisdiction: jurisdiction ?? '' };
}

export interface OnPermit {
  readonly time: Timing;
  readonly jurisdiction: string;
  readonly by?: ActedBy;
  /** Who applies: needed only before the file says it. */
  readonly applicant?: ThingRef;
  readonly commandId?: string;
}

/** Decides on the permit's stream, with what is known of its holder as the log stands. */
export async function onPermit(
  services: Services,
  request: Request,
  id: string,
  command: PermitCommand,
  { time, jurisdiction, by, applicant, commandId: known }: OnPermit,
): Promise<Outcome<PermitState>> {
  const commandId = known ?? (await commandIdOf(services, request));
  const told = {
    commandId,
    occurred: atMs(time.ms),
    jurisdiction,
    ...(time.late && { late: time.late }),
    ...(by && { by }),
  };
  const job: Job<PermitState> = {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: async (state, envelope) => {
      // Read after the permit's own head: whoever changes the holder's facts later is asked by later decisions.
      const who = holderOf(state.file) ?? applicant;
      const holder = who && (await holderState(services, jurisdiction, who));
      const context = { law: services.rules, nowMs: request.receivedMs, envelope };
      return decidePermit(command, state, holder ? { ...context, holder } : context);
    },
  };
  const stream = permitStream(id);
  const asked = request.dryRun
    ? services.runner.preview(permits, stream, job)
    : services.runner.run(permits, stream, job);
  return asked.catch((error: unknown) => {
    throw withTexts(error);
  });
}

/** What the law refuses is told with the texts of its findings: a decider knows none. */
function withTexts(error: unknown): unknown {
  if (!(error instanceof CodedError) || error.code !== 'refused') return error;
  const findings = (error.details['findings'] as readonly Finding[]).map((one) => shownFinding(one));
  return new CodedError(error.code, error.message, error.faults, { ...error.details, findings });
}

export const holderState = (
  { runner }: Services,
  jurisdiction: string,
  { kind, key }: ThingRef,
): Promise<SubjectState> => runner.read(subjects, subjectStream(subjectId(jurisdiction, kind, key)));

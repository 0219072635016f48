import {
  decideThing,
  dutiesNamed,
  lenientBody,
  type PermitCommand,
  type SubjectCommand,
  type SubjectState,
} from '@headworks/domain';
import { CodedError, isoInstant, refuseFaults, type ActedBy, type Fault } from '@headworks/kernel';
import { shownFinding } from '../answers';
import {
  answeredBefore,
  atMs,
  commandIdOf,
  envelopeFor,
  mustBeAdopted,
  mustSee,
  timing,
  type Request,
  type Services,
} from '../context';
import { idOf, thingModel } from '../models';
import { NO_DUTY, type Home } from '../queries/duty';
import type { Job, Outcome } from '../stream-runner';
import { actedBy } from './do-act';
import { permitSeen } from './permits/on-permit';

/** What is said of one duty: more time, none at all, or of a consequence that calendars overtook. */
export type OnDuty = 'extension' | 'waiver' | 'reversal' | 'confirmation';

export interface OnDutyBody {
  readonly occurredAt?: string;
  readonly reason?: string;
  readonly evidence?: string;
  readonly by?: ActedBy;
  /** Of an extension: how often what the clause lets the body give at once. */
  readonly times?: number;
}

/** The thing or permit that a duty is at home with, where the caller may see it. */
export async function homeSeen(
  services: Services,
  request: Pick<Request, 'caller'>,
  { stream }: Pick<Home, 'stream'>,
): Promise<{ readonly home: SubjectState; readonly jurisdiction: string }> {
  if (stream.startsWith('permit-')) {
    const { permit, jurisdiction } = await permitSeen(services, request, idOf(stream));
    return { home: permit, jurisdiction };
  }
  const home = await services.runner.read(thingModel(stream), stream);
  mustSee(request.caller, home.jurisdiction, NO_DUTY);
  return { home, jurisdiction: home.jurisdiction };
}

export async function decideOnDuty(
  services: Services,
  request: Request,
  at: Home,
  what: OnDuty,
  body: OnDutyBody,
): Promise<Outcome<SubjectState>> {
  const { home, jurisdiction } = await homeSeen(services, request, at);
  const model = thingModel(at.stream);
  const before = await answeredBefore(services, request, model, () => at.stream);
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const by = bodyOf(services, request, home, { at, what, body });
  refuseFaults(faults, `The ${what}`);
  const commandId = await commandIdOf(services, request);
  const occurred = atMs(time.ms);
  const told = { commandId, occurred, jurisdiction, by, ...(time.late && { late: time.late }) };
  const command = commandOf(at.id, what, body);
  const nowMs = request.receivedMs;
  const job: Job<SubjectState> = {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(nowMs),
    deadline: request.deadline,
    decide: (state, envelope) => decideThing(command, state, { law: services.rules, nowMs, envelope }),
  };
  const { runner } = services;
  const asked = request.dryRun ? runner.preview(model, at.stream, job) : runner.run(model, at.stream, job);
  return asked.catch((error: unknown) => {
    throw withTexts(error);
  });
}

/** Leniency is the body's that the clause names; what becomes of a consequence is any officer's to say. */
function bodyOf(
  { rules }: Services,
  request: Request,
  home: SubjectState,
  { at, what, body }: { readonly at: Home; readonly what: OnDuty; readonly body: OnDutyBody },
): ActedBy {
  const [duty] = dutiesNamed(home, rules, [at.id]);
  const own = { person: request.caller.id, ...body.by };
  if (what === 'reversal' || what === 'confirmation') return own;
  if (!duty) throw new CodedError('not-found', NO_DUTY);
  // Where the clause names nobody the decider says so, with a finding.
  const named = lenientBody(duty.pack, duty.clause, what);
  return named === undefined ? own : actedBy(duty.pack, named, request, body.by, `The ${what}`);
}

function commandOf(
  duty: string,
  what: OnDuty,
  { reason = '', evidence, times = 1 }: OnDutyBody,
): SubjectCommand & PermitCommand {
  const said = { duty, reason, ...(evidence !== undefined && { evidence }) };
  switch (what) {
    case 'extension':
      return { type: 'extend-duty', times, ...said };
    case 'waiver':
      return { type: 'waive-duty', ...said };
    case 'reversal':
      return { type: 'reverse-consequence', duty, reason, evidence: evidence ?? '' };
    case 'confirmation':
      return { type: 'confirm-consequence', duty, reason, evidence: evidence ?? '' };
  }
}

/** What the law refuses is told with the texts of its findings: a decider knows none. */
function withTexts(error: unknown): unknown {
  if (!(error instanceof CodedError) || error.code !== 'refused') return error;
  const findings = (error.details['findings'] as Parameters<typeof shownFinding>[0][]).map((one) =>
    shownFinding(one),
  );
  return new CodedError(error.code, error.message, error.faults, { ...error.details, findings });
}

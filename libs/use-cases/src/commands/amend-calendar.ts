import type { Whom } from '@headworks/calendars';
import {
  decideAmendment,
  decideClosedDaysAnnulment,
  type CalendarAmended,
  type LawState,
} from '@headworks/domain';
import { CodedError, isoInstant, parseLocalDate, refuseFaults, type Fault } from '@headworks/kernel';
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
import { laws, lawStream } from '../models';
import type { Job, Outcome } from '../stream-runner';

export interface ClosedDayBody {
  readonly date: string;
  readonly name: string;
  readonly closedFor?: readonly Whom[];
}

export interface CalendarDaysBody {
  readonly days: readonly ClosedDayBody[];
  readonly occurredAt?: string;
  readonly reason?: string;
  readonly evidence?: string;
}

const WHOM: readonly Whom[] = ['public', 'staff', 'contractors'];

/** Closes days of a calendar: an event of the jurisdiction's law, by which everything is counted from then on. */
export async function amendCalendar(
  services: Services,
  request: Request,
  { jurisdiction, calendar }: { readonly jurisdiction: string; readonly calendar: string },
  body: CalendarDaysBody,
): Promise<Outcome<LawState>> {
  const known = services.rules.jurisdictions.has(jurisdiction) ? jurisdiction : undefined;
  mustSee(request.caller, known, `There is no jurisdiction '${jurisdiction}' here.`);
  const isLegal = calendarOf(services, jurisdiction, calendar) === 'legal';
  const stream = lawStream(jurisdiction);
  const before = await answeredBefore(services, request, laws, () => stream);
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const amended: CalendarAmended = {
    calendar,
    days: body.days.map((day, index) => closedDay(day, index, isLegal, faults)),
    reason: body.reason ?? '',
    evidence: body.evidence ?? '',
  };
  refuseFaults(faults, 'The days');
  const commandId = await commandIdOf(services, request);
  const by = { person: request.caller.id };
  const told = {
    commandId,
    occurred: atMs(time.ms),
    jurisdiction,
    by,
    ...(time.late && { late: time.late }),
  };
  const job: Job<LawState> = {
    commandId,
    envelope: envelopeFor(request, told),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: (state) => decideAmendment(amended, state),
  };
  if (request.dryRun) return services.runner.preview(laws, stream, job);
  const outcome = await services.runner.run(laws, stream, job);
  await takeLaw(services, stream);
  return outcome;
}

/** Takes back what one event closed: it counts from its own instant on, and is dated by nobody. */
export async function annulClosedDays(
  services: Services,
  request: Request,
  { jurisdiction, event }: { readonly jurisdiction: string; readonly event: string },
  { reason, evidence }: { readonly reason: string; readonly evidence: string },
): Promise<Outcome<LawState>> {
  const known = services.rules.jurisdictions.has(jurisdiction) ? jurisdiction : undefined;
  mustSee(request.caller, known, `There is no jurisdiction '${jurisdiction}' here.`);
  const stream = lawStream(jurisdiction);
  const before = await answeredBefore(services, request, laws, () => stream);
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const commandId = await commandIdOf(services, request);
  const by = { person: request.caller.id };
  const job: Job<LawState> = {
    commandId,
    envelope: envelopeFor(request, { commandId, occurred: atMs(request.receivedMs), jurisdiction, by }),
    receivedAt: isoInstant(request.receivedMs),
    deadline: request.deadline,
    decide: (state) => decideClosedDaysAnnulment({ annuls: event, reason, evidence }, state),
  };
  if (request.dryRun) return services.runner.preview(laws, stream, job);
  const outcome = await services.runner.run(laws, stream, job);
  await takeLaw(services, stream);
  return outcome;
}

/** What stands in the log of a law, with its positions: a decision's own events do not know theirs yet. */
export async function takeLaw({ book, store }: Services, stream: string): Promise<void> {
  for (const event of await store.readStream(stream)) book?.take(event);
}

/** As what the packs of the jurisdiction count by the calendar, or a fault that names those they do count by. */
function calendarOf({ rules }: Services, jurisdiction: string, id: string): 'legal' | 'office' {
  const found = new Map<string, 'legal' | 'office'>();
  for (const { calendars, jurisdiction: own } of [...rules.packs.values()].flat()) {
    if (own !== jurisdiction) continue;
    for (const office of [calendars.office, calendars.post]) if (office) found.set(office.id, 'office');
    // A day of legal holidays is closed for everyone, also where an office counts it with its own.
    for (const one of [calendars.legal, ...(calendars.legal?.includes ?? [])])
      if (one) found.set(one.id, 'legal');
  }
  const as = found.get(id);
  if (as) return as;
  const known = [...found.keys()].toSorted().join(', ') || 'none';
  throw new CodedError(
    'not-found',
    `The law of '${jurisdiction}' counts by no calendar '${id}'; it has ${known}.`,
  );
}

function closedDay(
  { date, name, closedFor }: ClosedDayBody,
  index: number,
  isLegal: boolean,
  faults: Fault[],
): CalendarAmended['days'][number] {
  const pointer = `/days/${index}`;
  if (!parseLocalDate(date)) {
    const detail = `'${date}' is no date: write a day of the calendar as 2027-07-03.`;
    faults.push({ pointer: `${pointer}/date`, code: 'no-date', detail });
  }
  if (isLegal && closedFor !== undefined) {
    const detail = 'A day among legal holidays is closed for everyone.';
    faults.push({ pointer: `${pointer}/closedFor`, code: 'not-here', detail, hint: 'leave closedFor out' });
  }
  const known: readonly string[] = WHOM;
  if (closedFor?.some((whom) => !known.includes(whom))) {
    const detail = `'closedFor' names ${closedFor.join(', ')}.`;
    const hint = `use ${known.join(', ')}, or leave it out`;
    faults.push({ pointer: `${pointer}/closedFor`, code: 'unknown-whom', detail, hint });
  }
  if (closedFor?.length === 0) {
    const detail = 'The day is closed for nobody.';
    faults.push({
      pointer: `${pointer}/closedFor`,
      code: 'nobody',
      detail,
      hint: 'name whom, or leave it out',
    });
  }
  return { date, name, closedFor: closedFor ?? 'everyone' };
}

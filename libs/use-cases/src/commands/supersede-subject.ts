import type { SubjectCommand, SubjectState } from '@headworks/domain';
import { localDateAt } from '@headworks/calendars';
import { parseLocalDate, refuseFaults, subjectId, type Fault, type Occurred } from '@headworks/kernel';
import { answeredBefore, mustBeAdopted, type Request, type Services } from '../context';
import { subjects, subjectStream } from '../models';
import type { Outcome } from '../stream-runner';
import { onSubject, subjectSeen } from './on-subject';

export interface SupersedeBody {
  readonly successors: readonly { readonly kind?: string; readonly key: string; readonly share?: string }[];
  readonly on: string;
  readonly reason: string;
}

/** Ends a split or merged thing: its successors take over what still counts. */
export async function supersedeSubject(
  services: Services,
  request: Request,
  kind: string,
  id: string,
  body: SupersedeBody,
): Promise<Outcome<SubjectState>> {
  const { jurisdiction } = await subjectSeen(services, request, kind, id);
  const before = await answeredBefore(services, request, subjects, () => subjectStream(id));
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = [];
  const occurred = dayOf(services, request, jurisdiction, body.on, faults);
  body.successors.forEach((successor, index) => {
    if (subjectId(jurisdiction, successor.kind ?? kind, successor.key) !== id) return;
    faults.push({
      pointer: `/successors/${index}/key`,
      code: 'itself',
      detail: 'A thing does not succeed itself.',
    });
  });
  refuseFaults(faults, 'The succession');
  const successors = body.successors.map((successor) => ({ kind, ...successor, key: successor.key.trim() }));
  const command: SubjectCommand = {
    type: 'supersede',
    successors,
    on: body.on,
    reason: body.reason,
    ...(occurred && { occurred }),
  };
  return onSubject(services, request, id, command, { time: { ms: request.receivedMs }, jurisdiction });
}

/** A succession is dated by its day where that is over; on the day itself it is known from now on. */
function dayOf(
  services: Services,
  request: Request,
  jurisdiction: string,
  on: string,
  faults: Fault[],
): Occurred | undefined {
  const date = parseLocalDate(on);
  const zone = services.rules.jurisdictions.get(jurisdiction)?.zone;
  if (!date) faults.push({ pointer: '/on', code: 'no-date', detail: `'${on}' is no date.` });
  if (!date || zone === undefined) return undefined;
  const today = localDateAt(zone, request.receivedMs);
  if (date > today) {
    faults.push({
      pointer: '/on',
      code: 'in-the-future',
      detail: `${on} is later than today (${today}).`,
      hint: 'record the succession once it has happened',
    });
  }
  return date < today ? { date, zone } : undefined;
}

import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { DutyItem } from '@headworks/read-models';

export interface ShownDuty extends DutyItem {
  readonly cite: string | null;
  readonly must: string | null;
}

/** What is kept in a calendar although nobody owes it any more: whoever has it there sees that it is over. */
const OVER: ReadonlySet<DutyItem['status']> = new Set(['met', 'met_late', 'waived', 'void']);

/**
 * Duties as days of a calendar (RFC 5545): one all-day event each, which keeps its UID and counts up when it moves. No
 * name, key or address of anybody is in it: a calendar is copied to places that nobody knows. Pure: the same duties are
 * the same bytes, whatever the machine's zone.
 */
export function dutyCalendar(
  duties: readonly ShownDuty[],
  { title, isSandbox }: { readonly title: string; readonly isSandbox: boolean },
): string {
  const calendar = ical({
    name: isSandbox ? `SANDBOX ${title}` : title,
    prodId: { company: 'Headworks', product: 'duties', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  for (const duty of duties) {
    const { due, id, sequence, changedAt } = duty;
    // While its clock stands still it is due on no day.
    if (!due?.date) continue;
    calendar.createEvent({
      id: `${id}@headworks`,
      // A date alone is read as midnight in UTC, and an all-day event is written by UTC.
      start: new Date(due.date),
      allDay: true,
      stamp: new Date(changedAt),
      lastModified: new Date(changedAt),
      sequence,
      status: OVER.has(duty.status) ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      transparency: ICalEventTransparency.TRANSPARENT,
      summary: `${isSandbox ? 'SANDBOX: ' : ''}${duty.must ?? duty.clause} (${duty.who})`,
      description: textOf(duty),
    });
  }
  return calendar.toString();
}

function textOf({ pack, clause, cite, status, permitId, subjectId, due, id }: ShownDuty): string {
  const hour = due?.elapsedAt ?? null;
  return [
    `${clause} of ${pack}${cite === null ? '' : ` (${cite})`}: ${status.replace('_', ' ')}`,
    ...(hour === null ? [] : [`By ${hour}; by the statute ${due?.at ?? ''}`]),
    ...(permitId === null ? [] : [`Permit ${permitId}`]),
    ...(subjectId === null ? [] : [`Thing ${subjectId}`]),
    `Duty ${id}`,
  ].join('\n');
}

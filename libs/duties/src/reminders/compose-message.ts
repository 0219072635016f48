import { offsetAt } from '@headworks/calendars';
import { OFFICE_LATE, type Notice } from '@headworks/domain';
import type { Pack } from '@headworks/rules-engine';
import type { Message } from './notifier';
import type { RemindedDuty } from './reminded-duty';

export interface Told {
  readonly id: string;
  readonly notice: Notice;
  readonly duty: RemindedDuty;
  readonly pack: Pack;
  /** Its moment passed while nobody was there to send it. */
  readonly isLate: boolean;
  readonly isSandbox: boolean;
}

/** The words of a reminder: whose duty, by when, under which clause. Nothing of a person stands in it. */
export function composeMessage({ id, notice, duty, pack, isLate, isSandbox }: Told): Message {
  const clause = pack.clauses.get(duty.clause);
  const must = clause?.deadline?.must ?? duty.clause;
  const who = pack.bodies.get(duty.who)?.name ?? nameOf(duty.responsible) ?? duty.who;
  const on = nameOf(duty.subject) ?? duty.stream.replace('-', ' ');
  const by = duty.due.date ?? localTime(pack.zone, duty.due.at);
  const overdue = notice.reminder === OFFICE_LATE;
  const lines = [
    ...(isSandbox ? ['SANDBOX: the time is virtual, and nothing of this is real.', ''] : []),
    overdue
      ? `${who} had to ${must} by the end of ${by} and has not done so.`
      : `${who} must ${must} by ${lastMoment(duty, pack.zone)}.`,
    '',
    `On: ${on}`,
    `Clause: ${duty.clause}, ${clause?.cite ?? ''} (${pack.ref.pack}, version ${pack.ref.version})`,
    `Duty: ${duty.duty}`,
    ...(isLate
      ? ['', `This should have come at ${localTime(pack.zone, notice.remindAt)}; it comes late.`]
      : []),
    '',
    overdue
      ? 'It binds the office. Nobody else is in breach by it.'
      : 'Whoever has done it meanwhile and recorded it need do nothing. A reminder is a courtesy: the law asks for none.',
  ];
  const what = overdue ? 'Overdue' : 'Reminder';
  return {
    id,
    subject: `${isSandbox ? 'SANDBOX: ' : ''}${what}: ${must}, ${overdue ? 'was due' : 'due'} ${by} (${duty.clause})`,
    text: `${lines.join('\n')}\n`,
    data: {
      ...{ duty: duty.duty, jurisdiction: duty.jurisdiction, pack: pack.ref.pack, clause: duty.clause },
      ...{ stream: duty.stream, reminder: notice.reminder, dueAt: notice.dueAt, dueOn: duty.due.date },
      ...{ to: notice.to, late: isLate, sandbox: isSandbox },
    },
  };
}

/** Days end with the day; hours with an instant, by the clock, since people act by the clock. */
const lastMoment = ({ due }: RemindedDuty, zone: string): string =>
  due.elapsedAt === null && due.date !== null
    ? `the end of ${due.date}`
    : localTime(zone, due.elapsedAt ?? due.at);

/** `2027-11-03 09:00 (America/Chicago)`: by the clock of those who read it. */
function localTime(zone: string, instant: string): string {
  const ms = Date.parse(instant);
  return `${new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 16).replace('T', ' ')} (${zone})`;
}

const nameOf = (thing: RemindedDuty['subject']): string | undefined =>
  thing ? `${thing.kind} ${thing.key}` : undefined;

import ICAL from 'ical.js';
import { dutyCalendar, type ShownDuty } from './duty-calendar';

const duty = (id: string, more: Partial<ShownDuty>): ShownDuty => ({
  id,
  jurisdiction: 'xx-fernhollow',
  stream: 'permit-p1',
  pack: 'fernhollow-weir',
  packVersion: '1',
  clause: 'decide',
  cite: 'par. 1',
  must: 'decide; or tell, "why not"',
  binds: 'office',
  who: 'moot',
  owedTo: 'applicant',
  subjectId: null,
  permitId: 'p1',
  loadId: null,
  subject: { kind: 'mill', key: 'KEY-OF-A-THING' },
  responsible: { kind: 'miller', key: 'KEY-OF-A-PERSON' },
  startedBy: 'permit-p1@0',
  due: { date: '2027-07-16', at: '2027-07-17T05:00:00.000Z', elapsedAt: null },
  pausedSince: null,
  status: 'open',
  metBy: null,
  metAt: null,
  outcome: 'deemed_approved',
  missed: null,
  reversedBy: null,
  sequence: 0,
  changedAt: '2027-07-01T15:00:00.000Z',
  ...more,
});

const on = (date: string, at: string, elapsedAt: string | null = null) => ({ due: { date, at, elapsedAt } });

/** Both clock changes, a leap day, the turn of a year, a date of hours, and every way to be over. */
const DUTIES: readonly ShownDuty[] = [
  duty('spring', on('2027-03-14', '2027-03-15T05:00:00.000Z')),
  duty('autumn', on('2027-11-07', '2027-11-08T06:00:00.000Z')),
  duty('leap', on('2028-02-29', '2028-03-01T06:00:00.000Z')),
  duty('year', { ...on('2027-12-31', '2028-01-01T06:00:00.000Z'), sequence: 3 }),
  duty('hours', on('2027-07-10', '2027-07-11T04:59:00.000Z', '2027-07-09T20:00:00.000Z')),
  ...(['met', 'met_late', 'waived', 'void', 'missed', 'contestable'] as const).map((status) =>
    duty(status, { status }),
  ),
  duty('paused', { due: null, status: 'paused' }),
];

const text = dutyCalendar(DUTIES, { title: 'Duties: Fernhollow', isSandbox: false });
const events = new ICAL.Component(ICAL.parse(text) as never[]).getAllSubcomponents('vevent').map((one) => {
  const { uid, startDate, sequence, summary } = new ICAL.Event(one);
  const status = one.getFirstPropertyValue('status');
  return `${uid} ${startDate.isDate ? startDate.toString() : 'an instant'} ${Number(sequence)} ${String(status)} ${summary}`;
});
/** A child process of its own zone writes what a parser reads there, and every byte. */
process.stdout.write(`${JSON.stringify({ zone: process.env['TZ'], events, text })}\n`);

import {
  parseAddress,
  parseLocalDate,
  type DerivationStep,
  type Due,
  type LocalDate,
} from '@headworks/kernel';
import type { Calendar, ExtraDay, Holiday, Whom } from './api';

const WHOM: readonly Whom[] = ['public', 'staff', 'contractors'];

/**
 * The calendar with days that an officer added (the events CalendarAmended that stand). The calendar's own days keep
 * their own reason: a day that is closed anyway is not closed by the officer. Pure: neither calendar knows the other.
 */
export function withExtraDays(calendar: Calendar, days: readonly ExtraDay[]): Calendar {
  if (days.length === 0) return calendar;
  days.forEach(checkDay);
  const everyone = new Map<LocalDate, Holiday>();
  const some = new Map<string, Holiday>();
  for (const day of days) {
    const { date, name, event, closedFor } = day;
    const holiday = { name, source: `entered by an officer (${event})`, event };
    if (closedFor === 'everyone' && !everyone.has(date)) everyone.set(date, holiday);
    for (const whom of closedFor === 'everyone' ? WHOM : closedFor) {
      if (!some.has(`${whom} ${date}`)) some.set(`${whom} ${date}`, holiday);
    }
  }
  return {
    ...calendar,
    amendedBy: [...new Set([...(calendar.amendedBy ?? []), ...days.map(({ event }) => event)])],
    holiday: (date) => calendar.holiday(date) ?? everyone.get(date),
    added: (date, whom) => calendar.added?.(date, whom) ?? some.get(`${whom} ${date}`),
  };
}

function checkDay({ date, name, event, closedFor }: ExtraDay): void {
  if (!parseLocalDate(date)) {
    throw new RangeError(`'${date}' is no date, so no office can be closed on it: write it as 2027-01-12`);
  }
  if (name.trim() === '')
    throw new RangeError(`Say why ${date} is closed: its name stands in every derivation`);
  if (!parseAddress(event)) {
    throw new RangeError(`'${event}' names no event: an added day is closed by the event that added it`);
  }
  if (closedFor !== 'everyone' && closedFor.length === 0) {
    throw new RangeError(`${date} is closed for nobody: name ${WHOM.join(', ')}, or everyone`);
  }
}

/**
 * What moved a due date: the steps of the later count that rest on an event and are not in the earlier one. Empty where
 * the dates are the same, or where no event moved them.
 */
export function movedBy(before: Due, after: Due): readonly DerivationStep[] {
  if (before.at === after.at) return [];
  const known = new Set((before.derivation ?? []).map(keyOf));
  return (after.derivation ?? []).filter((step) => step.event !== undefined && !known.has(keyOf(step)));
}

const keyOf = ({ on, event = '', counted }: DerivationStep): string => `${on} ${event} ${counted}`;

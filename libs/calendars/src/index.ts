export * from './api';
export { joinCalendars, parseCalendar, type CalendarMeta } from './calendar';
export { countBack } from './count-back';
export { countClock, countDue, countFixedDay, dueInstants, rolledDay, type DueInstants } from './count';
export { movedBy, withExtraDays } from './extra-days';
export { isInHours, isOpen, nextOpen, parseHours, type Hours } from './hours';
export { derivationMarkdown } from './markdown';
export { parsePeriod, periodText } from './period';
export { remindersOf, type Reminder } from './reminders';
export { nextSeason, seasonOn, type Season } from './season';
export {
  endOfDay,
  isZone,
  localDateAt,
  occurredMs,
  offsetAt,
  startOfDay,
  wallToInstant,
  type WallResult,
} from './zones';

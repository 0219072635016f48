export * from './api';
export { parseCalendar, type CalendarMeta } from './calendar';
export { countDue, countFixedDay, dueInstants, rolledDay, type DueInstants } from './count';
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

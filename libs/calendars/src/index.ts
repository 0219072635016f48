export * from './api';
export { parseCalendar, type CalendarMeta } from './calendar';
export { countDue, dueInstants, type DueInstants } from './count';
export {
  endOfDay,
  isZone,
  localDateAt,
  occurredMs,
  startOfDay,
  wallToInstant,
  type WallResult,
} from './zones';

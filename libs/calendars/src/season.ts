import { dateParts, monthDayIn, type LocalDate, type MonthDay } from '@headworks/kernel';

/** A window of the year in one year, both days in. */
export interface Season {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/**
 * The season that a date lies in, or undefined: `Oct 31 to Apr 30` of January 2028 began in 2027. Both named days belong
 * to it. It binds land or status, so its ends never move past a Sunday or a holiday.
 */
export function seasonOn(date: LocalDate, from: MonthDay, to: MonthDay): Season | undefined {
  const { year } = dateParts(date);
  const wraps = from.month * 100 + from.day > to.month * 100 + to.day;
  for (const begins of wraps ? [year - 1, year] : [year]) {
    const season = { from: monthDayIn(begins, from), to: monthDayIn(wraps ? begins + 1 : begins, to) };
    if (date >= season.from && date <= season.to) return season;
  }
  return undefined;
}

/** The first day after a date on which the season begins: the same date if it begins then. */
export function nextSeason(date: LocalDate, from: MonthDay): LocalDate {
  const { year } = dateParts(date);
  const here = monthDayIn(year, from);
  return here >= date ? here : monthDayIn(year + 1, from);
}

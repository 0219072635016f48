import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import type { Calendar } from '../api';
import { parseCalendar } from '../calendar';

const FOLDER = path.join(__dirname, '../../../../rules/calendars');

/** A calendar of this repository, with those that it includes. */
export function ruleCalendar(id: string): Calendar {
  const data = parse(readFileSync(path.join(FOLDER, `${id}.yaml`), 'utf8')) as { version: string };
  return parseCalendar(data, { id, version: data.version }, ruleCalendar);
}

/** An office that is shut at weekends and says nothing else. */
export const weekdaysOnly = parseCalendar(
  { holidays: [], closed: { days: ['Saturday', 'Sunday'], source: 'office hours' } },
  { id: 'office', version: '1' },
);

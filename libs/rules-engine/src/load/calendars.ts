import { parseCalendar, type Calendar } from '@headworks/calendars';
import { CodedError, nearest } from '@headworks/kernel';
import type { RawInForce } from '../source/raw';
import { validate } from '../source/validate';
import type { YamlFile } from '../source/yaml-file';
import type { RulesFolder } from './folder';
import type { Registry } from './registry';
import type { LoadedCalendar, Version } from './versions';

interface RawCalendar {
  readonly version: string;
  readonly in_force?: RawInForce;
  readonly jurisdictions?: readonly string[];
  readonly includes?: readonly string[];
}

/**
 * Calendars are read by their own library; its faults come back with their place in the file. One that includes others
 * is read after them: two that include each other are in nobody's order, and the first is told so.
 */
export function readCalendars(folder: RulesFolder, registry: Registry): ReadonlyMap<string, LoadedCalendar> {
  const files = new Map(folder.calendars.map(({ id, file }) => [id, file]));
  const loaded = new Map<string, LoadedCalendar>();
  const done = new Map<string, Calendar | undefined>();
  const read = (id: string): Calendar | undefined => {
    const file = files.get(id);
    if (!file || done.has(id)) return done.get(id);
    done.set(id, undefined);
    const calendar = readCalendar(id, file, registry, read);
    if (calendar) loaded.set(id, calendar);
    // What is wrong with a calendar is said in its own file, and not again wherever it is included.
    done.set(id, calendar?.calendar ?? { id, version: '', holiday: () => undefined });
    return done.get(id);
  };
  for (const id of files.keys()) read(id);
  // In the order of the folder: which file was read first is nobody's business.
  return new Map(
    [...files.keys()].flatMap((id) => {
      const calendar = loaded.get(id);
      return calendar ? [[id, calendar] as const] : [];
    }),
  );
}

function readCalendar(
  id: string,
  file: YamlFile,
  registry: Registry,
  calendarOf: (id: string) => Calendar | undefined,
): LoadedCalendar | undefined {
  if (file.data === undefined || !validate(file, 'calendar.schema.json', () => undefined)) return undefined;
  const raw = file.data as RawCalendar;
  for (const [index, name] of (raw.jurisdictions ?? []).entries()) {
    if (registry.jurisdictions.size === 0 || registry.jurisdictions.has(name)) continue;
    const near = nearest(name, registry.jurisdictions.keys());
    const advice = near ? `: did you mean '${near}'?` : '';
    file.problem(['jurisdictions', index], `the registry has no jurisdiction '${name}'${advice}`);
  }
  try {
    const calendar = parseCalendar(file.data, { id, version: raw.version }, calendarOf);
    return { calendar, file, inForce: raw.in_force ?? { from: 'unknown' } };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    for (const { pointer = '', detail, hint } of error.faults) {
      const path = pointer.split('/').slice(1);
      file.problem(path, `${detail}${hint ? `: ${hint}` : ''}`);
    }
    return undefined;
  }
}

/** Ids of a calendar and of all those whose days are its own too. */
export function idsOf(calendar: Calendar | undefined): readonly string[] {
  if (!calendar) return [];
  return [calendar.id, ...(calendar.includes ?? []).flatMap(idsOf)];
}

/** Whether a version of a pack counts by the calendar, itself or through one that includes it. */
export function countsBy(
  { raw }: Version,
  id: string,
  calendars: ReadonlyMap<string, LoadedCalendar>,
): boolean {
  return [raw.calendars?.legal, raw.calendars?.office, raw.calendars?.post].some((name) =>
    idsOf(calendars.get(name ?? '')?.calendar).includes(id),
  );
}

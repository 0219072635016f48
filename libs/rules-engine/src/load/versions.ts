import type { Calendar } from '@headworks/calendars';
import type { PackModel } from '../resolve/pack';
import type { RawInForce, RawPack } from '../source/raw';
import type { YamlFile } from '../source/yaml-file';
import type { PackFile } from './folder';
import type { LoadedSchedule } from './schedules';

/** A version that passed the schema; its names and types may still be wrong. */
export interface Version {
  readonly raw: RawPack;
  readonly entry: PackFile;
  readonly model: PackModel;
}
export interface LoadedCalendar {
  readonly calendar: Calendar;
  readonly file: YamlFile;
  readonly inForce: RawInForce;
}

/** What packs count by and what they name, by the names of their files. */
export interface Tables {
  readonly calendars: ReadonlyMap<string, LoadedCalendar>;
  readonly schedules: ReadonlyMap<string, LoadedSchedule>;
}

const startOf = ({ raw }: Version): string => (raw.in_force.from === 'unknown' ? '' : raw.in_force.from);
/** Oldest first; a text without a date comes before every dated one. */
export const byStart = (a: Version, b: Version): number => {
  if (startOf(a) !== startOf(b)) return startOf(a) < startOf(b) ? -1 : 1;
  return a.raw.version < b.raw.version ? -1 : 1;
};

/** On each day one text is in force, and its versions never overlap. */
export function refuseOverlaps(versions: readonly Version[]): void {
  versions.forEach((version, index) => {
    const before = versions[index - 1];
    if (!before) return;
    const { until } = before.raw.in_force;
    if (until !== undefined && until <= startOf(version)) return;
    version.entry.file.problem(
      ['in_force'],
      `version '${before.raw.version}' is still in force then: give it an 'until' of ${startOf(version) || 'some day'}`,
    );
  });
}

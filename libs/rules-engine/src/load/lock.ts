import { sha256Hex } from '@headworks/kernel';
import { countsBy } from './calendars';
import type { RulesFolder } from './folder';
import type { Registry } from './registry';
import type { LoadedCalendar, Version } from './versions';

/** Decisions stand on adopted texts: one that changed or went away would leave them standing on nothing. */
export function checkLock(
  folder: RulesFolder,
  registry: Registry,
  versions: readonly Version[],
  calendars: ReadonlyMap<string, LoadedCalendar>,
): void {
  const present = new Set(folder.packs.map(({ pack, version }) => `${pack}/${version}.yaml`));
  for (const name of folder.lock.keys()) {
    if (present.has(name) || name.startsWith('calendars/')) continue;
    folder.registry?.problem(
      [],
      `versions.lock names '${name}', which is not there: an adopted version stays for good, put it back`,
    );
  }
  const isAdopted = (pack: string): boolean => (registry.packs.get(pack)?.status ?? 'draft') !== 'draft';
  for (const { pack, version, file } of folder.packs) {
    if (!isAdopted(pack)) continue;
    const name = `${pack}/${version}.yaml`;
    const locked = folder.lock.get(name);
    const now = sha256Hex(file.text);
    if (locked === undefined) {
      file.problem([], `an adopted version stands in versions.lock: add the line '${now}  ${name}'`);
    } else if (locked !== now) {
      file.problem(
        [],
        'an adopted version never changes: put the text back, and write the change as a new version',
      );
    }
  }
  const adopted = versions.filter(({ entry }) => isAdopted(entry.pack));
  for (const [id, loaded] of calendars) {
    if (adopted.some((version) => countsBy(version, id, calendars))) checkCalendar(folder, id, loaded);
  }
}

/**
 * A due date names the version of the list it was counted by, so the days of a version never change. A calendar has one
 * file: the next version takes its place, and the lines of earlier ones stay in the lock.
 */
function checkCalendar({ lock }: RulesFolder, id: string, { calendar, file }: LoadedCalendar): void {
  const name = `calendars/${id}@${calendar.version}`;
  const locked = lock.get(name);
  const now = sha256Hex(file.text);
  if (locked === undefined) {
    file.problem([], `an adopted pack counts by this: add the line '${now}  ${name}' to versions.lock`);
  } else if (locked !== now) {
    file.problem(
      ['version'],
      `an adopted pack counts by version '${calendar.version}': give the changed text a new version`,
    );
  }
}

import { sha256Hex } from '@headworks/kernel';
import { countsBy } from './calendars';
import type { RulesFolder } from './folder';
import type { Registry } from './registry';
import type { YamlFile } from '../source/yaml-file';
import type { Tables, Version } from './versions';

/** Decisions stand on adopted texts: one that changed or went away would leave them standing on nothing. */
export function checkLock(
  folder: RulesFolder,
  registry: Registry,
  versions: readonly Version[],
  { calendars, schedules }: Tables,
): void {
  const present = new Set(folder.packs.map(({ pack, version }) => `${pack}/${version}.yaml`));
  for (const name of folder.lock.keys()) {
    if (present.has(name) || /^(calendars|schedules)\//.test(name)) continue;
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
    if (adopted.some((version) => countsBy(version, id, calendars))) {
      checkTable(
        folder,
        `calendars/${id}`,
        { version: loaded.calendar.version, file: loaded.file },
        'counts by',
      );
    }
  }
  for (const [id, { schedule, file }] of schedules) {
    if (adopted.some(({ model }) => model.schedules.has(id))) {
      checkTable(folder, `schedules/${id}`, { version: schedule.version, file }, 'names');
    }
  }
}

/**
 * A due date names the version of the list it was counted by, and a fee that of its schedule, so what a version says never
 * changes. Each has one file: the next version takes its place, and the lines of earlier ones stay in the lock.
 */
function checkTable(
  { lock }: RulesFolder,
  name: string,
  { version, file }: { readonly version: string; readonly file: YamlFile },
  how: string,
): void {
  const line = `${name}@${version}`;
  const locked = lock.get(line);
  const now = sha256Hex(file.text);
  if (locked === undefined) {
    file.problem([], `an adopted pack ${how} this: add the line '${now}  ${line}' to versions.lock`);
  } else if (locked !== now) {
    file.problem(
      ['version'],
      `an adopted pack ${how} version '${version}': give the changed text a new version`,
    );
  }
}

import { isZone } from '@headworks/calendars';
import { nearest } from '@headworks/kernel';
import type { RuleSet } from '../api';
import { resolvePack } from '../resolve/pack';
import { placeName, type Schedules } from '../resolve/scope';
import { inOrder, RuleErrors, type Problem } from '../source/problem';
import type { RawPack } from '../source/raw';
import { validate } from '../source/validate';
import type { YamlFile } from '../source/yaml-file';
import { readCalendars } from './calendars';
import { checkClaims, checkGaps, coverageOf, type Coverage } from './claims';
import { checkElsewhere } from './elsewhere';
import { readFolder, type PackFile, type RulesFolder } from './folder';
import { checkLock } from './lock';
import { readRegistry, readRows, type Registry } from './registry';
import { ruleSet } from './rule-set';
import { readSchedules } from './schedules';
import { byStart, refuseOverlaps, type Version } from './versions';

export interface Checked {
  readonly problems: readonly Problem[];
  readonly coverage: readonly Coverage[];
  /** The rules, where there is no problem. */
  readonly rules: RuleSet | undefined;
  readonly folder: RulesFolder;
}

/** Loads a rules directory, or throws `RuleErrors` with everything that is wrong in it. */
export function loadRules(dir: string): RuleSet {
  const { rules, problems } = checkFolder(dir);
  if (!rules) throw new RuleErrors(problems);
  return rules;
}

/** Checks a rules directory: every problem in it, and how much of the law each pack holds. */
export function checkRules(dir: string): {
  readonly problems: readonly Problem[];
  readonly packs: readonly Coverage[];
} {
  const { problems, coverage } = checkFolder(dir);
  return { problems, packs: coverage };
}

export function checkFolder(dir: string): Checked {
  const folder = readFolder(dir);
  const registry = readRegistry(folder.registry);
  const rows = readRows(folder.rows, registry);
  const calendars = readCalendars(folder, registry);
  // One that can't be read is there all the same: what is wrong with it is said once, where it stands.
  const calendarIds = new Set(folder.calendars.map(({ id }) => id));
  const schedules = readSchedules(folder, registry);
  const byId = new Map(folder.schedules.map(({ id }) => [id, schedules.get(id)?.schedule]));
  const versions = folder.packs.flatMap((entry) => readVersion(entry, registry, calendarIds, byId) ?? []);
  const byPack = new Map<string, readonly Version[]>();
  for (const id of registry.packs.keys()) {
    const own = versions.filter(({ entry }) => entry.pack === id).sort(byStart);
    refuseOverlaps(own);
    if (rows.size > 0) own.forEach(({ entry, raw }) => checkClaims(entry, raw, rows));
    byPack.set(id, own);
  }
  checkElsewhere(byPack, registry);
  checkLock(folder, registry, versions, { calendars, schedules });
  checkFolders(folder, registry);
  if (folder.rows) checkGaps(folder.rows, rows, newestOf(byPack), brokenPacks(folder, versions));
  const problems = inOrder([...folder.problems, ...filesOf(folder).flatMap((file) => file.problems)]);
  return {
    problems,
    coverage: [...registry.packs.keys()].map((id) => coverageOf(id, byPack.get(id)?.at(-1)?.model, rows)),
    rules: problems.length === 0 ? ruleSet(registry, byPack, { calendars, schedules }) : undefined,
    folder,
  };
}

/** Every file that was read but those of cases, which are for tests and not for running. */
const filesOf = (folder: RulesFolder): readonly YamlFile[] => [
  ...(folder.registry ? [folder.registry] : []),
  ...(folder.rows ? [folder.rows] : []),
  ...folder.calendars.map(({ file }) => file),
  ...folder.schedules.map(({ file }) => file),
  ...folder.packs.map(({ file }) => file),
];

/** Packs with a file that can't be read: what they would claim is not known, so nothing is said to be forgotten. */
function brokenPacks(folder: RulesFolder, versions: readonly Version[]): ReadonlySet<string> {
  const read = new Set(versions.map(({ entry }) => entry));
  return new Set(folder.packs.filter((entry) => !read.has(entry)).map(({ pack }) => pack));
}

function newestOf(byPack: ReadonlyMap<string, readonly Version[]>): ReadonlyMap<string, RawPack> {
  return new Map(
    [...byPack].flatMap(([id, versions]) => {
      const newest = versions.at(-1);
      return newest ? [[id, newest.raw] as const] : [];
    }),
  );
}

/** Shape first: names and types are looked at only where the shape is certain. */
function readVersion(
  entry: PackFile,
  registry: Registry,
  calendars: ReadonlySet<string>,
  schedules: Schedules,
): Version | undefined {
  const { file } = entry;
  if (file.data === undefined) return undefined;
  if (!validate(file, 'pack.schema.json', (path) => placeName(file.data, path))) return undefined;
  const raw = file.data as RawPack;
  checkPlace(entry, raw, registry, calendars);
  return { raw, entry, model: resolvePack(file, raw, schedules) };
}

/** What a pack says of itself must agree with where it stands and with the registry. */
function checkPlace(
  { file, pack, version }: PackFile,
  raw: RawPack,
  registry: Registry,
  calendars: ReadonlySet<string>,
): void {
  if (raw.pack !== pack) file.problem(['pack'], `the folder is '${pack}', but the file says '${raw.pack}'`);
  if (raw.version !== version) {
    file.problem(['version'], `the file is named ${version}.yaml, but it says version '${raw.version}'`);
  }
  const row = registry.packs.get(pack);
  if (row && row.jurisdiction !== raw.jurisdiction) {
    file.problem(
      ['jurisdiction'],
      `the registry gives '${row.jurisdiction}', but the file says '${raw.jurisdiction}'`,
    );
  }
  const zone = registry.jurisdictions.get(raw.jurisdiction)?.zone ?? '';
  if (zone !== raw.time_zone && isZone(zone) && isZone(raw.time_zone)) {
    file.problem(
      ['time_zone'],
      `'${raw.jurisdiction}' lives by ${zone}, but the file says '${raw.time_zone}'`,
    );
  }
  for (const key of ['legal', 'office', 'post'] as const) {
    const id = raw.calendars?.[key];
    if (id === undefined || calendars.has(id)) continue;
    const near = nearest(id, calendars);
    file.problem(
      ['calendars', key],
      `there is no calendars/${id}.yaml${near ? `: did you mean '${near}'?` : ''}`,
    );
  }
}

/** A folder that the registry does not know would be law that nobody answers for. */
function checkFolders(folder: RulesFolder, registry: Registry): void {
  if (!folder.registry || registry.packs.size === 0) return;
  for (const name of folder.folders) {
    if (registry.packs.has(name)) continue;
    folder.registry.problem(
      ['packs'],
      `the folder '${name}' has no row here: add one with its title and jurisdiction`,
      {
        key: true,
      },
    );
  }
}

import { parseLocalDate, sha256Hex, type LocalDate } from '@headworks/kernel';
import type { Pack, RuleFile, RuleSet } from '../api';
import type { PackLookup } from '../compile/context';
import { compilePack } from '../pack';
import type { RawInForce } from '../source/raw';
import { countsBy } from './calendars';
import type { Registry } from './registry';
import type { LoadedSchedule } from './schedules';
import type { LoadedCalendar, Tables, Version } from './versions';

/** Compiles what passed every check into one consistent set. */
export function ruleSet(
  registry: Registry,
  byPack: ReadonlyMap<string, readonly Version[]>,
  { calendars, schedules }: Tables,
): RuleSet {
  const packs = new Map<string, readonly Pack[]>();
  const files: RuleFile[] = [];
  const packOn: PackLookup = (pack, date) => packs.get(pack)?.findLast((version) => isInForce(version, date));
  for (const [id, versions] of byPack) {
    if (versions.length === 0) continue;
    packs.set(
      id,
      versions.map((version) => compileVersion(version, calendars, packOn)),
    );
    files.push(...versions.map((version) => packFile(version, registry)));
  }
  const used = [...byPack.values()].flat();
  const { jurisdictions } = registry;
  const isAdopted = ({ entry }: Version): boolean => registry.packs.get(entry.pack)?.status === 'adopted';
  for (const [id, loaded] of calendars) {
    const by = used.filter((version) => countsBy(version, id, calendars));
    files.push(calendarFile(id, loaded, by, by.some(isAdopted) ? 'adopted' : 'draft'));
  }
  for (const [id, loaded] of schedules) {
    const by = used.filter(({ model }) => model.schedules.has(id));
    files.push(scheduleFile(id, loaded, by, by.some(isAdopted) ? 'adopted' : 'draft'));
  }
  return {
    jurisdictions,
    packs,
    calendars: new Map([...calendars].map(([id, { calendar }]) => [id, calendar])),
    files,
    packOn,
  };
}

function compileVersion(
  { raw, model, entry }: Version,
  calendars: ReadonlyMap<string, LoadedCalendar>,
  elsewhere: PackLookup,
): Pack {
  const legal = calendars.get(raw.calendars?.legal ?? '')?.calendar;
  const office = calendars.get(raw.calendars?.office ?? '')?.calendar;
  const post = calendars.get(raw.calendars?.post ?? '')?.calendar;
  return compilePack({
    model,
    ref: { pack: raw.pack, version: raw.version, sha256: sha256Hex(entry.file.text) },
    calendars: { ...(legal ? { legal } : {}), ...(office ? { office } : {}), ...(post ? { post } : {}) },
    elsewhere,
  });
}

/** From its first day on, up to but not including `until`. */
function isInForce({ inForce }: Pack, date: LocalDate): boolean {
  const begun = inForce.from === 'unknown' || inForce.from <= date;
  return begun && (inForce.until === undefined || date < inForce.until) && parseLocalDate(date) !== undefined;
}

function packFile({ raw, entry }: Version, registry: Registry): RuleFile {
  return {
    kind: 'pack',
    id: raw.pack,
    version: raw.version,
    jurisdictions: [raw.jurisdiction],
    status: registry.packs.get(raw.pack)?.status ?? 'draft',
    sha256: sha256Hex(entry.file.text),
    text: entry.file.text,
    inForce: span(raw.in_force),
    path: `${entry.pack}/${entry.version}.yaml`,
  };
}

/** A calendar is adopted by every jurisdiction whose packs count by it, or by one that includes it. */
function calendarFile(
  id: string,
  { file, calendar, inForce }: LoadedCalendar,
  by: readonly Version[],
  status: RuleFile['status'],
): RuleFile {
  return {
    kind: 'calendar',
    id,
    version: calendar.version,
    jurisdictions: [...new Set(by.map(({ raw }) => raw.jurisdiction))],
    status,
    sha256: sha256Hex(file.text),
    text: file.text,
    inForce: span(inForce),
    path: `calendars/${id}.yaml`,
  };
}

/** A schedule is adopted by every jurisdiction whose packs name it. */
function scheduleFile(
  id: string,
  { file, schedule, inForce }: LoadedSchedule,
  by: readonly Version[],
  status: RuleFile['status'],
): RuleFile {
  return {
    kind: 'schedule',
    id,
    version: schedule.version,
    jurisdictions: [...new Set(by.map(({ raw }) => raw.jurisdiction))],
    status,
    sha256: sha256Hex(file.text),
    text: file.text,
    inForce: span(inForce),
    path: `schedules/${id}.yaml`,
  };
}

const span = ({ from, until }: RawInForce): RuleFile['inForce'] => ({
  from,
  ...(until === undefined ? {} : { until }),
});

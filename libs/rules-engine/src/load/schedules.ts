import { nearest, parseLocalDate, parseQuantity, type LocalDate, type Quantity } from '@headworks/kernel';
import { describeKind } from '../model/types';
import type { Amount, Schedule, ScheduleEntry, ScheduleItem } from '../model/schedule';
import type { RawAmount, RawInForce } from '../source/raw';
import { validate } from '../source/validate';
import type { Path, YamlFile } from '../source/yaml-file';
import type { RulesFolder } from './folder';
import type { Registry } from './registry';

interface RawItem {
  readonly says: string;
  readonly amount?: RawAmount;
  readonly dated?: readonly { readonly from: string; readonly amount: RawAmount }[];
}
interface RawSchedule {
  readonly schedule: string;
  readonly version: string;
  readonly title: string;
  readonly in_force?: RawInForce;
  readonly jurisdictions?: readonly string[];
  readonly items: Readonly<Record<string, RawItem>>;
}

export interface LoadedSchedule {
  readonly schedule: Schedule;
  readonly file: YamlFile;
  readonly inForce: RawInForce;
}

/** Tables of amounts; what is wrong with one is said in its own file. */
export function readSchedules(folder: RulesFolder, registry: Registry): ReadonlyMap<string, LoadedSchedule> {
  return new Map(
    folder.schedules.flatMap(({ id, file }) => {
      const loaded = readSchedule(id, file, registry);
      return loaded ? [[id, loaded] as const] : [];
    }),
  );
}

function readSchedule(id: string, file: YamlFile, registry: Registry): LoadedSchedule | undefined {
  if (file.data === undefined || !validate(file, 'schedule.schema.json', () => undefined)) return undefined;
  const raw = file.data as RawSchedule;
  if (raw.schedule !== id) {
    file.problem(['schedule'], `the file is named ${id}.yaml, but it says '${raw.schedule}'`);
  }
  for (const [index, name] of (raw.jurisdictions ?? []).entries()) {
    if (registry.jurisdictions.size === 0 || registry.jurisdictions.has(name)) continue;
    const near = nearest(name, registry.jurisdictions.keys());
    const advice = near ? `: did you mean '${near}'?` : '';
    file.problem(['jurisdictions', index], `the registry has no jurisdiction '${name}'${advice}`);
  }
  const items = new Map<string, ScheduleItem>();
  for (const [name, item] of Object.entries(raw.items)) {
    const entries = entriesOf(file, item, ['items', name]);
    checkKinds(file, entries, ['items', name]);
    items.set(name, { says: item.says, entries });
  }
  const schedule = { id, version: raw.version, title: raw.title, items };
  return { schedule, file, inForce: raw.in_force ?? { from: 'unknown' } };
}

/** One amount of every day, or several in the order of the days from which they hold. */
function entriesOf(file: YamlFile, raw: RawItem, path: Path): readonly ScheduleEntry[] {
  if (raw.amount !== undefined) {
    const amount = amountOf(file, raw.amount, [...path, 'amount']);
    return amount ? [{ amount }] : [];
  }
  let last = '';
  return (raw.dated ?? []).flatMap(({ from, amount: text }, index): ScheduleEntry[] => {
    const at = [...path, 'dated', index];
    if (!parseLocalDate(from)) file.problem([...at, 'from'], `'${from}' is no date`);
    else if (from <= last)
      file.problem([...at, 'from'], `${from} does not come after ${last}: write the oldest first`);
    last = from;
    const amount = amountOf(file, text, [...at, 'amount']);
    return amount ? [{ from: from as LocalDate, amount }] : [];
  });
}

/** An amount as a file writes it; undefined where something in it was reported. */
function amountOf(file: YamlFile, raw: RawAmount, path: Path): Amount | undefined {
  const figure = (text: string, at: Path): Quantity | undefined => {
    const parsed = parseQuantity(text);
    if (parsed.ok) return parsed.value;
    file.problem(at, `${parsed.why}: write an amount such as $50`);
    return undefined;
  };
  if (typeof raw === 'string') {
    const value = figure(raw, path);
    return value && { is: 'figure', value, shown: raw };
  }
  if ('missing' in raw) return { is: 'missing', missing: raw.missing, keptBy: raw.kept_by };
  if ('schedule' in raw) {
    file.problem(path, 'a schedule holds the amount itself, and does not name another');
    return undefined;
  }
  const least = raw.at_least === undefined ? undefined : figure(raw.at_least, [...path, 'at_least']);
  const most = raw.at_most === undefined ? undefined : figure(raw.at_most, [...path, 'at_most']);
  return { is: 'range', ...(least ? { least } : {}), ...(most ? { most } : {}) };
}

/** One item measures one thing: a sum of money does not become a rate on New Year's day. */
function checkKinds(file: YamlFile, entries: readonly ScheduleEntry[], path: Path): void {
  const figures = entries.flatMap(({ amount }) => (amount.is === 'figure' ? [amount] : []));
  const first = figures[0];
  const other = first && figures.find(({ value }) => value.kind !== first.value.kind);
  if (!first || !other) return;
  const [a, b] = [first, other].map(({ value }) => describeKind(value.kind, value.unit));
  file.problem(path, `'${first.shown}' is ${a}, but '${other.shown}' is ${b}: one item is of one kind`, {
    key: true,
  });
}

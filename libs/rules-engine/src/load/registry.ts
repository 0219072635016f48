import { isZone } from '@headworks/calendars';
import { nearest } from '@headworks/kernel';
import type { Jurisdiction, RuleFile } from '../api';
import { isYes, type YesNo } from '../source/raw';
import { validate } from '../source/validate';
import type { YamlFile } from '../source/yaml-file';

export interface RegistryRow {
  readonly id: string;
  readonly title: string;
  readonly jurisdiction: string;
  readonly status: RuleFile['status'];
}
export interface Registry {
  readonly jurisdictions: ReadonlyMap<string, Jurisdiction>;
  readonly packs: ReadonlyMap<string, RegistryRow>;
}
export interface LawRow {
  readonly id: string;
  readonly pack: string;
  readonly later: boolean;
  readonly index: number;
}

const NONE: Registry = { jurisdictions: new Map(), packs: new Map() };

/** Who rules where, and the packs with their standing; empty where the file can not be read. */
export function readRegistry(file: YamlFile | undefined): Registry {
  if (!file || file.data === undefined || !validate(file, 'registry.schema.json', () => undefined))
    return NONE;
  const raw = file.data as { jurisdictions: readonly Jurisdiction[]; packs: readonly RegistryRow[] };
  const jurisdictions = new Map<string, Jurisdiction>();
  raw.jurisdictions.forEach((one, index) => {
    if (jurisdictions.has(one.id))
      file.problem(['jurisdictions', index, 'id'], `'${one.id}' stands here twice`);
    if (!isZone(one.zone)) file.problem(['jurisdictions', index, 'zone'], `'${one.zone}' is no time zone`);
    checkBounds(file, one, index);
    jurisdictions.set(one.id, one);
  });
  const packs = new Map<string, RegistryRow>();
  raw.packs.forEach((row, index) => {
    if (packs.has(row.id)) file.problem(['packs', index, 'id'], `'${row.id}' stands here twice`);
    if (!jurisdictions.has(row.jurisdiction)) {
      const near = nearest(row.jurisdiction, jurisdictions.keys());
      const advice = near ? `: did you mean '${near}'?` : '';
      file.problem(
        ['packs', index, 'jurisdiction'],
        `there is no jurisdiction '${row.jurisdiction}'${advice}`,
      );
    }
    packs.set(row.id, row);
  });
  return { jurisdictions, packs };
}

/** Bounds catch swapped coordinates later, so they must not be swapped themselves. */
function checkBounds(file: YamlFile, { bounds }: Jurisdiction, index: number): void {
  if (!bounds) return;
  const [west, south, east, north] = bounds;
  const ordered = west < east && south < north;
  if (ordered && west >= -180 && east <= 180 && south >= -90 && north <= 90) return;
  file.problem(['jurisdictions', index, 'bounds'], 'bounds are [west, south, east, north] in degrees');
}

/** The acceptance list by row id. */
export function readRows(file: YamlFile | undefined, registry: Registry): ReadonlyMap<string, LawRow> {
  const rows = new Map<string, LawRow>();
  if (!file || file.data === undefined || !validate(file, 'rows.schema.json', () => undefined)) return rows;
  const raw = file.data as readonly { id: string; pack: string; later?: YesNo }[];
  raw.forEach(({ id, pack, later }, index) => {
    if (rows.has(id)) file.problem([index, 'id'], `the row '${id}' stands here twice`);
    if (registry.packs.size > 0 && !registry.packs.has(pack)) {
      const near = nearest(pack, registry.packs.keys());
      file.problem(
        [index, 'pack'],
        `the registry has no pack '${pack}'${near ? `: did you mean '${near}'?` : ''}`,
      );
    }
    rows.set(id, { id, pack, later: isYes(later), index });
  });
  return rows;
}

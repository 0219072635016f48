import { nearest } from '@headworks/kernel';
import type { FactDef } from '../api';
import type { Elsewhere, Formula } from '../model/ir';
import type { Schedule, ScheduleItem } from '../model/schedule';
import type { ValueType } from '../model/types';
import { isYes, type RawPack } from '../source/raw';
import type { Path, YamlFile } from '../source/yaml-file';

/** The word for a permit where the kind of a thing stands: acts are done on one, limits are counted on one. */
export const PERMIT = 'permit';

export type Schedules = ReadonlyMap<string, Schedule | undefined>;

export interface FactSymbol {
  readonly def: FactDef;
  readonly type: ValueType;
  readonly slot: number;
}
export interface DerivedSymbol {
  readonly name: string;
  readonly slot: number;
  state: 'waiting' | 'busy' | 'done';
  formula?: Formula;
}

/** What the names in one pack mean, and where to report what is wrong with them. */
export class Scope {
  readonly facts = new Map<string, FactSymbol>();
  readonly derived = new Map<string, DerivedSymbol>();
  readonly clauseIndex = new Map<string, number>();
  /** Where clauses of other packs are asked for: they are looked up when all packs have been read. */
  readonly elsewhere: { readonly path: Path; readonly condition: Elsewhere }[] = [];
  readonly usedSchedules = new Set<string>();
  /** Amounts that the pack names and nobody has given. */
  readonly missingItems = new Set<string>();
  /** Names that something reads, shows or records: what stays outside is declared for nothing. */
  readonly used = new Set<string>();
  /** Facts that were declared wrongly: that is said once, where they are declared. */
  readonly broken = new Set<string>();
  /** The columns that `field` may name, while the `where` of a series is resolved. */
  row: ReadonlyMap<string, ValueType> | undefined;
  /** Set by the pack resolver: works a derived value out when it is first named. */
  resolveDerived: (symbol: DerivedSymbol, path: Path) => void = () => undefined;

  constructor(
    readonly file: YamlFile,
    readonly raw: RawPack,
    private readonly schedules: Schedules = new Map(),
  ) {
    raw.clauses.forEach(({ id }, index) => {
      if (this.clauseIndex.has(id)) this.report(['clauses', index, 'id'], `there is another clause '${id}'`);
      else this.clauseIndex.set(id, index);
    });
  }

  report(path: Path, message: string, key = false): undefined {
    const where = placeName(this.raw, path);
    this.file.problem(path, message, { key, ...(where === undefined ? {} : { where }) });
    return undefined;
  }

  /** A fact or derived value by name, for a clause, limit or formula; reports what is unknown or sealed. */
  read(name: string, path: Path): Formula | undefined {
    this.used.add(name);
    const fact = this.facts.get(name);
    if (fact?.def.personal) {
      return this.report(path, `'${name}' is personal and sealed in the log: nothing may be decided by it`);
    }
    if (fact) return { op: 'slot', slot: fact.slot, name, type: fact.type };
    if (this.broken.has(name)) return undefined;
    const symbol = this.derived.get(name);
    if (!symbol) return this.unknownName('fact or derived value', name, path, this.names());
    if (symbol.state !== 'done') this.resolveDerived(symbol, path);
    return symbol.formula && { op: 'slot', slot: symbol.slot, name, type: symbol.formula.type };
  }

  /** A fact that is recorded, asked or given: derived values can't be. */
  fact(name: string, path: Path): FactSymbol | undefined {
    this.used.add(name);
    const known = this.facts.get(name);
    if (known || this.broken.has(name)) return known;
    if (this.derived.has(name)) {
      return this.report(path, `'${name}' is derived: name the facts that it is derived from`);
    }
    return this.unknownName('fact', name, path, this.facts.keys());
  }

  clause(id: string, path: Path): number | undefined {
    return this.clauseIndex.get(id) ?? this.unknownName('clause', id, path, this.clauseIndex.keys());
  }

  /** A name of some other section (body, subject, act ...), or undefined after reporting it. */
  member<T>(
    section: Readonly<Record<string, T>> | undefined,
    what: string,
    name: string,
    path: Path,
  ): T | undefined {
    const known = section ?? {};
    return Object.hasOwn(known, name) ? known[name] : this.unknownName(what, name, path, Object.keys(known));
  }

  unknownName(what: string, name: string, path: Path, known: Iterable<string>): undefined {
    const near = nearest(name, known);
    return this.report(path, `there is no ${what} '${name}'${near ? `: did you mean '${near}'?` : ''}`);
  }

  /** A schedule by name; the pack is judged by it from here on. */
  scheduleOf(id: string, path: Path): Schedule | undefined {
    const known = this.schedules.get(id);
    // One that can't be read is there all the same: what is wrong with it is said where it stands.
    if (!known && this.schedules.has(id)) return undefined;
    if (!known) {
      const near = nearest(id, this.schedules.keys());
      return this.report(path, `there is no schedules/${id}.yaml${near ? `: did you mean '${near}'?` : ''}`);
    }
    this.usedSchedules.add(id);
    return known;
  }

  noteMissing({ entries }: ScheduleItem): void {
    for (const { amount } of entries) {
      if (amount.is === 'missing') this.missingItems.add(`${amount.missing} (kept by ${amount.keptBy})`);
    }
  }

  has(name: string): boolean {
    return this.facts.has(name) || this.derived.has(name) || this.broken.has(name);
  }

  /** A body of the law, other than one that holds permits, is an office: what it owes is nobody else's breach. */
  isOffice(who: string | undefined): boolean {
    const body = who === undefined ? undefined : this.raw.bodies[who];
    return body !== undefined && body.role !== 'holder';
  }

  isOptional(name: string): boolean {
    return isYes(this.raw.facts[name]?.optional) || this.derived.has(name);
  }

  names(): readonly string[] {
    return [...this.facts.keys(), ...this.derived.keys()];
  }
}

const SECTION_WORDS: Readonly<Record<string, string>> = {
  facts: 'fact',
  derived: 'derived value',
  tables: 'table',
  assessments: 'assessment',
  bodies: 'body',
  readings: 'reading',
  subjects: 'subject',
  acts: 'act',
  permits: 'permit',
  loads: 'load',
  manifests: 'manifest',
  limits: 'limit',
  penalties: 'penalty',
  appeals: 'appeal',
};

/** `clause 4.2`, `act open_gate`: what a place of a pack belongs to. Safe on data that no schema accepted. */
export function placeName(data: unknown, path: Path): string | undefined {
  const [section, entry] = path;
  if (typeof section !== 'string' || entry === undefined) return undefined;
  if (section === 'clauses' || section === 'penalties' || section === 'appeals') {
    const list = (data as Record<string, unknown> | null)?.[section];
    const id = Array.isArray(list) ? (list[Number(entry)] as { id?: unknown } | undefined)?.id : undefined;
    const what = section === 'clauses' ? 'clause' : (SECTION_WORDS[section] ?? section);
    return typeof id === 'string' ? `${what} ${id}` : undefined;
  }
  const what = SECTION_WORDS[section];
  return what === undefined ? undefined : `${what} ${entry}`;
}

import type { JsonValue, Operand, Provenance } from '@headworks/kernel';
import { STATUS, type Compiled, type Evaluation } from '../compile/context';
import { compileElsewhere } from '../compile/elsewhere';
import type { Clause, Condition, Elsewhere } from '../model/ir';
import { clauseNeeds, conditionNeeds, dependencies, type Dependencies } from '../model/needs';
import { toJson } from '../model/json';
import type { Known } from '../model/types';
import type { Slot } from '../resolve/pack';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** One thing that a finding may rest on. */
interface Source {
  readonly fact: string;
  /** A slot, or a clause that another one asks for. */
  readonly slot?: number;
  readonly clause?: number;
  /** The series behind a derived value, however many steps back. */
  readonly ledger?: number;
}

/** What clauses rest on, worked out once for each clause and the leaf that decides it. */
export class OperandLists {
  private readonly lists = new Map<Clause, Map<Condition | undefined, readonly Source[]>>();

  constructor(
    private readonly slots: readonly Slot[],
    private readonly clauses: ReadonlyMap<number, Clause>,
    private readonly to: Compiled,
  ) {}

  /** The operands that are known, each once: what the deciding leaf compares first, then in the order of the clause. */
  of(clause: Clause, leaf: Condition | undefined, e: Evaluation): readonly Operand[] {
    const operands: Operand[] = [];
    for (const source of this.sources(clause, leaf)) {
      const operand =
        source.slot === undefined ? this.clauseOperand(source, e) : this.operand(source, source.slot, e);
      if (operand) operands.push(operand);
    }
    for (const condition of elsewhereIn(clause)) operands.push(...this.elsewhereOperands(condition, e));
    return operands;
  }

  private operand(source: Source, index: number, e: Evaluation): Operand | undefined {
    const value = this.to.readOf(index)(e);
    const slot = this.slots[index];
    if (value === undefined || !slot) return undefined;
    const operand: Mutable<Operand> = { fact: source.fact };
    if (value === null) operand.none = true;
    else operand.value = this.jsonOf(index, slot, value, e);
    const from = slot.formula ? this.derivedFrom(source.ledger, e) : e.entries[index]?.from;
    if (from) operand.from = from;
    return operand;
  }

  /** Which text of the other pack was asked, and those of its clauses that are not met. */
  private elsewhereOperands(condition: Elsewhere, e: Evaluation): readonly Operand[] {
    const asked = compileElsewhere(condition, this.to)(e);
    if (!asked) return [];
    const { pack, clauses } = asked;
    const statuses = pack.statuses({ ...asked, now: e.now });
    const version = {
      fact: `pack:${condition.pack}`,
      value: `${pack.ref.version} ${pack.ref.sha256}`,
      from: PACK,
    };
    const open = clauses.flatMap((id, index) => {
      const value = statuses[index];
      if (value !== 'violated' && value !== 'unknown') return [];
      return [{ fact: `clause:${condition.pack}/${id}`, value, from: DERIVED }];
    });
    return [version, ...open];
  }

  /** A fact stands in the finding as it was given: 204 yd stays 204 yd. */
  private jsonOf(index: number, slot: Slot, value: Known, e: Evaluation): JsonValue {
    return (slot.formula ? undefined : e.entries[index]?.json) ?? toJson(slot.type, value);
  }

  private clauseOperand({ fact, clause = -1 }: Source, e: Evaluation): Operand {
    return { fact, value: STATUS[this.to.judgeOf(clause)(e)], from: DERIVED };
  }

  /** `ledger` with its head and count where postings are behind the value: the rows never stand in a finding. */
  private derivedFrom(ledger: number | undefined, e: Evaluation): Provenance {
    if (ledger === undefined) return DERIVED;
    this.to.readOf(ledger)(e);
    const entry = e.entries[ledger];
    if (!entry) return DERIVED;
    const count = Array.isArray(entry.json) ? entry.json.length : 0;
    return { count, ...entry.from, source: 'ledger' };
  }

  private sources(clause: Clause, leaf: Condition | undefined): readonly Source[] {
    let byLeaf = this.lists.get(clause);
    if (!byLeaf) {
      byLeaf = new Map();
      this.lists.set(clause, byLeaf);
    }
    let list = byLeaf.get(leaf);
    if (!list) {
      const found = new Map<string, Source>();
      if (leaf) this.collect(conditionNeeds(leaf), found);
      this.collect(clauseNeeds(clause), found);
      list = [...found.values()];
      byLeaf.set(leaf, list);
    }
    return list;
  }

  /** A derived value is followed by what it was derived from: its own figure alone proves nothing. */
  private collect({ slots, clauses }: Dependencies, found: Map<string, Source>): void {
    for (const index of slots) {
      const slot = this.slots[index];
      if (!slot || found.has(slot.name) || slot.type.is === 'series') continue;
      const ledger = slot.formula ? this.ledgerBehind(index) : undefined;
      found.set(slot.name, { fact: slot.name, slot: index, ...(ledger === undefined ? {} : { ledger }) });
      if (slot.formula) this.collect(dependencies(slot.formula), found);
    }
    for (const index of clauses) {
      const fact = `clause:${this.clauses.get(index)?.def.id ?? '?'}`;
      if (!found.has(fact)) found.set(fact, { fact, clause: index });
    }
  }

  private ledgerBehind(index: number): number | undefined {
    const slot = this.slots[index];
    if (slot?.type.is === 'series') return index;
    if (!slot?.formula) return undefined;
    for (const inner of dependencies(slot.formula).slots) {
      const found = this.ledgerBehind(inner);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const DERIVED: Provenance = Object.freeze({ source: 'derived' });
const PACK: Provenance = Object.freeze({ source: 'pack' });

const asks = new WeakMap<Clause, readonly Elsewhere[]>();
/** Where a clause asks for clauses of another pack. */
function elsewhereIn(clause: Clause): readonly Elsewhere[] {
  let found = asks.get(clause);
  if (!found) {
    const { applies, body } = clause;
    const conditions = [applies, ...(body.verb === 'condition' ? [body.good, body.unless] : [])];
    found = conditions.flatMap((condition) => (condition ? elsewhereParts(condition) : []));
    asks.set(clause, found);
  }
  return found;
}

const elsewhereParts = (condition: Condition): readonly Elsewhere[] =>
  condition.op === 'all' || condition.op === 'any'
    ? condition.of.flatMap(elsewhereParts)
    : condition.op === 'elsewhere'
      ? [condition]
      : [];

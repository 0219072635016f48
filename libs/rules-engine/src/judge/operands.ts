import type { JsonValue, Operand, Provenance } from '@headworks/kernel';
import { STATUS, type Evaluation } from '../compile/context';
import type { Compiled } from '../compile/formula';
import { dependencies, type Clause, type Dependencies } from '../model/ir';
import { toJson } from '../model/json';
import type { Slot } from '../resolve/pack';

/** Collects what a finding rests on, each thing once, in the order in which a reader meets it. */
export class OperandList {
  readonly operands: Operand[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly slots: readonly Slot[],
    private readonly clauses: ReadonlyMap<number, Clause>,
    private readonly to: Compiled,
    private readonly e: Evaluation,
  ) {}

  add({ slots, clauses }: Dependencies): void {
    for (const slot of slots) this.addSlot(slot);
    for (const clause of clauses) this.addClause(clause);
  }

  /** A derived value is followed by what it was derived from: its own figure alone proves nothing. */
  private addSlot(index: number): void {
    const slot = this.slots[index];
    if (!slot || this.seen.has(slot.name)) return;
    this.seen.add(slot.name);
    // The rows of a ledger never stand in a finding; what was made of them says where they are.
    if (slot.type.is === 'series') return;
    const value = this.to.read[index]?.(this.e);
    if (value !== undefined) {
      const from = slot.formula ? this.derivedFrom(index) : this.e.entries?.[index]?.from;
      this.operands.push({
        fact: slot.name,
        ...(value === null ? { none: true as const } : { value: this.jsonOf(index, slot, value) }),
        ...(from ? { from } : {}),
      });
    }
    if (slot.formula) this.add(dependencies(slot.formula));
  }

  private jsonOf(index: number, slot: Slot, value: Parameters<typeof toJson>[1]): JsonValue {
    // A fact stands in the finding as it was given: 204 yd stays 204 yd.
    return (slot.formula ? undefined : this.e.entries?.[index]?.json) ?? toJson(slot.type, value);
  }

  private addClause(index: number): void {
    const clause = this.clauses.get(index);
    const status = this.to.judge[index]?.(this.e);
    if (!clause || status === undefined || this.seen.has(`clause:${clause.def.id}`)) return;
    this.seen.add(`clause:${clause.def.id}`);
    this.operands.push({
      fact: `clause:${clause.def.id}`,
      value: STATUS[status],
      from: { source: 'derived' },
    });
  }

  /** `ledger` with its head and count where postings are behind the value, however many steps back. */
  private derivedFrom(index: number): Provenance {
    return this.ledgerBehind(index, new Set()) ?? { source: 'derived' };
  }

  private ledgerBehind(index: number, seen: Set<number>): Provenance | undefined {
    if (seen.has(index)) return undefined;
    seen.add(index);
    const slot = this.slots[index];
    if (slot?.type.is === 'series') {
      const entry = this.e.entries?.[index];
      if (!entry) return undefined;
      const count = Array.isArray(entry.json) ? entry.json.length : 0;
      return { count, ...entry.from, source: 'ledger' };
    }
    if (!slot?.formula) return undefined;
    for (const inner of dependencies(slot.formula).slots) {
      const found = this.ledgerBehind(inner, seen);
      if (found) return found;
    }
    return undefined;
  }
}

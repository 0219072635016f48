import type { Counting } from '@headworks/calendars';
import type { JsonValue, LocalDate, Quantity } from '@headworks/kernel';
import type { FactEntry, FactSource, Pack } from '../api';
import type { Condition, Formula } from '../model/ir';
import type { ReadJson } from '../model/json';
import type { Known, Maybe, Row, Truth } from '../model/types';
import type { Calendars } from './lists';

/** Status codes, so that the hot path neither allocates nor compares texts. */
export const SATISFIED = 0;
export const VIOLATED = 1;
export const UNKNOWN = 2;
export const NOT_APPLICABLE = 3;
export type StatusCode = 0 | 1 | 2 | 3;
export const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'] as const;

/** The version of a pack that is in force on a day, or undefined where none is loaded. */
export type PackLookup = (pack: string, day: LocalDate) => Pack | undefined;

export interface Size {
  readonly slots: number;
  readonly clauses: number;
}

const nobody: FactSource = () => undefined;

/**
 * One evaluation: each fact is fetched and read once, each derived value and clause worked out once. The arrays are
 * used again for the next evaluation; a number beside each entry says which evaluation it belongs to, so nothing has to
 * be cleared between them.
 */
export class Evaluation {
  source: FactSource = nobody;
  now = 0;
  /** The row of a series that a condition on its columns is asked of. */
  row: Row | undefined;
  /** How deadlines ended, by the number of their clause, where the log knows. */
  settled: ReadonlyMap<number, StatusCode> | undefined;
  /** Kept for findings alone: where each fact came from. */
  explain = false;
  readonly values: Maybe[];
  readonly entries: (FactEntry | undefined)[];
  readonly nears: Float64Array;
  readonly statuses: Uint8Array;
  private turn = 0;
  private readonly valueTurns: Uint32Array;
  private readonly nearTurns: Uint32Array;
  private readonly statusTurns: Uint32Array;

  constructor(size: Size) {
    this.values = new Array<Maybe>(size.slots).fill(undefined);
    this.entries = new Array<FactEntry | undefined>(size.slots).fill(undefined);
    this.nears = new Float64Array(size.slots);
    this.statuses = new Uint8Array(size.clauses);
    this.valueTurns = new Uint32Array(size.slots);
    this.nearTurns = new Uint32Array(size.slots);
    this.statusTurns = new Uint32Array(size.clauses);
  }

  begin(source: FactSource, now: number, explain: boolean): this {
    this.source = source;
    this.now = now;
    this.explain = explain;
    this.turn += 1;
    // After four thousand million turns an old mark could look new.
    if (this.turn > 0xffff_fff0) {
      for (const turns of [this.valueTurns, this.nearTurns, this.statusTurns]) turns.fill(0);
      this.turn = 1;
    }
    return this;
  }

  /** Lets go of what the facts came from: it may be a whole folded state. */
  end(): void {
    this.source = nobody;
    this.row = undefined;
    this.settled = undefined;
  }

  /** True once a turn for each slot: the caller then works the value out and stores it. */
  firstValue(slot: number): boolean {
    if (this.valueTurns[slot] === this.turn) return false;
    this.valueTurns[slot] = this.turn;
    return true;
  }

  firstNear(slot: number): boolean {
    if (this.nearTurns[slot] === this.turn) return false;
    this.nearTurns[slot] = this.turn;
    return true;
  }

  firstStatus(clause: number): boolean {
    if (this.statusTurns[clause] === this.turn) return false;
    this.statusTurns[clause] = this.turn;
    return true;
  }
}

export type Read = (e: Evaluation) => Maybe;
/** An amount in base units as a double, or NaN where it is unknown, none, negative or not safe to tell so. */
export type Near = (e: Evaluation) => number;
export type Test = (e: Evaluation) => Truth;
export type Judge = (e: Evaluation) => StatusCode;

/** Reads a base fact. A null counts as none only where the pack says that there may be none; else nobody has said. */
export function factReader(slot: number, name: string, read: ReadJson, optional: boolean): Read {
  // Folded states hand out the same JSON again and again: what was read last is read for nothing.
  let lastJson: JsonValue | undefined;
  let lastValue: Known | undefined;
  return (e) => {
    if (!e.firstValue(slot)) return e.values[slot];
    const entry = e.source(name);
    if (e.explain) e.entries[slot] = entry;
    let value: Maybe;
    if (entry !== undefined) {
      const { json } = entry;
      if (json === null) value = optional ? null : undefined;
      else if (json === lastJson) value = lastValue;
      else {
        value = read(json);
        lastJson = json;
        lastValue = value;
      }
    }
    e.values[slot] = value;
    return value;
  };
}

/** What formulas, conditions and clauses link to while they are compiled. Each part is compiled once. */
export interface Compiled {
  readonly zone: string;
  readonly counting: Counting;
  readonly calendars: Calendars;
  /** Packs that this one asks for clauses. */
  readonly elsewhere: PackLookup;
  isFact(slot: number): boolean;
  readOf(slot: number): Read;
  nearOf(slot: number): Near;
  judgeOf(clause: number): Judge;
  formula(formula: Formula): Read;
  near(formula: Formula): Near;
  test(condition: Condition): Test;
}

/** Only amounts from nothing upwards: sums of those keep their digits. */
export function nearOf(quantity: Quantity | null | undefined): number {
  if (quantity === null || quantity === undefined) return NaN;
  const { near } = quantity.base;
  return near >= 0 && near < 1e250 ? near : NaN;
}

export function derivedReader(slot: number, work: Read): Read {
  return (e) => {
    if (!e.firstValue(slot)) return e.values[slot];
    // Set before working it out: no circle passed the loader, and unknown is the safe answer to one.
    e.values[slot] = undefined;
    const value = work(e);
    e.values[slot] = value;
    return value;
  };
}

export function nearOnce(slot: number, work: Near): Near {
  return (e) => {
    if (!e.firstNear(slot)) return e.nears[slot] ?? NaN;
    const near = work(e);
    e.nears[slot] = near;
    return near;
  };
}

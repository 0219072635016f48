import type { JsonValue } from '@headworks/kernel';
import type { FactEntry, FactSource, Pack } from './api';
import { modelOf } from './pack';
import type { Condition, Formula } from './model/ir';
import type { ValueType } from './model/types';

/** A finding that said something else, and not merely less, once facts were taken away. */
export interface Flip {
  readonly clause: string;
  readonly before: string;
  readonly after: string;
  readonly facts: Readonly<Record<string, JsonValue>>;
  readonly removed: readonly string[];
}
export interface RemoveFactsOptions {
  /** How many findings to compare, at least. */
  readonly findings: number;
  readonly seed: number;
  /** Epoch ms around which times are drawn; what is due is measured against it. */
  readonly now: number;
}

/**
 * Draws facts at random, judges every clause, takes a random quarter of the facts away and judges again: a finding may
 * only become `unknown`. A pack or an operator that lets a missing fact pass is found by this. Statuses come from both
 * paths (findings and the hot one), which must agree.
 */
export function removeFacts(
  pack: Pack,
  options: RemoveFactsOptions,
  judged: Pick<Pack, 'evaluate' | 'statuses'> = pack,
): {
  readonly compared: number;
  readonly flips: readonly Flip[];
  readonly seen: ReadonlyMap<string, number>;
} {
  const draw = new Draw(options.seed);
  const clauses = [...pack.clauses.keys()];
  const names = [...pack.facts.keys()];
  const figures = figuresOf(pack);
  const flips: Flip[] = [];
  const seen = new Map<string, number>();
  let compared = 0;
  while (compared < options.findings) {
    const facts = drawOnce(pack, figures, draw, options.now);
    const removed = names.filter(() => draw.below(4) === 0);
    const left = new Map([...facts].filter(([name]) => !removed.includes(name)));
    const before = judge(judged, clauses, facts, options.now);
    const after = judge(judged, clauses, left, options.now);
    clauses.forEach((clause, index) => {
      const [was, is] = [before[index] ?? '?', after[index] ?? '?'];
      seen.set(was, (seen.get(was) ?? 0) + 1);
      if (is !== was && is !== 'unknown') {
        flips.push({ clause, before: was, after: is, facts: Object.fromEntries(facts), removed });
      }
    });
    compared += clauses.length;
  }
  return { compared, flips, seen };
}

/** Sets of facts drawn at random around the pack's own figures: the same seed gives the same sets everywhere. */
export function drawFacts(
  pack: Pack,
  options: { readonly seed: number; readonly now: number; readonly count: number },
): readonly Readonly<Record<string, JsonValue>>[] {
  const draw = new Draw(options.seed);
  const figures = figuresOf(pack);
  return Array.from({ length: options.count }, () =>
    Object.fromEntries(drawOnce(pack, figures, draw, options.now)),
  );
}

function drawOnce(pack: Pack, figures: Figures, draw: Draw, now: number): ReadonlyMap<string, JsonValue> {
  const facts = new Map<string, JsonValue>();
  for (const [name, { type, def }] of modelOf(pack).facts) {
    facts.set(name, def.optional && draw.below(5) === 0 ? null : valueOf(type, figures, draw, now));
  }
  return facts;
}

function judge(
  pack: Pick<Pack, 'evaluate' | 'statuses'>,
  clauses: readonly string[],
  facts: ReadonlyMap<string, JsonValue>,
  now: number,
): readonly string[] {
  const entries = new Map<string, FactEntry>([...facts].map(([name, json]) => [name, { json, from: FROM }]));
  const source: FactSource = (name) => entries.get(name);
  const question = { clauses, facts: source, now };
  const statuses = pack.statuses(question);
  // A status that both paths do not share is no status: it shows up as a flip.
  return pack
    .evaluate(question)
    .map(({ status }, i) => (status === statuses[i] ? status : `${status}/${statuses[i]}`));
}
const FROM = { source: 'payload' } as const;

/** A small generator of our own (mulberry32): the same seed draws the same facts on every machine. */
class Draw {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }

  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }
}

type Figures = ReadonlyMap<string, readonly number[]>;

/** The figures that the pack compares with, by unit: what is drawn lies below, at and above each of them. */
function figuresOf(pack: Pack): Figures {
  const figures = new Map<string, number[]>();
  const note = (formula: Formula): void => {
    if (formula.op !== 'literal' || formula.type.is !== 'quantity') return;
    const amount = /-?[\d.]+/.exec(formula.shown)?.[0];
    const list = figures.get(formula.type.unit) ?? [];
    if (amount !== undefined) figures.set(formula.type.unit, [...list, Number(amount)]);
  };
  const visit = (condition: Condition): void => {
    if (condition.op === 'all' || condition.op === 'any') condition.of.forEach(visit);
    else if (condition.op === 'compare') note(condition.right);
  };
  for (const { body, applies } of modelOf(pack).clauses.values()) {
    if (applies) visit(applies);
    if (body.verb === 'condition') [body.good, ...(body.unless ? [body.unless] : [])].forEach(visit);
  }
  return figures;
}

const DAY = 86_400_000;
const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function valueOf(type: ValueType, figures: Figures, draw: Draw, now: number): JsonValue {
  switch (type.is) {
    case 'quantity':
      return amountOf(type, figures, draw);
    case 'bool':
      return draw.below(2) === 0;
    case 'choice':
      return draw.of(type.of) ?? '';
    case 'set':
      if (type.each) return [-1, 0, 1].filter(() => draw.below(2) === 0).map((n) => dateText(now + n * DAY));
      return (type.of ?? ['A', 'B', 'C']).filter(() => draw.below(2) === 0);
    case 'text':
    case 'reference':
    case 'address':
    case 'actor':
      return draw.of(['A', 'B', 'C']) ?? 'A';
    case 'date':
      return dateText(now + (draw.below(3) === 0 ? 0 : draw.below(400) - 200) * DAY);
    case 'instant':
      return new Date(now + (draw.below(96) - 72) * 3_600_000).toISOString();
    case 'series':
      return Array.from({ length: draw.below(4) }, () =>
        Object.fromEntries(
          [...type.fields].map(([name, field]) => [name, valueOf(field, figures, draw, now)]),
        ),
      );
    case 'none':
      return null;
  }
}

function amountOf(type: Extract<ValueType, { is: 'quantity' }>, figures: Figures, draw: Draw): JsonValue {
  if (type.kind === 'count') return draw.below(4);
  const near = draw.of(figures.get(type.unit) ?? []) ?? draw.of([0, 1, 5, 50, 500, 5000]) ?? 0;
  const value = draw.of([near, near * 0.9, near * 1.1, near + 1, 0, near * 20]) ?? 0;
  return { value: Math.max(0, value).toFixed(3), unit: type.unit };
}

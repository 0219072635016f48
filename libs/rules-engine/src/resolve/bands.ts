import { compareQuantities, parseQuantity, type Quantity } from '@headworks/kernel';
import type { Band, Edge } from '../model/ir';
import { describeKind, type ValueType } from '../model/types';
import type { RawBand } from '../source/raw';
import type { Path } from '../source/yaml-file';
import type { Scope } from './scope';

type Amount = Extract<ValueType, { is: 'quantity' }>;

const FROM = ['at_least', 'more_than'] as const;
const TO = ['at_most', 'less_than'] as const;

/**
 * Bands of an amount, from nothing upwards without end: a figure that no band holds would have no answer, and one that
 * two hold would have two. Undefined where anything was reported.
 */
export function resolveBands(
  scope: Scope,
  raws: readonly RawBand[],
  type: Amount,
  path: Path,
): readonly Band[] | undefined {
  const bands = raws.map((raw, index) => bandOf(scope, raw, type, [...path, index]));
  if (!bands.every((band) => band !== undefined)) return undefined;
  const problem = firstFlaw(bands, type);
  return problem ? scope.report([...path, problem.index], problem.message) : bands;
}

function bandOf(scope: Scope, raw: RawBand, type: Amount, path: Path): Band | undefined {
  const edge = (keys: readonly (keyof RawBand)[], closed: keyof RawBand): Edge | undefined | 'wrong' => {
    const key = keys.find((one) => raw[one] !== undefined);
    if (key === undefined) return undefined;
    const text = String(raw[key]);
    const at = figure(scope, text, type, [...path, key]);
    return at ? { at, closed: key === closed, shown: text } : 'wrong';
  };
  const from = edge(FROM, 'at_least');
  const to = edge(TO, 'at_most');
  if (from === 'wrong' || to === 'wrong') return undefined;
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

function figure(scope: Scope, text: string, type: Amount, path: Path): Quantity | undefined {
  const parsed = parseQuantity(type.kind === 'count' && /^\d+$/.test(text) ? `${text} 1` : text);
  if (!parsed.ok) return scope.report(path, `${parsed.why}${parsed.hint ? `: ${parsed.hint}` : ''}`);
  const { kind, unit } = parsed.value;
  if (kind === type.kind) return parsed.value;
  const [wanted, found] = [describeKind(type.kind, type.unit), describeKind(kind, unit)];
  return scope.report(path, `this is measured as ${wanted}, but '${text}' is ${found}`);
}

interface Flaw {
  readonly index: number;
  readonly message: string;
}

/** The first gap or overlap, in the order of the figures; where it stands in the file decides nothing. */
function firstFlaw(bands: readonly Band[], { unit }: Amount): Flaw | undefined {
  const sorted = bands.map((band, index) => ({ band, index })).sort((a, b) => byStart(a.band, b.band));
  const [first] = sorted;
  if (first?.band.from && !isNothing(first.band.from)) {
    return {
      index: first.index,
      message: `nothing is said of less than ${shown(first.band.from)}: begin at 0 ${unit}`,
    };
  }
  for (const [place, { band, index }] of sorted.entries()) {
    const next = sorted[place + 1];
    if (!next) {
      if (band.to)
        return { index, message: `nothing is said beyond ${shown(band.to)}: let one have no upper end` };
      continue;
    }
    const flaw = betweenFlaw(band.to, next.band.from);
    if (flaw !== undefined) return { index: next.index, message: flaw };
  }
  return undefined;
}

const isNothing = ({ at, closed }: Edge): boolean => at.base.n === 0n && closed;
const shown = (edge: Edge): string => edge.shown;

function byStart(a: Band, b: Band): number {
  if (!a.from || !b.from) return a.from ? 1 : b.from ? -1 : 0;
  const order = compareQuantities(a.from.at, b.from.at);
  return order === 0 ? Number(b.from.closed) - Number(a.from.closed) : order;
}

/** Where one band ends the next begins, and the figure between them belongs to one of the two. */
function betweenFlaw(to: Edge | undefined, from: Edge | undefined): string | undefined {
  if (!to || !from)
    return 'two of these have no end on the same side: give all but one of them a figure there';
  const order = compareQuantities(to.at, from.at);
  if (order > 0 || (order === 0 && to.closed && from.closed))
    return `${shown(from)} is in two of these: let one of them end before it`;
  if (order < 0)
    return `nothing is said between ${shown(to)} and ${shown(from)}: let the one begin where the other ends`;
  return to.closed || from.closed
    ? undefined
    : `nothing is said of exactly ${shown(from)}: write at_least or at_most`;
}

/** `more than 75 au, at most 100 au`: a band as people say it. */
export function bandWords({ from, to }: Band): string {
  const parts = [
    from && `${from.closed ? 'at least' : 'more than'} ${from.shown}`,
    to && `${to.closed ? 'at most' : 'less than'} ${to.shown}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'any' : parts.join(', ');
}

import { compareQuantities, type Quantity } from '@headworks/kernel';
import type { Axis, Band, Formula } from '../model/ir';
import type { ScheduleEntry } from '../model/schedule';
import type { Maybe } from '../model/types';
import type { Compiled, Evaluation, Read } from './context';
import { onDay } from './dates';

type Table = Extract<Formula, { op: 'table' }>;

/** The place of one axis: a number, none, or unknown. */
type Place = (e: Evaluation) => number | null | undefined;

/**
 * The figure of a cell. One that is missing is unknown, as every figure that nobody has given; one that is not allowed
 * is none, and a comparison with none never holds.
 */
export function tableRead(table: Table, to: Compiled): Read {
  const find = cellIndex(table, to);
  return (e) => {
    const index = find(e);
    if (index === undefined || index === null) return index;
    const cell = table.cells[index];
    if (cell === 'missing') return undefined;
    return cell === 'not_allowed' ? null : cell;
  };
}

/** Which cell is meant: none where something it is entered by has not happened, undefined where that is not known. */
export function cellIndex({ axes }: Table, to: Compiled): Place {
  const places = axes.map((axis) => ({ place: placeOf(axis, to), size: axis.names.length }));
  return (e) => {
    let index = 0;
    let unknown = false;
    for (const { place, size } of places) {
      const at = place(e);
      if (at === null) return null;
      if (at === undefined) unknown = true;
      else index = index * size + at;
    }
    return unknown ? undefined : index;
  };
}

function placeOf({ of, names, bands, fixed }: Axis, to: Compiled): Place {
  if (!of) return () => fixed;
  const read = to.formula(of);
  const find = bands
    ? (value: Maybe) => bandPlace(bands, value as Quantity)
    : (value: Maybe) => wordPlace(names, value);
  return (e) => {
    const value = read(e);
    if (value === null || value === undefined) return value;
    return find(value);
  };
}

function wordPlace(names: readonly string[], value: Maybe): number | undefined {
  const at = names.indexOf(value === true ? 'yes' : value === false ? 'no' : (value as string));
  return at < 0 ? undefined : at;
}

/** The bands cover everything from nothing upwards, so only an amount below nothing has none. */
function bandPlace(bands: readonly Band[], value: Quantity): number | undefined {
  const at = bands.findIndex(({ from, to }) => {
    const low = from ? compareQuantities(value, from.at) : 1;
    const high = to ? compareQuantities(value, to.at) : -1;
    return (
      (low > 0 || (low === 0 && from?.closed === true)) && (high < 0 || (high === 0 && to?.closed === true))
    );
  });
  return at < 0 || value.base.n < 0n ? undefined : at;
}

/** The amount of the day: the newest that has begun. Before the first, nobody has said what it was. */
export function scheduledRead(formula: Extract<Formula, { op: 'scheduled' }>, to: Compiled): Read {
  const { entries, on } = formula;
  const figureOf = (entry: ScheduleEntry | undefined): Maybe =>
    entry?.amount.is === 'figure' ? entry.amount.value : undefined;
  if (!on) {
    const figure = figureOf(entries[0]);
    return () => figure;
  }
  return onDay(on, to, (day) => figureOf(entries.findLast(({ from }) => from === undefined || from <= day)));
}

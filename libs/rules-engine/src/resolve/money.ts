import { parseQuantity } from '@headworks/kernel';
import type { Formula } from '../model/ir';
import { describeType, type ValueType } from '../model/types';
import type { MissingFigure, RawFee, RawScheduled } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { bandWords, resolveBands } from './bands';
import { isMoment } from './deadlines';
import type { Scope } from './scope';

const MONEY = { is: 'quantity', kind: 'money', unit: 'USD' } as const;

/** A flat sum of money, or the figure that somebody else keeps. */
export function money(scope: Scope, raw: string | MissingFigure, path: Path): Formula | undefined {
  if (typeof raw !== 'string') {
    scope.member(scope.raw.bodies, 'body', raw.kept_by, [...path, 'kept_by']);
    return { op: 'figure', missing: raw.missing, keptBy: raw.kept_by, type: MONEY };
  }
  const parsed = parseQuantity(raw);
  if (!parsed.ok) return scope.report(path, `${parsed.why}: write a sum of money such as $50`);
  if (parsed.value.kind === 'money') return { op: 'literal', value: parsed.value, shown: raw, type: MONEY };
  return scope.report(path, `'${raw}' is no sum of money: write it as $50`);
}

/** What a fee comes to: a sum, a sum that was worked out, tiers by an amount, or an item of a schedule. */
export function feeAmount(scope: Scope, raw: RawFee, cite: string, path: Path): Formula | undefined {
  if (raw.to !== undefined) scope.member(scope.raw.bodies, 'body', raw.to, [...path, 'to']);
  if (raw.schedule)
    return aSum(scope, scheduled(scope, raw.schedule, [...path, 'schedule']), [...path, 'schedule']);
  if (raw.tiers) return tiers(scope, raw, cite, path);
  if (raw.pay === undefined) return undefined;
  const at = [...path, 'pay'];
  if (typeof raw.pay !== 'string' || !scope.has(raw.pay)) return money(scope, raw.pay, at);
  return aSum(scope, scope.read(raw.pay, at), at);
}

function aSum(scope: Scope, formula: Formula | undefined, path: Path): Formula | undefined {
  if (!formula || (formula.type.is === 'quantity' && formula.type.kind === 'money')) return formula;
  return scope.report(path, `a fee is a sum of money, and this is ${describeType(formula.type)}`);
}

/** Every amount from nothing upwards has its tier, and only one. */
function tiers(scope: Scope, raw: RawFee, cite: string, path: Path): Formula | undefined {
  const of = scope.read(raw.by ?? '', [...path, 'by']);
  if (of && of.type.is !== 'quantity') {
    return scope.report(
      [...path, 'by'],
      `tiers are of an amount, and '${raw.by}' is ${describeType(of.type)}`,
    );
  }
  const list = raw.tiers ?? [];
  const sums = list.map(({ pay }, index) => money(scope, pay, [...path, 'tiers', index, 'pay']));
  const bands =
    of?.type.is === 'quantity' ? resolveBands(scope, list, of.type, [...path, 'tiers']) : undefined;
  if (!of || !bands || !sums.every((sum) => sum !== undefined)) return undefined;
  return {
    op: 'table',
    table: '',
    cite,
    axes: [{ of, names: bands.map(bandWords), bands }],
    cells: sums.map((sum) => (sum.op === 'literal' ? (sum.value as never) : 'missing')),
    type: MONEY,
  };
}

/** An item of a schedule; where its amounts have days, the day by which one of them is picked. */
export function scheduled(scope: Scope, raw: RawScheduled, path: Path): Formula | undefined {
  const schedule = scope.scheduleOf(raw.of, [...path, 'of']);
  if (!schedule) return undefined;
  const item = schedule.items.get(raw.item);
  if (!item) return scope.unknownName('item', raw.item, [...path, 'item'], schedule.items.keys());
  scope.noteMissing(item);
  const on = raw.on === undefined ? undefined : scope.read(raw.on, [...path, 'on']);
  if (raw.on !== undefined && !on) return undefined;
  if (on && !isMoment(on, false)) {
    return scope.report(
      [...path, 'on'],
      `'${raw.on}' is ${describeType(on.type)}, and a date or a time belongs here`,
    );
  }
  if (!on && item.entries.some(({ from }) => from !== undefined)) {
    return scope.report(
      path,
      `'${raw.item}' has amounts with days: say by which day one is picked (on: some_date)`,
    );
  }
  if (item.entries.some(({ amount }) => amount.is === 'range')) {
    return scope.report(
      [...path, 'item'],
      `'${raw.item}' is a range, which a court or an office fills in: only a penalty may name it`,
    );
  }
  const figure = item.entries.map(({ amount }) => amount).find(({ is }) => is === 'figure');
  const type: ValueType =
    figure?.is === 'figure'
      ? {
          is: 'quantity',
          kind: figure.value.kind,
          unit: figure.shown.startsWith('$') ? 'USD' : figure.value.unit,
        }
      : MONEY;
  return {
    op: 'scheduled',
    schedule: raw.of,
    item: raw.item,
    says: item.says,
    entries: item.entries,
    ...(on ? { on } : {}),
    type,
  };
}

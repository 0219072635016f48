import { nearest, unit, defaultUnit } from '@headworks/kernel';
import type { FactDef } from '../api';
import { COUNT, describeKind, kindNames, parseKind, type ValueType } from '../model/types';
import { isYes, type RawFact, type RawField } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { PERMIT, type Scope } from './scope';

const PLAIN = [
  'bool',
  'judgement',
  'choice',
  'set',
  'text',
  'reference',
  'address',
  'actor',
  'date',
  'instant',
];
/** Kinds that have only one unit anyone writes: the pack need not name it. */
const UNIT_IS_PLAIN = new Set(['money', 'percent', 'ph', 'animal_units', 'concentration', 'elapsed']);

/** Declares every fact, so that formulas and clauses can read them in any order. */
export function declareFacts(scope: Scope): void {
  for (const [name, raw] of Object.entries(scope.raw.facts)) {
    const path: Path = ['facts', name];
    const type = factType(scope, raw, path);
    checkFact(scope, raw, path);
    if (type) scope.facts.set(name, { def: factDef(name, raw, type), type, slot: scope.facts.size });
    else scope.broken.add(name);
  }
}

function factDef(name: string, raw: RawFact, type: ValueType): FactDef {
  return {
    name,
    label: raw.label,
    type: type.is === 'quantity' ? type.kind : raw.type,
    ...(type.is === 'quantity' && type.kind !== 'count' ? { unit: type.unit } : {}),
    ...(raw.of && raw.of !== 'date' ? { of: raw.of } : {}),
    ...(raw.of === 'date' ? { each: raw.of } : {}),
    optional: isYes(raw.optional),
    personal: isYes(raw.personal),
    ...(raw.by === undefined ? {} : { by: raw.by }),
    ...(raw.ask === undefined ? {} : { ask: raw.ask }),
    ...(raw.live === undefined ? {} : { live: { by: raw.live, permit: raw.permit ?? '' } }),
    holds: raw.holds ?? 'until_replaced',
  };
}

/** A series has columns; everything else is a single value. */
function factType(scope: Scope, raw: RawFact, path: Path): ValueType | undefined {
  if (raw.type !== 'series') return plainType(scope, raw, path);
  const fields = new Map<string, ValueType>();
  for (const [name, field] of Object.entries(raw.fields ?? {})) {
    const type = plainType(scope, field, [...path, 'fields', name]);
    if (type) fields.set(name, type);
  }
  if (Object.keys(raw.fields ?? {}).length === 0)
    return scope.report(path, "a series needs 'fields', one for each column of its rows");
  return { is: 'series', fields };
}

/** Types without a unit; the rest must be a kind of quantity. */
function plainType(scope: Scope, raw: RawFact | RawField, path: Path): ValueType | undefined {
  if (!PLAIN.includes(raw.type)) return quantityType(scope, raw, path);
  if (raw.unit !== undefined) {
    return scope.report([...path, 'unit'], `'${raw.type}' has no unit: take it out`);
  }
  switch (raw.type) {
    case 'bool':
    case 'judgement':
      return { is: 'bool', judgement: raw.type === 'judgement' };
    case 'choice':
      return raw.of && raw.of !== 'date'
        ? { is: 'choice', of: raw.of }
        : scope.report(path, "a choice needs 'of': [its words]");
    case 'set':
      if (raw.of === 'date') return { is: 'set', each: raw.of };
      return { is: 'set', ...(raw.of ? { of: raw.of } : {}), ...toOf(raw) };
    case 'reference':
      return { is: 'reference', ...toOf(raw) };
    default:
      return { is: raw.type as 'text' | 'address' | 'actor' | 'date' | 'instant' };
  }
}

const toOf = (raw: RawFact | RawField): { to?: string } =>
  'to' in raw && raw.to !== undefined ? { to: raw.to } : {};

/** The unit is for showing; values may come in any unit of the kind. */
function quantityType(scope: Scope, raw: RawFact | RawField, path: Path): ValueType | undefined {
  const kind = parseKind(raw.type);
  if (!kind) {
    const known = [...PLAIN, 'series', ...kindNames()];
    const near = nearest(raw.type, known);
    const advice = near
      ? `did you mean '${near}'?`
      : `use ${known.join(', ')}, or a rate such as volume/area`;
    return scope.report([...path, 'type'], `'${raw.type}' is no type: ${advice}`);
  }
  if (kind === 'count') {
    return raw.unit === undefined
      ? COUNT
      : scope.report([...path, 'unit'], 'a count has no unit: take it out');
  }
  if (raw.unit === undefined) {
    if (UNIT_IS_PLAIN.has(kind)) return { is: 'quantity', kind, unit: defaultUnit(kind) };
    return scope.report(
      path,
      `'unit' is missing: ${raw.type} is shown in some unit, such as ${defaultUnit(kind)}`,
    );
  }
  const known = unit(raw.unit);
  if (!known) return scope.report([...path, 'unit'], `'${raw.unit}' is no unit we know`);
  if (known.kind !== kind) {
    const here = describeKind(known.kind, raw.unit);
    return scope.report(
      [...path, 'unit'],
      `'${raw.type}' is not measured in '${raw.unit}', which is for ${here}`,
    );
  }
  return { is: 'quantity', kind, unit: raw.unit };
}

/** Words that mean something only on some types; elsewhere they would be silently ignored. */
function checkFact(scope: Scope, raw: RawFact, path: Path): void {
  const only = (key: keyof RawFact, fits: boolean, where: string) => {
    if (raw[key] !== undefined && !fits) {
      scope.report(
        [...path, key],
        `'${key}' belongs to ${where}, and this is '${raw.type}': take it out`,
        true,
      );
    }
  };
  only('of', ['choice', 'set'].includes(raw.type), 'a choice or set');
  only('to', ['reference', 'set'].includes(raw.type), 'a reference or set');
  only('fields', raw.type === 'series', 'a series');
  only('by', raw.type === 'judgement', 'a judgement');
  only('ask', raw.type === 'judgement', 'a judgement');
  only('optional', raw.type !== 'series', 'facts that may be none (an empty series is a series)');
  only('live', raw.type === 'bool', 'a yes or no');
  only('permit', raw.live !== undefined, 'a fact that has live');
  only('personal', raw.type !== 'series', 'single facts');
  if (raw.type === 'judgement' && (raw.by === undefined || raw.ask === undefined)) {
    scope.report(path, "a judgement needs 'by' (the body whose call it is) and 'ask' (the question)");
  }
  if (raw.by !== undefined) scope.member(scope.raw.bodies, 'body', raw.by, [...path, 'by']);
  if (raw.to !== undefined && raw.to !== PERMIT) {
    scope.member(scope.raw.subjects, 'subject', raw.to, [...path, 'to']);
  }
  if (raw.live !== undefined) checkLive(scope, raw, raw.live, path);
}

/** What gives leave is a permit, named by its id in another fact. */
function checkLive(scope: Scope, { optional, permit }: RawFact, name: string, path: Path): void {
  const at = [...path, 'live'];
  if (permit === undefined)
    scope.report(path, "say which type the permit must be of: add 'permit: its type'");
  else scope.member(scope.raw.permits, 'permit', permit, [...path, 'permit']);
  const other = scope.member(scope.raw.facts, 'fact', name, at);
  if (!other) return;
  scope.used.add(name);
  if (other.type !== 'reference' || other.to !== PERMIT) {
    scope.report(at, `'${name}' names no permit: give it 'type: reference, to: permit'`);
  }
  if (isYes(optional))
    scope.report([...path, 'optional'], 'a permit gives leave or does not: it is never none', true);
}

import {
  isJsonObject,
  isoInstant,
  nearest,
  normaliseKey,
  parseInstant,
  parseLocalDate,
  parseQuantity,
  rationals,
  unit,
  unstorable,
  type JsonValue,
} from '@headworks/kernel';
import { describeKind, describeType, entryType, type ValueType } from '../model/types';

/** What is wrong with a value, and where below the value it stands. */
export interface ValueFault {
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly below?: string;
}
export type ParsedValue = { readonly json: JsonValue } | { readonly faults: readonly ValueFault[] };

const fail = (code: string, detail: string, hint?: string, below?: string): ParsedValue => ({
  faults: [
    {
      code,
      detail,
      ...(hint === undefined ? {} : { hint }),
      ...(below === undefined ? {} : { below }),
    },
  ],
});
const LONGEST_TEXT = 4_000;
const LONGEST_LIST = 1_000;

/** Checks one value from outside against its type and writes it in its stored form. Nothing is coerced. */
export function parseValue(name: string, type: ValueType, input: unknown): ParsedValue {
  switch (type.is) {
    case 'quantity':
      return type.kind === 'count' ? parseCount(name, input) : parseAmount(name, type, input);
    case 'bool':
      if (typeof input === 'boolean') return { json: input };
      return fail(
        'wrong-type',
        `'${name}' is ${describeType(type)}, but here stands ${nameOf(input)}`,
        'write true or false',
      );
    case 'choice':
      return parseChoice(name, type.of, input);
    case 'set':
      return parseSet(name, type, input);
    case 'reference':
    case 'text':
    case 'address':
    case 'actor':
      return parseText(name, type, input);
    case 'date':
      return parseDate(name, input);
    case 'instant':
      return parseTime(name, input);
    case 'series':
      return parseSeries(name, type.fields, input);
    case 'none':
      return fail('wrong-type', `'${name}' can't be given`);
  }
}

/** How an input is named in a message. Long and secret values are not repeated. */
export function nameOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'an object';
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return text.length > 40 ? `a text of ${text.length} characters` : `'${text}'`;
}

type Amount = Extract<ValueType, { is: 'quantity' }>;
/** A bare number is refused with the unit it probably meant: feet taken for yards would pass every other check. */
function parseAmount(name: string, type: Amount, input: unknown): ParsedValue {
  const example = `write it as "612 ${type.unit}" or {"value":"612","unit":"${type.unit}"}`;
  if (typeof input === 'number' || (typeof input === 'string' && /^-?[\d.]+$/.test(input.trim()))) {
    return fail(
      'missing-unit',
      `'${name}' needs a unit: ${input} has none`,
      `write it as "${input} ${type.unit}"`,
    );
  }
  const parsed = parseQuantity(input);
  if (!parsed.ok) {
    const ofText = typeof input === 'object' || typeof input === 'boolean' ? example : parsed.hint;
    return fail('not-a-quantity', `'${name}': ${parsed.why}`, ofText ?? example);
  }
  const { kind, base, unit: shown } = parsed.value;
  if (kind !== type.kind) {
    const given =
      typeof input === 'string' ? input : `${(input as { value: string | number }).value} ${shown}`;
    return fail(
      'wrong-unit',
      `'${name}' is ${describeKind(type.kind, type.unit)}, but '${given}' is ${describeKind(kind, shown)}`,
      `give it in ${type.unit}`,
    );
  }
  if (base.n < 0n && kind !== 'money') return fail('negative', `'${name}' can't be less than nothing`);
  return { json: amountJson(base, shown) };
}

/** The decimal as it was given, to its last digit: a figure must not move by being stored. */
function amountJson(base: rationals.Rational, shown: string): JsonValue {
  const factor = unit(shown)?.factor ?? rationals.ONE;
  return { value: rationals.toDecimal(rationals.divide(base, factor), 20), unit: shown };
}

/** Counts are whole and small enough to stay exact as a JSON number. */
function parseCount(name: string, input: unknown): ParsedValue {
  const text = typeof input === 'number' ? String(input) : input;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return { json: Number(text) };
  return fail(
    'not-a-count',
    `'${name}' is a count, but here stands ${nameOf(input)}`,
    'write a whole number, such as 2',
  );
}

function parseChoice(name: string, of: readonly string[], input: unknown): ParsedValue {
  if (typeof input === 'string' && of.includes(input)) return { json: input };
  const near = typeof input === 'string' ? nearest(input, of) : undefined;
  const hint = near === undefined ? `use one of ${of.join(', ')}` : `did you mean '${near}'?`;
  return fail('not-a-choice', `'${name}' is one of ${of.join(', ')}, but here stands ${nameOf(input)}`, hint);
}

/** Texts that the log could not store are refused here, at the border, and never cut or cleaned. */
function parseText(name: string, type: ValueType, input: unknown): ParsedValue {
  if (typeof input !== 'string') {
    return fail(
      'wrong-type',
      `'${name}' is ${describeType(type)}, but here stands ${nameOf(input)}`,
      'write a text',
    );
  }
  const bad = unstorable(input);
  if (bad) return fail('not-storable', `'${name}': ${bad.why}`, 'take the character out');
  if (input.trim() === '')
    return fail('empty-text', `'${name}' is empty`, 'leave it out where it is not known');
  if (input.length > LONGEST_TEXT) {
    return fail('too-long', `'${name}' has ${input.length} characters`, `write at most ${LONGEST_TEXT}`);
  }
  return { json: type.is === 'reference' ? normaliseKey(input) : input };
}

/** Days that no calendar has are refused: 30 February never becomes 2 March. */
function parseDate(name: string, input: unknown): ParsedValue {
  if (typeof input !== 'string') {
    return fail(
      'wrong-type',
      `'${name}' is a date, but here stands ${nameOf(input)}`,
      'write it as "2027-07-03"',
    );
  }
  const date = parseLocalDate(input);
  if (date) return { json: date };
  const hint = input.includes('T') ? 'give the day alone, as "2027-07-03"' : 'write it as "2027-07-03"';
  return fail('no-date', `'${name}': ${nameOf(input)} is no date`, hint);
}

/** An instant needs its offset: without one it would be read in the zone of whatever machine reads it. */
function parseTime(name: string, input: unknown): ParsedValue {
  if (typeof input !== 'string') {
    const hint = 'write it as "2027-07-03T15:00:00-05:00"';
    return fail('wrong-type', `'${name}' is a time, but here stands ${nameOf(input)}`, hint);
  }
  const parsed = parseInstant(input);
  if ('ms' in parsed) return { json: isoInstant(parsed.ms) };
  return fail('no-instant', `'${name}': ${parsed.why}`, 'give date, time and offset');
}

/** Order is kept, doubles are refused: two entries of one name are more likely a slip than a wish. */
function parseSet(name: string, type: Extract<ValueType, { is: 'set' }>, input: unknown): ParsedValue {
  if (!Array.isArray(input)) {
    return fail(
      'wrong-type',
      `'${name}' is a set, but here stands ${nameOf(input)}`,
      type.each ? 'write a list, such as ["2027-07-05"]' : 'write a list, such as ["a", "b"]',
    );
  }
  if (input.length > LONGEST_LIST) return fail('too-long', `'${name}' has ${input.length} entries`);
  const entry = entryType(type);
  const parsed = input.map((one: unknown, index) => within(parseValue(name, entry, one), `/${index}`));
  const faults = parsed.flatMap((one) => ('faults' in one ? one.faults : []));
  if (faults.length > 0) return { faults };
  const values = parsed.flatMap((one) => ('json' in one ? [one.json] : []));
  const doubled = values.findIndex((one, index) => values.indexOf(one) !== index);
  if (doubled < 0) return { json: values };
  return fail('doubled', `'${name}' names ${nameOf(values[doubled])} twice`, 'name it once', `/${doubled}`);
}

/** Rows come from a ledger; callers send them only to ask what would be (checks, cases). */
function parseSeries(name: string, fields: ReadonlyMap<string, ValueType>, input: unknown): ParsedValue {
  if (!Array.isArray(input)) {
    return fail(
      'wrong-type',
      `'${name}' is a series, but here stands ${nameOf(input)}`,
      'write a list of rows',
    );
  }
  if (input.length > LONGEST_LIST) return fail('too-long', `'${name}' has ${input.length} rows`);
  const rows = input.map((row: unknown, index) => within(parseRow(name, fields, row), `/${index}`));
  const faults = rows.flatMap((row) => ('faults' in row ? row.faults : []));
  return faults.length > 0 ? { faults } : { json: rows.flatMap((row) => ('json' in row ? [row.json] : [])) };
}

function parseRow(name: string, fields: ReadonlyMap<string, ValueType>, row: unknown): ParsedValue {
  if (!isJsonObject(row))
    return fail('wrong-type', `a row of '${name}' is an object, but here stands ${nameOf(row)}`);
  const faults: ValueFault[] = [];
  const entries: [string, JsonValue][] = [];
  for (const [field, value] of Object.entries(row)) {
    const type = fields.get(field);
    if (!type) {
      const near = nearest(field, fields.keys());
      const hint = near === undefined ? `use ${[...fields.keys()].join(', ')}` : `did you mean '${near}'?`;
      faults.push({
        code: 'unknown-field',
        detail: `a row of '${name}' has no '${field}'`,
        hint,
        below: below(field),
      });
    } else if (value === null) entries.push([field, null]);
    else {
      const parsed = within(parseValue(field, type, value), below(field));
      if ('json' in parsed) entries.push([field, parsed.json]);
      else faults.push(...parsed.faults);
    }
  }
  return faults.length > 0 ? { faults } : { json: Object.fromEntries(entries) };
}

const below = (key: string): string => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;

/** Moves the place of each fault below the value that holds it. */
function within(parsed: ParsedValue, at: string): ParsedValue {
  if ('json' in parsed) return parsed;
  return { faults: parsed.faults.map((fault) => ({ ...fault, below: `${at}${fault.below ?? ''}` })) };
}

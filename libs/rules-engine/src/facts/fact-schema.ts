import { unitNames, unit, type JsonObject } from '@headworks/kernel';
import type { FactDef } from '../api';
import { entryType, type ValueType } from '../model/types';

interface KnownFact {
  readonly def: FactDef;
  readonly type: ValueType;
}

/** JSON Schema (2020-12) of an object of facts: what forms show and OpenAPI documents. `parseFacts` has the last word. */
export function factSchema(
  known: ReadonlyMap<string, KnownFact>,
  names: Iterable<string>,
  required: Iterable<string>,
): JsonObject {
  const properties: [string, JsonObject][] = [];
  for (const name of names) {
    const fact = known.get(name);
    if (fact) properties.push([name, propertyOf(fact)]);
  }
  const needed = [...required];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/** Label and question become title and description, so that a form can be drawn from the schema alone. */
function propertyOf({ def, type }: KnownFact): JsonObject {
  const shape = shapeOf(type);
  const notes = [
    def.ask,
    def.personal ? 'Personal: sealed in the log.' : undefined,
    def.holds === 'day' ? 'True for its own local day only.' : undefined,
  ].filter((note) => note !== undefined);
  return {
    title: def.label,
    ...(notes.length > 0 ? { description: notes.join(' ') } : {}),
    ...(def.optional
      ? { anyOf: [shape, { type: 'null', description: 'Known not to have happened.' }] }
      : shape),
  };
}

/** The shape a caller may send; what is stored may be another (a quantity sent as text is stored as an object). */
function shapeOf(type: ValueType): JsonObject {
  switch (type.is) {
    case 'quantity':
      return type.kind === 'count' ? { type: 'integer', minimum: 0 } : quantityShape(type);
    case 'bool':
      return { type: 'boolean' };
    case 'choice':
      return { enum: type.of };
    case 'set':
      return { type: 'array', uniqueItems: true, items: shapeOf(entryType(type)) };
    case 'reference':
    case 'text':
    case 'address':
    case 'actor':
      return { type: 'string', minLength: 1 };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'instant':
      return { type: 'string', format: 'date-time' };
    case 'series':
      return { type: 'array', items: rowShape(type.fields) };
    case 'none':
      return { type: 'null' };
  }
}

const rowShape = (fields: ReadonlyMap<string, ValueType>): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries([...fields].map(([name, type]) => [name, shapeOf(type)])),
  additionalProperties: false,
});

/** Text or object, as the contract allows both; rates have more units than could be listed. */
function quantityShape(type: Extract<ValueType, { is: 'quantity' }>): JsonObject {
  const units = unitNames().filter((name) => unit(name)?.kind === type.kind);
  if (!units.includes(type.unit)) units.unshift(type.unit);
  const value: JsonObject = {
    type: ['string', 'number'],
    pattern: '^-?[0-9]{1,30}(\\.[0-9]{1,20})?$',
    description: 'An exact decimal.',
  };
  return {
    oneOf: [
      { type: 'string', description: `A number and a unit, such as "612 ${type.unit}".` },
      {
        type: 'object',
        properties: { value, unit: type.kind.includes('/') ? { type: 'string' } : { enum: units } },
        required: ['value', 'unit'],
        additionalProperties: false,
      },
    ],
    examples: [`612 ${type.unit}`],
  };
}

import type { JsonObject, JsonValue } from '@headworks/kernel';

/**
 * Building blocks of the published schemas. `x-error` holds the sentence for a keyword that fails (ajv's own words say
 * what the schema is, not what to do); `x-keys` are the words one of which decides, `x-known` those that may stand beside them.
 */
export type Shape = JsonObject;

export const WORD = '^[a-z][a-z0-9_]*$';
export const CLAUSE_ID = '^[A-Za-z0-9][A-Za-z0-9._()-]*$';

interface ObjectOptions {
  readonly required?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
  readonly rest?: Readonly<Record<string, JsonValue>>;
}

/** A mapping with exactly these keys. */
export function object(properties: Readonly<Record<string, Shape>>, options: ObjectOptions = {}): Shape {
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(options.required ? { required: options.required } : {}),
    ...(options.errors ? { 'x-error': options.errors } : {}),
    ...options.rest,
  };
}

/** A mapping from names to one shape. */
export function named(shape: Shape, pattern = WORD): Shape {
  return {
    type: 'object',
    propertyNames: {
      pattern,
      'x-error': { pattern: 'names are lower-case words joined by _, such as length_of_fence' },
    },
    additionalProperties: shape,
  };
}

export const list = (items: Shape, minItems = 1): Shape => ({ type: 'array', items, minItems });
export const oneOf = (words: readonly string[]): Shape => ({ enum: words });
export const ref = (name: string): Shape => ({ $ref: `#/$defs/${name}` });
export const described = (shape: Shape, description: string): Shape => ({ ...shape, description });

export const text: Shape = { type: 'string', minLength: 1 };
export const word: Shape = {
  type: 'string',
  pattern: WORD,
  'x-error': { pattern: 'write a lower-case word, such as length_of_fence' },
};
export const words = list(word);
const idError = { 'x-error': { pattern: 'a clause id has letters, digits and . _ ( ) -, such as 4.2.a' } };
export const clauseId: Shape = { type: 'string', pattern: CLAUSE_ID, ...idError };
/** As the name of an entry. */
export const clauseKey: Shape = { pattern: CLAUSE_ID, ...idError };
/** Packs and schedules are named as their files are. */
export const fileName: Shape = {
  type: 'string',
  pattern: '^[a-z][a-z0-9-]*$',
  'x-error': { pattern: 'write lower-case words joined by -, as the file is named' },
};
export const clauseIds = list(clauseId);
export const rows = list({
  type: 'string',
  pattern: '^[A-Z]{2}-[0-9]{2,3}[a-z]?$',
  'x-error': { pattern: 'a row id looks like AB-07' },
});
/** YAML 1.2 reads yes and no as words; both spellings mean the same. */
export const yesNo: Shape = { enum: ['yes', 'no', true, false] };
export const date: Shape = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  'x-error': { pattern: 'write a date as 2027-07-03, in quotes' },
};

/**
 * Picks one shape by the key that is there: each mistake then gives the message of its own branch alone, where anyOf
 * would give those of all. `known` words are right beside any of them, so none is taken for a misspelt one.
 */
export function byKey(
  branches: readonly (readonly [key: string, shape: Shape])[],
  otherwise: string,
  known: readonly string[] = [],
): Shape {
  const none: Shape = {
    not: {},
    'x-error': { not: otherwise },
    'x-keys': branches.map(([key]) => key),
    ...(known.length > 0 ? { 'x-known': known } : {}),
  };
  return branches.reduceRight<Shape>(
    (rest, [key, shape]) => ({ if: { required: [key] }, then: shape, else: rest }),
    none,
  );
}

import { ValidateBy, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import { Type } from 'class-transformer';
import { JSONSchema } from 'class-validator-jsonschema';
import { parseInstant, parseLocalDate, parseQuantity } from '@headworks/kernel';

/**
 * The words that a request's shape is written in. Each is a decorator of class-validator and stands in `converters`
 * too, so that one class is checked, compiled for Ajv and shown in OpenAPI. A new word needs all three: shapes.spec.ts
 * compares them on generated bodies.
 */
type Says = (value: unknown, name: string) => string;

function word(
  name: string,
  validate: (value: unknown) => boolean,
  says: Says,
  description: string,
  constraints: unknown[] = [],
): PropertyDecorator {
  const message = ({ value, property }: ValidationArguments): string => says(value, property);
  const check = ValidateBy(
    { name, constraints, validator: { validate, defaultMessage: () => '' } },
    { message },
  );
  return both(check, described(description));
}

/** What OpenAPI says of a member. */
const described = (description: string): PropertyDecorator =>
  JSONSchema({ description }) as PropertyDecorator;

const both =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of decorators) decorate(target, key);
  };

/** May be left out. `null` is a value and is not the same. */
export const Optional = (): PropertyDecorator => ValidateIf((_object, value) => value !== undefined);

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ajv counts code points; so does this. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _point of text) length++;
  return length;
};

export const Text = (most: number, description: string): PropertyDecorator =>
  word(
    'text',
    (value) => typeof value === 'string' && isText(value, most),
    (_value, name) => `'${name}' must be a text of 1 to ${most} characters.`,
    description,
    [most],
  );

// Names are compared trimmed: one that is only white space names nothing.
const isText = (value: string, most: number): boolean => /\S/.test(value) && lengthOf(value) <= most;

export const OneOf = (choices: readonly string[], description: string): PropertyDecorator =>
  word(
    'oneOf',
    (value) => typeof value === 'string' && choices.includes(value),
    (_value, name) => `'${name}' must be one of ${choices.join(', ')}.`,
    description,
    [choices],
  );

/** A list of texts: names of facts, of clauses. */
export const Texts = (most: number, description: string, least = 0): PropertyDecorator =>
  word(
    'texts',
    (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      value.length <= TEXTS_MOST &&
      value.every((one) => typeof one === 'string' && isText(one, most)),
    (_value, name) =>
      `'${name}' must be a JSON array of ${least} to ${TEXTS_MOST} texts of 1 to ${most} characters.`,
    description,
    [most, least],
  );

export const TEXTS_MOST = 200;

/** A text of a pattern, with the sentence that says which. */
export const Written = (pattern: RegExp, as: string, description: string): PropertyDecorator =>
  word(
    'written',
    (value) => typeof value === 'string' && pattern.test(value),
    (_value, name) => `'${name}' must be ${as}.`,
    description,
    [pattern.source],
  );

export const Yes = (description: string): PropertyDecorator =>
  word(
    'flag',
    (value) => typeof value === 'boolean',
    (_value, name) => `'${name}' must be true or false, without quotes.`,
    description,
  );

export const Instant = (description: string): PropertyDecorator =>
  word(
    'instant',
    isInstant,
    (value, name) => {
      const parsed = typeof value === 'string' ? parseInstant(value) : undefined;
      const why = parsed && 'why' in parsed ? parsed.why : 'write it as 2027-07-03T15:00:00-05:00';
      return `'${name}' is no instant: ${why}.`;
    },
    description,
  );

export const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && 'ms' in parseInstant(value);

export const Day = (description: string): PropertyDecorator =>
  word(
    'day',
    isDay,
    (_value, name) => `'${name}' is no date: write a day of the calendar as 2027-07-03.`,
    description,
  );

export const isDay = (value: unknown): boolean =>
  typeof value === 'string' && parseLocalDate(value) !== undefined;

export const Amount = (description: string): PropertyDecorator =>
  word(
    'amount',
    isAmount,
    (value, name) => {
      const parsed = parseQuantity(value);
      if (parsed.ok) return '';
      return `'${name}': ${parsed.why}${parsed.hint === undefined ? '' : `; ${parsed.hint}`}.`;
    },
    description,
  );

export const isAmount = (value: unknown): boolean => parseQuantity(value).ok;

/** An object whose members others check: facts (the pack), a geometry (the use-case). */
export const Open = (description: string): PropertyDecorator =>
  word('open', isPlain, (_value, name) => `'${name}' must be a JSON object.`, description);

/** Any value but null. */
export const Anything = (description: string): PropertyDecorator =>
  word(
    'anything',
    (value) => value !== undefined && value !== null,
    (_value, name) => `'${name}' must be given, or left out; null says nothing.`,
    description,
  );

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** An id in a body or a parameter. */
export const Id = (description: string): PropertyDecorator =>
  Written(UUID, 'a UUID as this server gave it', description);

/** The same, or null where a caller may say "none" aloud. */
export const IdOrNull = (description: string): PropertyDecorator =>
  word(
    'idOrNull',
    (value) => value === null || (typeof value === 'string' && UUID.test(value)),
    (_value, name) => `'${name}' must be a UUID as this server gave it, null, or left out.`,
    description,
    [UUID.source],
  );

type Class = new () => object;

/** Classes of nested objects, by the class and key that hold them. */
const inside = new Map<unknown, Map<string, () => Class>>();

const holds =
  (of: () => Class): PropertyDecorator =>
  (target, key) => {
    const members = inside.get(target.constructor) ?? new Map<string, () => Class>();
    inside.set(target.constructor, members.set(String(key), of));
  };

export const nestedClass = (holder: unknown, key: string): Class | undefined =>
  inside.get(holder)?.get(key)?.();

/** An object of another shape. class-validator alone would take an array of them as well. */
export const Nested = (of: () => Class, description: string): PropertyDecorator =>
  both(
    holds(of),
    word('object', isPlain, (_value, name) => `'${name}' must be a JSON object.`, description),
    ValidateNested(),
    Type(of),
  );

/** A list of objects. class-validator alone would take lists of lists. */
export const ListOf = (of: () => Class, most: number, description: string, least = 0): PropertyDecorator =>
  both(
    holds(of),
    word(
      'objects',
      (value) => isListOfObjects(value, least, most),
      (_value, name) => `'${name}' must be a JSON array of ${least} to ${most} objects.`,
      description,
      [least, most],
    ),
    ValidateNested({ each: true }),
    Type(of),
  );

const isListOfObjects = (value: unknown, least: number, most: number): boolean =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(isPlain);

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { ValidationTypes } from 'class-validator';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { isAmount, isDay, isInstant, nestedClass, TEXTS_MOST } from './decorators';

export type Schema = { readonly [member: string]: unknown };
type Converters = NonNullable<
  NonNullable<Parameters<typeof validationMetadatasToSchemas>[0]>['additionalConverters']
>;

/** What class-validator knows of one decorator on one property. */
interface Meta {
  readonly target: unknown;
  readonly propertyName: string;
  readonly constraints?: unknown[];
}
const constraint = <T>({ constraints = [] }: Meta): T => constraints[0] as T;

/** What each word of `decorators.ts` is in JSON Schema. `headworks-*` are formats and a keyword of ours, see `newAjv`. */
const converters = {
  text: (meta: Meta) => ({ type: 'string', maxLength: constraint<number>(meta), pattern: '\\S' }),
  oneOf: (meta: Meta) => ({ type: 'string', enum: constraint<string[]>(meta) }),
  written: (meta: Meta) => ({ type: 'string', pattern: constraint<string>(meta) }),
  texts: ({ constraints: [most, least] = [] }: Meta) => ({
    type: 'array',
    minItems: least,
    maxItems: TEXTS_MOST,
    items: { type: 'string', maxLength: most, pattern: '\\S' },
  }),
  flag: { type: 'boolean' },
  instant: { type: 'string', format: 'headworks-instant' },
  day: { type: 'string', format: 'headworks-day' },
  amount: { 'x-headworks-amount': true },
  open: { type: 'object' },
  anything: { not: { type: 'null' } },
  idOrNull: (meta: Meta) => ({ type: ['string', 'null'], pattern: constraint<string>(meta) }),
  object: { type: 'object' },
  objects: ({ constraints: [least, most] = [] }: Meta) => ({
    type: 'array',
    minItems: least,
    maxItems: most,
  }),
  [ValidationTypes.NESTED_VALIDATION]: (meta: Meta, { refPointerPrefix }: { refPointerPrefix: string }) => ({
    $ref: `${refPointerPrefix}${nestedClass(meta.target, meta.propertyName)?.name ?? ''}`,
  }),
};

/** The same for people and generators of clients, in words that every tool of OpenAPI knows. */
const shownAs = {
  ...converters,
  instant: { type: 'string', format: 'date-time', examples: ['2027-07-03T15:00:00-05:00'] },
  day: { type: 'string', format: 'date' },
  amount: { $ref: '#/components/schemas/Quantity' },
  anything: {},
};

/** JSON Schemas of every DTO, by the name of its class. */
function schemasOf(
  converting: typeof converters | typeof shownAs,
  refs: string,
): Readonly<Record<string, Schema>> {
  const schemas = validationMetadatasToSchemas({
    additionalConverters: converting as Converters,
    refPointerPrefix: refs,
  });
  return {
    ...Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, closed(schema as Schema)] as const),
    ),
    // A class without a decorator is none that class-validator knows.
    NoQuery: closed({ type: 'object', properties: {} }),
  };
}

/** Unknown keys are refused, never dropped. */
const closed = (schema: Schema): Schema => ({ ...schema, additionalProperties: false });

export const shownSchemas = (): Readonly<Record<string, Schema>> =>
  schemasOf(shownAs, '#/components/schemas/');

export type Verdict = ValidateFunction;

/**
 * Ajv on the DTOs: it changes nothing of what it reads (no coercion, no defaults, no key taken out). `all` collects
 * every error and is for bodies that were refused; the other stops at the first and is for the hot path.
 */
export function newAjv(all: boolean): (name: string) => Verdict {
  const ajv = new Ajv2020({
    allErrors: all,
    verbose: all,
    strict: true,
    strictTypes: false,
    ownProperties: true,
  });
  ajv.addFormat('headworks-instant', isInstant);
  ajv.addFormat('headworks-day', isDay);
  ajv.addKeyword({
    keyword: 'x-headworks-amount',
    validate: (_yes: unknown, value: unknown) => isAmount(value),
  });
  const schemas = schemasOf(converters, 'shape:');
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `shape:${name}`);
  return (name) => {
    const validate = ajv.getSchema(`shape:${name}`);
    if (!validate)
      throw new Error(`${name} has no decorator of shapes/decorators.ts; a body needs a DTO with some.`);
    return validate;
  };
}

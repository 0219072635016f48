import { nearest } from '@headworks/kernel';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { publishedSchemas } from '../schema/file-schemas';
import type { Path, YamlFile } from './yaml-file';

// Strict about the schemas themselves; if/then needs types and required keys in more than one place.
const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: false, strictRequired: false });
ajv.addVocabulary(['x-error', 'x-keys', 'x-known']);
const compiled = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known) return known;
  const schema = publishedSchemas().get(name);
  if (!schema) throw new Error(`There is no schema '${name}'; add it to publishedSchemas.`);
  const made = ajv.compile(schema);
  compiled.set(name, made);
  return made;
}

/** Names what a place of a file stands in, for messages: `clause 4.2`. */
export type Where = (path: Path) => string | undefined;

/** Checks a file against a published schema; every failure becomes one problem in words. True where there is none. */
export function validate(file: YamlFile, schema: string, where: Where): boolean {
  const check = validator(schema);
  if (check(file.data)) return true;
  const errors = (check.errors ?? []).filter((error) => !['if', 'propertyNames'].includes(error.keyword));
  for (const error of withoutEchoes(errors)) {
    const path = pathOf(error, file.data);
    const options = { key: isAboutKey(error), ...withWhere(where(path)) };
    file.problem(path, messageOf(error, file.written(path)), options);
  }
  return false;
}

const withWhere = (where: string | undefined): { where?: string } => (where === undefined ? {} : { where });
const isAboutKey = (error: ErrorObject): boolean =>
  error.keyword === 'additionalProperties' || error.propertyName !== undefined;

/** The errors that say something of their own: a misspelt key is not also a missing one. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const strays = errors.filter((error) => error.keyword === 'additionalProperties');
  const lacking = new Set(
    errors.filter(({ keyword }) => keyword === 'required').map(({ instancePath }) => instancePath),
  );
  const typed = new Set<string>();
  return errors.filter((error) => {
    if (error.keyword === 'type') {
      if (typed.has(error.instancePath)) return false;
      typed.add(error.instancePath);
      return true;
    }
    const here = strays.filter((stray) => stray.instancePath === error.instancePath && stray !== error);
    if (error.keyword === 'minProperties' || error.keyword === 'maxProperties') {
      return here.length === 0 && !lacking.has(error.instancePath);
    }
    if (error.keyword !== 'required') return true;
    return !here.some((stray) => suggestion(stray) === missingOf(error));
  });
}

const param = (error: ErrorObject, name: string): string => String(error.params[name]);
const missingOf = (error: ErrorObject): string => param(error, 'missingProperty');
const extension = (error: ErrorObject, name: string): unknown => error.parentSchema?.[name];

function suggestion(error: ErrorObject): string | undefined {
  const properties = extension(error, 'properties') ?? {};
  return nearest(param(error, 'additionalProperty'), Object.keys(properties));
}

/** ajv points at the mapping; a stray key is shown where the key itself stands. */
function pathOf(error: ErrorObject, data: unknown): Path {
  const path: (string | number)[] = [];
  let value: unknown = data;
  for (const raw of error.instancePath.split('/').slice(1)) {
    const segment = raw.replace(/~1/g, '/').replace(/~0/g, '~');
    path.push(Array.isArray(value) ? Number(segment) : segment);
    value = (value as Record<string, unknown> | undefined)?.[segment];
  }
  if (error.keyword === 'additionalProperties') path.push(param(error, 'additionalProperty'));
  if (error.propertyName !== undefined) path.push(error.propertyName);
  return path;
}

/** The sentence of the schema where it has one, else a plain one: never the words of the validator. */
function messageOf(error: ErrorObject, written: string | undefined): string {
  const own = (extension(error, 'x-error') as Record<string, string> | undefined)?.[error.keyword];
  if (error.keyword === 'additionalProperties') return strayMessage(error);
  if (error.keyword === 'not') return `${own ?? 'this has no place here'}${misspelt(error)}`;
  if (error.keyword === 'type' && typeof error.data === 'number' && wantsText(error)) {
    const shown = written ?? String(error.data);
    return `${shown} is read as the number ${error.data}: put it in quotes, "${shown}"`;
  }
  if (own) return `${shownData(error)}${own}`;
  return plainMessage(error);
}

function strayMessage(error: ErrorObject): string {
  const key = param(error, 'additionalProperty');
  const near = suggestion(error);
  const known = Object.keys(extension(error, 'properties') ?? {});
  const advice = near ? `did you mean '${near}'?` : `use ${known.join(', ')}`;
  return `'${key}' has no place here: ${advice}`;
}

/** Where none of the deciding words is there, one of the words that are may be a misspelt one. */
function misspelt(error: ErrorObject): string {
  const keys = extension(error, 'x-keys');
  if (!Array.isArray(keys) || typeof error.data !== 'object' || error.data === null) return '';
  const known = extension(error, 'x-known');
  for (const key of Object.keys(error.data)) {
    if (Array.isArray(known) && known.includes(key)) continue;
    const near = nearest(key, keys as string[]);
    if (near) return `: did you mean '${near}' by '${key}'?`;
  }
  return '';
}

function wantsText(error: ErrorObject): boolean {
  return error.params['type'] === 'string';
}

function shownData(error: ErrorObject): string {
  if (error.propertyName !== undefined) return `'${error.propertyName}' can't be a name: `;
  if (typeof error.data === 'string' || typeof error.data === 'number') return `'${error.data}': `;
  return '';
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  object: 'a mapping (key: value)',
  array: 'a list ([a, b])',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** What was expected, in the words of the format and not of JSON Schema. */
function plainMessage(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return `'${missingOf(error)}' is missing`;
    case 'type': {
      const wanted = [error.params['type'] as string | string[]].flat();
      return `here stands ${nameOf(error.data)}, but ${wanted.map((t) => KIND_WORDS[t] ?? t).join(' or ')} belongs here`;
    }
    case 'enum': {
      const allowed = (error.params['allowedValues'] as unknown[]).map(String);
      const near = nearest(String(error.data), allowed);
      return `${nameOf(error.data)} is none of ${allowed.join(', ')}${near ? `: did you mean '${near}'?` : ''}`;
    }
    case 'minItems':
      return error.params['limit'] === 1 ? 'the list is empty: name at least one' : `too few entries here`;
    case 'minLength':
      return 'the text is empty';
    default:
      return `${shownData(error)}this is not written as it should be here`;
  }
}

function nameOf(data: unknown): string {
  if (data === null) return 'nothing';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object') return 'a mapping';
  return `'${typeof data === 'string' ? data : JSON.stringify(data)}'`;
}

import type { ErrorObject } from 'ajv';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { nearest, type Fault } from '@headworks/kernel';
import { newAjv, type Verdict } from './schemas';

type Class = new () => object;
export type Place = 'body' | 'query';

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};
// Compiled at first use: by then every DTO's decorators have run.
const hot = lazily(() => newAjv(false));
const thorough = lazily(() => newAjv(true));
const verdicts = new Map<Class, Verdict>();

/** Whether the value has the shape: some microseconds, whatever the shape. */
export function hasShape(shape: Class, value: unknown): boolean {
  let verdict = verdicts.get(shape);
  if (!verdict) verdicts.set(shape, (verdict = hot()(shape.name)));
  return verdict(value) === true;
}

/**
 * All that is wrong with a value that Ajv refused. class-validator has the words; of Ajv come unknown keys (with the
 * nearest known one) and any place that class-validator passes, so that what is refused is never without a fault.
 */
export function faultsOf(shape: Class, value: unknown, place: Place): readonly Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [noObject(value)];
  const verdict = thorough()(shape.name);
  verdict(value);
  const errors = verdict.errors ?? [];
  const faults = new Map<string, Fault>();
  const put = (fault: Fault): void => {
    const pointer = fault.pointer ?? '';
    if (!faults.has(pointer)) faults.set(pointer, fault);
  };
  errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .forEach((error) => put(unknownKey(error, place)));
  // Of a list with a bad element, the element is named and not the list.
  const named = ({ pointer, code }: Fault): boolean =>
    code !== 'objects' || !errors.some(isBelow(pointer ?? ''));
  wordsOf(validateSync(plainToInstance(shape, ownNames(value)), OPTIONS), '')
    .filter(named)
    .forEach(put);
  const said = [...faults.keys()];
  errors
    .filter((error) => !said.some((pointer) => covers(pointer, error)))
    .forEach((error) => put(bare(error)));
  return [...faults.values()].map((fault) => (place === 'body' ? fault : withoutPointer(fault)));
}

// A parameter called `constructor` would be taken for the class of the object; it is refused as unknown above.
const ownNames = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !(key in Object.prototype)));

const OPTIONS = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
};

function noObject(value: unknown): Fault {
  const what = value === undefined ? 'missing' : value === null ? 'null' : `no object but ${kindOf(value)}`;
  return { pointer: '', code: 'no-object', detail: `The body is ${what}.`, hint: 'send a JSON object' };
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'an array' : `a ${typeof value}`);

function unknownKey({ instancePath, params, parentSchema }: ErrorObject, place: Place): Fault {
  const key = String((params as { additionalProperty: unknown }).additionalProperty);
  const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const near = nearest(key, known);
  const hint = near === undefined ? `known here: ${known.join(', ')}` : `did you mean '${near}'?`;
  const what = place === 'body' ? `'${key}' has no place here` : `There is no parameter '${key}' here`;
  return {
    pointer: `${instancePath}/${escape(key)}`,
    code: place === 'body' ? 'unknown-key' : 'unknown-parameter',
    detail: `${what}.`,
    ...(known.length > 0 && { hint }),
  };
}

const escape = (key: string): string => key.replace(/~/g, '~0').replace(/\//g, '~1');

function wordsOf(errors: readonly ValidationError[], above: string): readonly Fault[] {
  // A class without a decorator gives an error without a property.
  const known = errors.filter(({ property }) => (property as string | undefined) !== undefined);
  return known.flatMap(({ property, value, constraints = {}, children = [] }) => {
    const pointer = `${above}/${escape(property)}`;
    const { whitelistValidation: _unknown, ...broken } = constraints;
    const [[code, detail] = ['', '']] = Object.entries(broken);
    // What is inside of a value of the wrong kind was never meant.
    const wrongKind = code === 'object' || (code === 'objects' && !Array.isArray(value));
    const inner = wrongKind ? [] : wordsOf(children, pointer);
    if (code === '') return inner;
    if (value !== undefined) return [{ pointer, code: kebab(code), detail }, ...inner];
    return [{ pointer, code: 'missing', detail: `'${property}' is missing.`, hint: detail }];
  });
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isBelow =
  (pointer: string) =>
  ({ instancePath }: ErrorObject): boolean =>
    instancePath.startsWith(`${pointer}/`);

/** Whether a fault that is said already is about the same place, or a place around it. */
function covers(pointer: string, { instancePath, params, keyword }: ErrorObject): boolean {
  const { missingProperty } = params as { missingProperty?: string };
  const at = keyword === 'required' ? `${instancePath}/${escape(missingProperty ?? '')}` : instancePath;
  const unknown = keyword === 'additionalProperties';
  return unknown || pointer === at || at.startsWith(`${pointer}/`) || (keyword !== 'required' && at === '');
}

const bare = ({ instancePath, message = 'is not acceptable' }: ErrorObject): Fault => ({
  pointer: instancePath,
  code: 'shape',
  detail: `${instancePath === '' ? 'The body' : `'${instancePath}'`} ${message}.`,
});

/** Pointers are places of the body: a parameter is named by its sentence alone. */
const withoutPointer = ({ pointer: _pointer, ...fault }: Fault): Fault => fault;

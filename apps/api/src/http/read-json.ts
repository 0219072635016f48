import { isUtf8 } from 'node:buffer';
import type { Fault } from '@headworks/kernel';
import { CodedError } from '@headworks/kernel';
import { HttpProblem } from './problems';
import { placeOf, scanJson } from './scan-json';

/** GeoJSON's MultiPolygon is the deepest thing that anyone has a reason to send: six levels. */
const MOST_DEEP = 24;
const MOST_FAULTS = 50;

/**
 * Reads a body. What JSON allows and the log, or JavaScript, can't carry is refused here for every endpoint at once:
 * NUL and half surrogates, names that every object has (`__proto__`, `constructor`), keys written twice, numbers that
 * a double can't hold, nesting without end.
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw new HttpProblem('malformed-json', 'The body is not UTF-8; encode it as UTF-8 and send it again.');
  }
  const text = bytes.toString('utf8');
  const value = parse(text);
  const faults: Writable[] = [];
  const keys = walk(value, 0, faults);
  if (keys !== countColons(bytes)) {
    for (const pointer of scanJson(text).duplicates) {
      faults.push({ pointer, code: 'doubled-key', detail: 'The key stands twice; send it once.' });
    }
  }
  if (faults.length === 0) return value;
  throw new CodedError('invalid-request', 'The body holds what can not be recorded.', faults);
}

type Writable = { -readonly [member in keyof Fault]: Fault[member] };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw new HttpProblem('malformed-json', 'The body is empty; send a JSON object.');
    const stop = scanJson(text).stop ?? { offset: 0, expected: 'a value' };
    const { line, column } = placeOf(text, stop.offset);
    const found =
      stop.offset < text.length ? `'${text.charAt(stop.offset)}' stands there` : 'the body ends there';
    throw new HttpProblem(
      'malformed-json',
      `The body is no JSON: line ${line}, column ${column} should be ${stop.expected}, but ${found}.`,
      [],
      { line, column },
    );
  }
}

/** Adds what is wrong below the value, pointers written on the way back up; returns how many keys there are. */
function walk(value: unknown, depth: number, faults: Writable[]): number {
  if (typeof value === 'string') return checkText(value, faults);
  if (typeof value === 'number') return checkNumber(value, faults);
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MOST_DEEP) {
    add(faults, 'too-deep', `The body is nested more than ${MOST_DEEP} levels deep; send it flatter.`);
    return 0;
  }
  let keys = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const before = faults.length;
      keys += walk(value[index], depth + 1, faults);
      if (faults.length > before) under(faults, before, String(index));
    }
    return keys;
  }
  for (const [key, inner] of Object.entries(value)) {
    const before = faults.length;
    checkText(key, faults);
    if (key in Object.prototype)
      add(faults, 'forbidden-key', `'${key}' is no name for a key here; leave it out.`);
    keys += 1 + walk(inner, depth + 1, faults);
    if (faults.length > before) under(faults, before, key);
  }
  return keys;
}

function checkText(text: string, faults: Writable[]): 0 {
  if (text.includes('\0')) add(faults, 'nul', 'The text holds a NUL character; take it out.');
  else if (!text.isWellFormed()) {
    add(faults, 'half-character', 'The text holds half of a surrogate pair; write the whole character.');
  }
  return 0;
}

function checkNumber(number: number, faults: Writable[]): 0 {
  if (!Number.isFinite(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    add(faults, 'inexact-number', 'The number is too large to be exact here; write it as a decimal string.');
  }
  return 0;
}

function add(faults: Writable[], code: string, detail: string): void {
  if (faults.length < MOST_FAULTS) faults.push({ pointer: '', code, detail });
}

function under(faults: Writable[], from: number, key: string): void {
  const step = `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
  for (let index = from; index < faults.length; index++) {
    const fault = faults[index];
    if (fault) fault.pointer = `${step}${fault.pointer ?? ''}`;
  }
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** Colons outside of texts: as many as keys were written. Where the object has fewer, one was written twice. */
function countColons(bytes: Buffer): number {
  let count = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COLON) count++;
  }
  return count;
}

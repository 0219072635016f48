import { isJsonObject, nearest, type Fault, type JsonValue } from '@headworks/kernel';
import type { FactDef, Pack } from '../api';
import type { ValueType } from '../model/types';
import { nameOf, parseValue } from './parse-value';

type ParsedFacts = ReturnType<Pack['parseFacts']>;
interface KnownFact {
  readonly def: FactDef;
  readonly type: ValueType;
}

/**
 * Checks facts from outside and writes them in their stored form: quantities as {value, unit} with an exact decimal,
 * instants in UTC, dates as YYYY-MM-DD, null for none. Every fault at once, each with its pointer.
 */
export function parseFacts(
  known: ReadonlyMap<string, KnownFact>,
  input: unknown,
  allowed: ReadonlySet<string>,
  pointer: string,
): ParsedFacts {
  if (!isJsonObject(input)) {
    const shown = nameOf(input);
    const detail = `facts are an object, but here stands ${shown}`;
    return {
      facts: {},
      faults: [{ pointer, code: 'not-an-object', detail, hint: 'write {"name": value, ...}' }],
    };
  }
  const faults: Fault[] = [];
  const facts: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(input)) {
    const at = `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
    const fact = allowed.has(name) ? known.get(name) : undefined;
    if (!fact) {
      faults.push({ pointer: at, ...strayName(known, allowed, name) });
    } else if (value === null) {
      if (fact.def.optional) facts.push([name, null]);
      else faults.push({ pointer: at, ...notNone(name) });
    } else {
      const parsed = parseValue(name, fact.type, value);
      if ('json' in parsed) facts.push([name, parsed.json]);
      else
        faults.push(
          ...parsed.faults.map(({ below = '', ...fault }) => ({ ...fault, pointer: `${at}${below}` })),
        );
    }
  }
  return { facts: Object.fromEntries(facts), faults };
}

const notNone = (name: string): Omit<Fault, 'pointer'> => ({
  code: 'not-optional',
  detail: `'${name}' can't be none: null means that it is known not to have happened`,
  hint: 'leave it out where it is not known',
});

function strayName(
  known: ReadonlyMap<string, KnownFact>,
  allowed: ReadonlySet<string>,
  name: string,
): Omit<Fault, 'pointer'> {
  if (name === '__proto__') {
    return { code: 'unknown-fact', detail: "'__proto__' is no fact", hint: 'take it out' };
  }
  if (known.has(name)) {
    return { code: 'fact-not-allowed', detail: `'${name}' has no place here`, hint: oneOf(allowed) };
  }
  const near = nearest(name, allowed);
  const hint = near === undefined ? oneOf(allowed) : `did you mean '${near}'?`;
  return { code: 'unknown-fact', detail: `there is no fact '${name}'`, hint };
}

function oneOf(allowed: ReadonlySet<string>): string {
  const names = [...allowed];
  if (names.length === 0) return 'no fact may be given here';
  return names.length > 12 ? `one of ${names.slice(0, 12).join(', ')} ...` : `one of ${names.join(', ')}`;
}

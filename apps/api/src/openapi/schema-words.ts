import type { Schema } from '../shapes/schemas';

/** Words that the shapes of answers are written in. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const text: Schema = { type: 'string' };
export const maybeText: Schema = { type: ['string', 'null'] };
export const whole: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
export const instant: Schema = { type: 'string', format: 'date-time' };
export const maybeInstant: Schema = { type: ['string', 'null'], format: 'date-time' };
export const day: Schema = { type: 'string', format: 'date' };
/** A kind and a key, or none. */
export const maybeThing: Schema = {
  type: ['object', 'null'],
  properties: { kind: text, key: text },
  required: ['kind', 'key'],
};
export const list = (items: Schema): Schema => ({ type: 'array', items });
export const open: Schema = { type: 'object' };

/** An object: members with a `?` may be absent. Others that a later version adds are no break, so it stays open. */
export function object(members: Readonly<Record<string, Schema>>, description?: string): Schema {
  const names = Object.keys(members);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]])),
    required: names.filter((name) => !name.endsWith('?')),
  };
}

export const page = (name: string): Schema =>
  object({
    items: list(ref(name)),
    next: { ...maybeText, description: 'Cursor of the next page, or null.' },
  });

export const dry = { 'dryRun?': flag, 'events?': list(open), 'ignored?': text };
export const written = {
  'position?': { ...text, description: 'A read with `atLeast` this sees what was written.' },
  ...dry,
};
export const factsOfPack = {
  pack: text,
  packVersion: text,
  facts: { ...open, description: 'JSON Schema (2020-12) of the facts.' },
};
export const health = {
  status: text,
  faults: list(text),
  lag: { type: 'object', additionalProperties: whole },
  overdue: whole,
  late: whole,
  warnings: list(text),
};

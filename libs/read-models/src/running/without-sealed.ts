import { isSealed } from '@headworks/event-store';
import type { JsonValue } from '@headworks/kernel';

type Members = { readonly [name: string]: JsonValue };

/** What was shown of a value: the views of a process are handed the same events one after another. */
const shown = new WeakMap<object, JsonValue>();

/**
 * The value without the personal fields in it, wherever they are: those stay in the log, under their keys. Taken out
 * before any view sees the event, so that no view can come to hold one, whatever a pack calls personal.
 */
export function withoutSealed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  let known = shown.get(value);
  if (known === undefined) {
    known = cleared(value);
    shown.set(value, known);
  }
  return known;
}

/** Only what stands above a sealed field is copied, and texts are not looked at: findings are long, and hold none. */
const cleared = (value: object): JsonValue =>
  Array.isArray(value) ? clearedItems(value as readonly JsonValue[]) : clearedMembers(value as Members);

function clearedMembers(members: Members): Members {
  let kept = members;
  for (const name in members) {
    const member = members[name];
    if (typeof member !== 'object' || member === null) continue;
    if (isSealed(member)) kept = leftOut(kept, name);
    else {
      const clean = cleared(member);
      if (clean !== member) kept = { ...kept, [name]: clean };
    }
  }
  return kept;
}

function leftOut(members: Members, name: string): Members {
  const { [name]: _sealed, ...others } = members;
  return others;
}

function clearedItems(items: readonly JsonValue[]): JsonValue {
  let same = true;
  const kept: JsonValue[] = [];
  for (const item of items) {
    if (typeof item !== 'object' || item === null) kept.push(item);
    else if (isSealed(item)) same = false;
    else {
      const clean = cleared(item);
      if (clean !== item) same = false;
      kept.push(clean);
    }
  }
  return same ? items : kept;
}

import { isSealed } from '@headworks/event-store';
import type { JsonValue } from '@headworks/kernel';

/**
 * The value without the personal fields in it, wherever they are: those stay in the log, under their keys. Taken out
 * before any view sees the event, so that no view can come to hold one, whatever a pack calls personal.
 */
export function withoutSealed(value: JsonValue): JsonValue {
  // Most events have none, and findings are long: looking costs a tenth of copying.
  return holdsSealed(value) ? copyWithout(value) : value;
}

function holdsSealed(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some(holdsSealed);
  if (isSealed(value)) return true;
  const members = value as { readonly [name: string]: JsonValue };
  for (const name in members) {
    if (holdsSealed(members[name] ?? null)) return true;
  }
  return false;
}

function copyWithout(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.filter((inner) => !isSealed(inner)).map(copyWithout);
  }
  const kept = Object.entries(value).filter(([, inner]) => !isSealed(inner));
  return Object.fromEntries(kept.map(([name, inner]) => [name, copyWithout(inner)] as const));
}

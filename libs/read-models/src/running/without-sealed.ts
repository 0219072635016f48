import { isSealed } from '@headworks/event-store';
import type { JsonValue } from '@headworks/kernel';

/**
 * The value without the personal fields in it, wherever they are: those stay in the log, under their keys. Taken out
 * before any view sees the event, so that no view can come to hold one, whatever a pack calls personal.
 */
export function withoutSealed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.filter((inner) => !isSealed(inner)).map(withoutSealed);
  }
  const kept = Object.entries(value).filter(([, inner]) => !isSealed(inner));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutSealed(inner)] as const));
}

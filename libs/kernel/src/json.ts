/** A JSON value as it may stand in an event: no undefined, no function, no bigint. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same JSON, whatever the order of its keys. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [mine, others] = [Object.keys(a), Object.keys(b)];
  if (Array.isArray(a) !== Array.isArray(b) || mine.length !== others.length) return false;
  const [left, right] = [a as JsonObject, b as JsonObject];
  return mine.every((key) => Object.hasOwn(right, key) && sameJson(left[key] ?? null, right[key] ?? null));
}

/** Freezes a value and all below it; decided states and events are shared and must not be edited. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

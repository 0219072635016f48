import { isSealed } from '@headworks/event-store';
import { isJsonObject, type JsonObject, type JsonValue } from '@headworks/kernel';

/** Personal values that the caller may not see are shown as being there; ciphertext and person ids go to nobody. */
export function withoutCiphertext(shown: JsonObject): JsonObject {
  return hide(shown) as JsonObject;
}

function hide(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isSealed(value)) return { sealed: true };
  if (!isJsonObject(value)) return value.map(hide);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(inner)]));
}

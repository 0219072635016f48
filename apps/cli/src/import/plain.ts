import type { JsonValue } from '@headworks/kernel';

/** A member of an answer or a mapping as text; what is not there is none. */
export function plain(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

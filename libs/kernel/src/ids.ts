import { createHash, hash } from 'node:crypto';
import { parse, v5 } from 'uuid';

/** Namespace of every name-based id of Headworks (RFC 9562, version 5). It never changes: ids in logs depend on it. */
const NAMESPACE = parse(v5('https://headworks.invalid/ns/1', v5.URL));

/**
 * A UUIDv5 of the parts. Each part is written with its length before it, so that ('ab','c') and ('a','bc') differ.
 * Worked out here (RFC 9562, section 5.5): a recorded load asks for dozens, and the package takes five times as long.
 */
export function nameId(...parts: readonly (string | number)[]): string {
  const name = parts.map((part) => `${String(part).length}:${part}`).join('|');
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name, 'utf8')]), 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/**
 * The id of an event: a function of the command, the stream and its place in the append, so a retried append carries
 * the same ids and the store recognises it.
 */
export function eventId(commandId: string, stream: string, index: number): string {
  return nameId('event', commandId, stream, index);
}

/** The key of a subject as it is compared: Unicode NFC, trimmed, inner white space folded, upper case. */
export function normaliseKey(key: string): string {
  return key.normalize('NFC').trim().replace(/\s+/gu, ' ').toUpperCase();
}

export function subjectId(jurisdiction: string, kind: string, key: string): string {
  return nameId('subject', jurisdiction, kind, normaliseKey(key));
}

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

export function sha256Hex(data: string | Uint8Array): string {
  return sha256(data).toString('hex');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** "Did you mean": the nearest of the known names by edit distance, or none when nothing is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}

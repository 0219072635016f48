import { normaliseKey } from '@headworks/kernel';
import type { ThingRef } from './events';

/** A thing is known by its key as it is compared: two spellings of one key name one stream. */
export const sameThing = (a: ThingRef, b: ThingRef): boolean =>
  a.kind === b.kind && normaliseKey(a.key) === normaliseKey(b.key);

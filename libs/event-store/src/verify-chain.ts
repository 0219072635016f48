import { address } from '@headworks/kernel';
import type { RecordedEvent } from '@headworks/kernel';
import { chainHash, eventBytes, firstPrev, headAt } from './encode';
import type { Head } from './port';

export type ChainVerdict =
  | { readonly ok: true; readonly heads: ReadonlyMap<string, Head>; readonly events: number }
  /** `at` is the first event (stream@revision) that is not what was written. */
  | { readonly ok: false; readonly at: string; readonly why: string };

/** Checks events one by one as they are read, each stream from its first event on; holds one head a stream. */
export function chainVerifier(logId: string): {
  check(event: RecordedEvent): { at: string; why: string } | undefined;
  heads(): ReadonlyMap<string, Head>;
} {
  const heads = new Map<string, Head>();
  return {
    check(event) {
      const head = heads.get(event.stream);
      const due = (head?.revision ?? -1) + 1;
      if (event.revision !== due) {
        return { at: address(event), why: `revision ${due} is missing before it` };
      }
      const prev = head ? Buffer.from(head.hash, 'hex') : firstPrev(logId, event.stream);
      // The bytes are made anew from what was read: a changed byte shows as another hash or as no canonical form.
      const hash = chainHash(prev, eventBytes(event.stream, event.revision, event)).toString('hex');
      if (hash !== event.hash)
        return { at: address(event), why: 'its hash is not that of its bytes and the event before' };
      heads.set(event.stream, headAt(event));
      return undefined;
    },
    heads: () => heads,
  };
}

/** Verifies whole streams, in any mixture, each from its first event on. */
export function verifyChain(events: Iterable<RecordedEvent>, logId: string): ChainVerdict {
  const verifier = chainVerifier(logId);
  let count = 0;
  for (const event of events) {
    const broken = verifier.check(event);
    if (broken) return { ok: false, ...broken };
    count++;
  }
  return { ok: true, heads: verifier.heads(), events: count };
}

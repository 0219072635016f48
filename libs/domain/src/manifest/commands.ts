import type { Finding } from '@headworks/kernel';
import type { Facts } from '../events';
import type { LoadWorld } from '../load/load-world';
import type { AcceptanceWithdrawn } from './events';
import type { ManifestAsk } from './judge-manifest';

/** What was found in the stream of the thing, before the permit's, which decides. */
export type AtThing =
  /** None of the clauses looks at it: there is nothing to reserve. */
  | { readonly is: 'not_needed' }
  | { readonly is: 'reserved'; readonly event: string }
  /** It would not reserve, or what it had reserved is ended: these stand against it there. */
  | { readonly is: 'against'; readonly findings: readonly Finding[] };

/** Asked of any thing's stream. */
export type ReserveCommand =
  | { readonly type: 'reserve'; readonly ask: ManifestAsk; readonly world: LoadWorld }
  | {
      readonly type: 'release';
      readonly manifest: string;
      /** Address of the reservation that is to end: a later one stays. */
      readonly reservation: string;
      readonly why: AcceptanceWithdrawn['why'];
      readonly findings: readonly Finding[];
      readonly reason?: string;
    };

/** Asked of the permit's stream, where manifests are decided. */
export type ManifestCommand =
  | {
      readonly type: 'answer-manifest';
      readonly ask: ManifestAsk;
      /** As it was read; the permit is the one that decides. */
      readonly world: LoadWorld;
      readonly thing: AtThing;
      /** Where somebody accepts what waits: the facts filled in are part of the ask already. */
      readonly accepted?: { readonly facts: Facts; readonly reason?: string };
      /** Nobody looks again: what the thing's stream found stands, though it has changed here since. */
      readonly last: boolean;
    }
  | { readonly type: 'refuse-manifest'; readonly manifest: string; readonly reason: string }
  | {
      readonly type: 'end-manifest';
      readonly manifest: string;
      readonly why: AcceptanceWithdrawn['why'];
      readonly findings: readonly Finding[];
      readonly reason?: string;
      /** The instant from which on it stood no longer, where that is not now. */
      readonly endedMs?: number;
      /** Only this acceptance: one that was given since stays. */
      readonly acceptance?: string;
    };

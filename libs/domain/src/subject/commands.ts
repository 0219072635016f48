import type { ActedBy, JsonObject, Occurred, QuantityJson } from '@headworks/kernel';
import type { BroughtForward, Facts, PostedAs, SubjectSuperseded, ThingRef } from '../events';
import type { LoadFacts } from '../load-facts';
import type { ReserveCommand } from '../manifest/commands';

interface OnConsequence {
  readonly duty: string;
  readonly reason: string;
  readonly evidence: string;
}

/** What can be asked of a thing. Everything is checked and typed before it comes here. */
export type SubjectCommand =
  | { readonly type: 'settle' }
  | {
      readonly type: 'register';
      readonly kind: string;
      readonly key: string;
      readonly name?: string;
      readonly geometry?: JsonObject;
      readonly facts: Facts;
      readonly pack: string;
    }
  | {
      readonly type: 'record-facts';
      readonly kind: string;
      readonly pack: string;
      readonly facts: Facts;
      readonly evidence?: string;
      readonly reason?: string;
    }
  | {
      readonly type: 'correct-facts';
      readonly corrects: string;
      readonly facts: Facts;
      readonly reason: string;
      readonly evidence?: string;
    }
  | { readonly type: 'annul'; readonly annuls: string; readonly reason: string }
  | {
      readonly type: 'do-act';
      readonly kind: string;
      readonly pack: string;
      readonly act: string;
      readonly facts: Facts;
      readonly by: ActedBy;
      readonly hauler?: string;
      readonly note?: string;
    }
  | {
      readonly type: 'post-load';
      readonly load: string;
      readonly loadRevision: number;
      /** Absent: the load no longer counts here (voided, moved). */
      readonly posting?: LoadFacts & {
        readonly pack: string;
        readonly loadType: string;
        readonly limits: readonly string[];
        readonly quantity: QuantityJson;
        readonly hauler: ThingRef;
        /** Absent on what it was discharged on. */
        readonly as?: PostedAs;
        /** Address of the event in the load's stream that said so. */
        readonly event: string;
      };
    }
  | {
      readonly type: 'supersede';
      readonly successors: SubjectSuperseded['successors'];
      readonly on: string;
      readonly reason: string;
      /** The day of the succession, where that is over. */
      readonly occurred?: Occurred;
    }
  | { readonly type: 'bring-forward'; readonly data: BroughtForward }
  | {
      readonly type: 'judge-rest';
      readonly since: string;
      readonly limits: readonly string[];
      /** Manifests that ended by name: the next append says why. */
      readonly manifests?: readonly string[];
    }
  | {
      readonly type: 'extend-duty';
      readonly duty: string;
      /** How often what the clause lets the body give at once. */
      readonly times: number;
      readonly reason: string;
      readonly evidence?: string;
    }
  | {
      readonly type: 'waive-duty';
      readonly duty: string;
      readonly reason: string;
      readonly evidence?: string;
    }
  | ({ readonly type: 'reverse-consequence' } & OnConsequence)
  | ({ readonly type: 'confirm-consequence' } & OnConsequence)
  | ReserveCommand;

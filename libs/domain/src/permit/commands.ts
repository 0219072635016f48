import type { Draft } from '../draft';
import type { Facts, ThingRef } from '../events';
import type { ManifestCommand } from '../manifest/commands';
import type { SubjectCommand } from '../subject/commands';
import type { SubjectContext } from '../subject/context';
import type { SubjectState } from '../subject/subject';
import type { PermitNumbered } from './events';
import type { PermitState } from './permit';

/** What can be asked of a permit's file. Who acts stands in the envelope (`by`); all is checked and typed before. */
export type FileCommand =
  | {
      readonly type: 'file-application';
      readonly pack: string;
      readonly permitType: string;
      readonly applicant: ThingRef;
      readonly facts: Facts;
      readonly renews?: string;
    }
  | { readonly type: 'request-information'; readonly facts: readonly string[]; readonly reason: string }
  | { readonly type: 'receive-information'; readonly facts: Facts; readonly note?: string }
  | { readonly type: 'complete'; readonly reason?: string }
  | {
      readonly type: 'approve';
      readonly reason: string;
      readonly sets: Facts;
      readonly waive: readonly { readonly clause: string; readonly reason: string }[];
      /** Issue it in the same append, where who approves may and nothing stands against it. */
      readonly issue: boolean;
    }
  | { readonly type: 'deny'; readonly reason: string; readonly grounds: readonly string[] }
  | { readonly type: 'withdraw'; readonly reason: string }
  | { readonly type: 'issue' }
  | {
      readonly type: 'condition';
      readonly conditions: readonly string[];
      readonly sets: Facts;
      readonly reason: string;
    }
  | { readonly type: 'suspend'; readonly reason: string; readonly grounds: readonly string[] }
  | { readonly type: 'reinstate'; readonly reason: string }
  | { readonly type: 'revoke'; readonly reason: string; readonly grounds: readonly string[] }
  | { readonly type: 'void'; readonly reason: string }
  | { readonly type: 'number'; readonly data: PermitNumbered; readonly drawn: string }
  | { readonly type: 'renewed-by'; readonly by: string };

/** Only things of the trade are registered, split and merged. */
export type PermitCommand =
  | FileCommand
  | ManifestCommand
  | Exclude<
      SubjectCommand,
      { readonly type: 'register' | 'supersede' | 'bring-forward' | 'reserve' | 'release' }
    >;

export interface PermitContext extends SubjectContext {
  /** Who applies or holds, as registered: what its own file says is known of the permit too. */
  readonly holder?: SubjectState;
}

export type PermitDraft = Draft<PermitState>;
export type FileCommandOf<T extends FileCommand['type']> = Extract<FileCommand, { type: T }>;

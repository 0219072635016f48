import type { ThingRef } from '@headworks/domain';
import { CodedError, normaliseKey } from '@headworks/kernel';
import type { Caller } from './context';

/** Whether the caller is a holder and nothing else: then it sees and files its own alone. */
export const isHolderAlone = ({ roles }: Pick<Caller, 'roles'>): boolean =>
  roles.length > 0 && roles.every((role) => role === 'holder');

const HOLDING = /^([a-z][a-z0-9_]*):(.{1,200})$/su;

/** What a key or a token says that its bearer holds, written `hauler:12345`; undefined where it says no such thing. */
export function parseHolding(text: string): ThingRef | undefined {
  const [, kind = '', key = ''] = HOLDING.exec(text.trim()) ?? [];
  return kind !== '' && key.trim() !== '' ? { kind, key: key.trim() } : undefined;
}

const isSame = (a: ThingRef, b: ThingRef): boolean =>
  a.kind === b.kind && normaliseKey(a.key) === normaliseKey(b.key);

/** What a list is narrowed to for the caller; undefined where it sees all of its jurisdictions. */
export const holdingOf = (caller: Caller): readonly ThingRef[] | undefined =>
  isHolderAlone(caller) ? (caller.holds ?? []) : undefined;

/** Whether the caller may see what is one of these things': whoever is more than a holder may. */
export function seesOf(caller: Caller, things: readonly (ThingRef | undefined)[]): boolean {
  const holding = holdingOf(caller);
  return !holding || things.some((thing) => thing && holding.some((held) => isSame(held, thing)));
}

/** What is another holder's is answered as what does not exist, in the words of `mustSee`. */
export function mustSeeOf(
  caller: Caller,
  things: readonly (ThingRef | undefined)[],
  otherwise: string,
): void {
  if (!seesOf(caller, things)) throw new CodedError('not-found', otherwise);
}

/** A holder files for what it holds: what it says of another is nobody's word. */
export function mustFileFor(caller: Caller, thing: ThingRef): void {
  if (seesOf(caller, [thing])) return;
  const own = (caller.holds ?? []).map(({ kind, key }) => `${kind} ${key}`).join(', ');
  throw new CodedError(
    'forbidden',
    `You act for ${own || 'nobody'}, not for ${thing.kind} ${thing.key}; file for one that you hold, or ask a clerk.`,
  );
}

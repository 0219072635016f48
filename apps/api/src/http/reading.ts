import {
  CodedError,
  isoInstant,
  parseInstant,
  refuseFaults,
  type Fault,
  type JsonObject,
  type JsonValue,
} from '@headworks/kernel';
import type { ThingRef } from '@headworks/domain';
import type { Page, PageRequest, Scope } from '@headworks/read-models';
import type { Caller, Clock } from '@headworks/use-cases';
import type { Program } from '../program';
import type { PageQuery } from '../shapes/shared.dto';

/** Before one thing is read: what is due by now is recorded, and the position asked for is reached. */
export async function settled(program: Program, { atLeast }: { readonly atLeast?: string }): Promise<void> {
  await program.settleDue();
  if (atLeast !== undefined) await program.caughtUp(atLeast);
}

/** Before a list is read: it shows all that is in the log, so whoever wrote finds what they wrote. */
export async function listable(program: Program, { atLeast }: { readonly atLeast?: string }): Promise<void> {
  await settled(program, atLeast === undefined ? {} : { atLeast });
  await program.caughtUp();
}

/** The tenants that a list is of: the caller's, or the one asked for where it is among them. */
export function scopeOf({ jurisdictions }: Caller, { jurisdiction }: PageQuery): Scope {
  if (jurisdiction === undefined) return jurisdictions;
  return jurisdictions === '*' || jurisdictions.includes(jurisdiction) ? [jurisdiction] : [];
}

export const pageOf = ({ cursor, limit }: PageQuery): PageRequest => ({
  ...(cursor !== undefined && { cursor }),
  ...(limit !== undefined && { limit: Number(limit) }),
});

export const shownPage = <Item>({ items, next }: Page<Item>): JsonObject => ({
  items: items as readonly unknown[] as readonly JsonValue[],
  next: next ?? null,
});

/** The members that were given, for a filter that tells "not asked" from "asked for nothing". */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** An instant that the shape let pass, as the log writes it. */
export function utc(instant: string | undefined): string | undefined {
  if (instant === undefined) return undefined;
  const parsed = parseInstant(instant);
  return 'ms' in parsed ? isoInstant(parsed.ms) : undefined;
}

export const yes = (flag: string | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === 'true';

/** A thing of a filter: its kind and key go together. */
export function thingOf(
  name: string,
  kind: string | undefined,
  key: string | undefined,
): ThingRef | undefined {
  if (kind === undefined && key === undefined) return undefined;
  if (kind !== undefined && key !== undefined) return { kind, key };
  const [there, missing] = kind === undefined ? ['Key', 'Kind'] : ['Kind', 'Key'];
  const fault: Fault = {
    code: 'go-together',
    detail: `The parameter '${name}${there}' needs '${name}${missing}'.`,
    hint: 'send both, or neither',
  };
  refuseFaults([fault], 'The address');
  return undefined;
}

/** What days of violations are counted to: the clock's now, or nothing where a sandbox's clock is not set yet. */
export function nowOf(clock: Clock): number {
  try {
    return clock.now();
  } catch (error) {
    if (error instanceof CodedError && error.code === 'clock-unset') return 0;
    throw error;
  }
}

import type { ThingRef } from '@headworks/domain';
import {
  CodedError,
  isoInstant,
  nameId,
  parseInstant,
  sha256Hex,
  type ActedBy,
  type EventMetadata,
  type Fault,
  type LateReason,
  type Occurred,
} from '@headworks/kernel';
import type { KeyStore, OpenStore } from '@headworks/event-store';
import type { Pack } from '@headworks/rules-engine';
import type { LawBook, LawInForce } from './law-book';
import type { Folded, Model, Outcome, StreamRunner } from './stream-runner';

/** Where time comes from: the machine, or ClockMoved events of a sandbox log. */
export interface Clock {
  readonly kind: 'real' | 'virtual';
  /** Epoch ms. Throws `clock-unset` where a virtual clock was never set. */
  now(): number;
}

/** Everything a use-case works with. Wiring makes one. */
export interface Services {
  readonly store: OpenStore;
  readonly keys: KeyStore;
  /** As they stand now: with the days that officers closed. */
  readonly rules: LawInForce;
  /** The rules as they stood at other times; without it they are what was loaded. */
  readonly book?: LawBook;
  /** Streams of the jurisdiction on which something is owed; without it the log is looked through. */
  readonly owing?: (jurisdiction: string) => Promise<readonly string[]>;
  readonly runner: StreamRunner;
  readonly clock: Clock;
  /** Monotonic machine clock, ms: for deadlines of requests, never for the law. */
  readonly monotonic: () => number;
  readonly newId: () => string;
  /** Jurisdictions whose texts here are those of the log; others refuse writes, with the file at fault. */
  readonly lawFaults: ReadonlyMap<string, string>;
}

/** Who asks. `jurisdictions` is `*` for an administrator of the whole store. */
export interface Caller {
  readonly id: string;
  readonly roles: readonly string[];
  readonly jurisdictions: readonly string[] | '*';
  /** Things (haulers, farms) that the caller acts for: who has no other role than holder sees and files theirs alone. */
  readonly holds?: readonly ThingRef[];
}

/** One request, as every command needs to know it. */
export interface Request {
  readonly caller: Caller;
  /** Epoch ms at receipt: the `now` of the command, for all attempts. */
  readonly receivedMs: number;
  readonly correlationId: string;
  readonly dryRun: boolean;
  readonly idempotency?: { readonly key: string; readonly bodyHash: string };
  /** Instant of the monotonic clock at which the request gives up. */
  readonly deadline: number;
}

export const mayLate: readonly string[] = ['admin', 'board', 'clerk', 'holder', 'officer'];
/** A recording older than this before its receipt is late, and says why. */
export const LATE_AFTER_MS = 10 * 60_000;

/** Another agency's object is answered as one that does not exist (`undefined`), in the same words. */
export function mustSee(
  caller: Caller,
  jurisdiction: string | undefined,
  otherwise = 'There is nothing of that name here.',
): asserts jurisdiction is string {
  const { jurisdictions } = caller;
  if (jurisdiction !== undefined && (jurisdictions === '*' || jurisdictions.includes(jurisdiction))) return;
  throw new CodedError('not-found', otherwise);
}

/** The newest version of a pack that the caller may work under, or a fault that says which there are. */
export function packNamed(services: Services, caller: Caller, name: string): Pack {
  const pack = services.rules.packs.get(name)?.at(-1);
  const visible = pack && (caller.jurisdictions === '*' || caller.jurisdictions.includes(pack.jurisdiction));
  if (!pack || !visible) {
    throw new CodedError('not-found', `There is no pack '${name}' here.`, [
      {
        pointer: '/pack',
        code: 'unknown-pack',
        detail: `'${name}' is no pack here.`,
        hint: 'GET /v1/packs lists them',
      },
    ]);
  }
  return pack;
}

export function mustBeAdopted(services: Services, jurisdiction: string): void {
  const fault = services.lawFaults.get(jurisdiction);
  if (fault !== undefined) throw new CodedError('law-not-adopted', fault);
}

const commandIdFor = (caller: Caller, key: string): string => nameId('command', caller.id, key);

/** The claim makes the command's id durable before anything is appended; without a key the id is fresh. */
export async function commandIdOf(services: Services, request: Request): Promise<string> {
  const { idempotency, caller, dryRun } = request;
  if (!idempotency || dryRun) return services.newId();
  const wanted = { bodyHash: idempotency.bodyHash, commandId: commandIdFor(caller, idempotency.key) };
  const claim = await services.keys.claim(caller.id, idempotency.key, wanted);
  if (claim.bodyHash === idempotency.bodyHash) return claim.commandId;
  throw new CodedError(
    'key-reused',
    'This Idempotency-Key stands for another request; use a fresh key for a new one.',
  );
}

/**
 * The outcome of a request that was answered before, from the log. Asked before the body is checked again: what was in
 * time at its first receipt would be late by now, and is no less recorded.
 */
export async function answeredBefore<S extends Folded>(
  services: Services,
  request: Request,
  model: Model<S>,
  streamOf: (commandId: string) => string,
): Promise<Outcome<S> | undefined> {
  const { idempotency, caller, dryRun } = request;
  if (!idempotency || dryRun) return undefined;
  const commandId = commandIdFor(caller, idempotency.key);
  const outcome = await services.runner.replay(model, streamOf(commandId), commandId);
  // The claim refuses a key that stands for another body.
  if (outcome) await commandIdOf(services, request);
  return outcome;
}

export interface Timing {
  readonly ms: number;
  readonly late?: LateReason;
}

/**
 * When the thing happened: now where nothing is said, never later than now. More than ten minutes before receipt it
 * needs a role that may, a reason and evidence.
 */
export function timing(
  request: Request,
  body: { readonly occurredAt?: string; readonly reason?: string; readonly evidence?: string },
  faults: Fault[],
): Timing {
  if (body.occurredAt === undefined) return { ms: request.receivedMs };
  const parsed = parseInstant(body.occurredAt);
  if ('why' in parsed) {
    faults.push({ pointer: '/occurredAt', code: 'no-instant', detail: parsed.why });
    return { ms: request.receivedMs };
  }
  if (parsed.ms > request.receivedMs) {
    faults.push({
      pointer: '/occurredAt',
      code: 'in-the-future',
      detail: `occurredAt is later than now (${isoInstant(request.receivedMs)}).`,
      hint: 'record it once it has happened',
    });
  }
  if (request.receivedMs - parsed.ms <= LATE_AFTER_MS) return { ms: parsed.ms };
  return { ms: parsed.ms, ...lateness(request, body, faults) };
}

function lateness(
  request: Request,
  { reason, evidence }: { readonly reason?: string; readonly evidence?: string },
  faults: Fault[],
): { late?: LateReason } {
  const hint = 'what happened more than ten minutes ago is recorded with "reason" and "evidence"';
  if (!request.caller.roles.some((role) => mayLate.includes(role))) {
    const detail = 'Your role may not record what happened more than ten minutes ago.';
    faults.push({
      pointer: '/occurredAt',
      code: 'too-late-for-role',
      detail,
      hint: 'ask a clerk to record it',
    });
  }
  for (const [name, value] of Object.entries({ reason, evidence })) {
    if (value === undefined) {
      faults.push({
        pointer: `/${name}`,
        code: 'late-needs',
        detail: `'${name}' is missing for a late recording.`,
        hint,
      });
    }
  }
  return reason !== undefined && evidence !== undefined ? { late: { reason, evidence } } : {};
}

export interface Told {
  readonly commandId: string;
  readonly occurred: Occurred;
  readonly jurisdiction: string;
  readonly by?: ActedBy;
  readonly late?: LateReason;
}

export function envelopeFor(request: Request, told: Told): Omit<EventMetadata, 'schema' | 'recordedAt'> {
  const { commandId, occurred, jurisdiction, by, late } = told;
  return {
    occurred,
    actor: { id: request.caller.id, roles: request.caller.roles },
    jurisdiction,
    correlationId: request.correlationId,
    commandId,
    ...(by && { by }),
    ...(late && { late }),
  };
}

export const atMs = (ms: number): Occurred => ({ at: isoInstant(ms) });

/** Hash of a value's JSON with its keys sorted: the same content whatever its order. */
export function contentHash(value: unknown): string {
  return sha256Hex(JSON.stringify(sorted(value)) ?? 'undefined');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

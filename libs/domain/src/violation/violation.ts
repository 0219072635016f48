import { localDateAt, occurredMs } from '@headworks/calendars';
import { addDays, address, daysBetween, type RecordedEvent } from '@headworks/kernel';
import type { RecordedInError, ViolationDetected, ViolationWithdrawn } from '../events';

/** A cure or a relapse, in legal order. */
interface Turn {
  readonly kind: 'abated' | 'relapsed';
  readonly ms: number;
  readonly event: string;
}

/**
 * A breach of one clause by one occasion. It is a set of intervals; its days are counted on reading, so no event ever
 * says "one more day".
 */
export interface ViolationState {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly jurisdiction?: string;
  readonly detected?: {
    readonly data: ViolationDetected;
    readonly ms: number;
    readonly event: string;
    readonly recordedAt: string;
    readonly packVersion: string;
  };
  readonly turns: readonly Turn[];
  readonly withdrawn?: { readonly event: string; readonly why: string };
  readonly commands: ReadonlyMap<string, number>;
}

export const newViolation = (stream: string): ViolationState => ({
  stream,
  revision: -1,
  lastRecordedAt: '',
  turns: [],
  commands: new Map(),
});

export function evolveViolation(state: ViolationState, event: RecordedEvent): ViolationState {
  const { metadata } = event;
  const { withdrawn: _withdrawn, ...standing } = state;
  const next: ViolationState = {
    ...state,
    revision: event.revision,
    lastRecordedAt: metadata.recordedAt > state.lastRecordedAt ? metadata.recordedAt : state.lastRecordedAt,
    commands: new Map(state.commands).set(metadata.commandId, event.revision),
    ...(metadata.jurisdiction === undefined ? {} : { jurisdiction: metadata.jurisdiction }),
  };
  const at = { ms: occurredMs(metadata.occurred), event: address(event) };
  switch (event.type) {
    case 'ViolationDetected': {
      const data = event.data as ViolationDetected;
      const detected = { data, ...at, recordedAt: metadata.recordedAt, packVersion: data.packVersion };
      const { revision, lastRecordedAt, commands } = next;
      // Detected again after a withdrawal: it starts afresh, the earlier course stays in the history.
      return {
        ...standing,
        ...(next.jurisdiction && { jurisdiction: next.jurisdiction }),
        revision,
        lastRecordedAt,
        commands,
        detected,
        turns: [],
      };
    }
    case 'ViolationAbated':
      return { ...next, turns: turn(next.turns, { kind: 'abated', ...at }) };
    case 'ViolationRelapsed':
      return { ...next, turns: turn(next.turns, { kind: 'relapsed', ...at }) };
    case 'RecordedInError': {
      const { annuls } = event.data as RecordedInError;
      return { ...next, turns: next.turns.filter(({ event: said }) => said !== annuls) };
    }
    case 'ViolationWithdrawn':
      return { ...next, withdrawn: { event: at.event, why: (event.data as ViolationWithdrawn).why } };
    default:
      return next;
  }
}

const turn = (turns: readonly Turn[], added: Turn): readonly Turn[] =>
  [...turns, added].toSorted((a, b) => a.ms - b.ms);

export type ViolationStatus = 'open' | 'abated' | 'withdrawn';

export function violationStatus(state: ViolationState): ViolationStatus | undefined {
  if (!state.detected) return undefined;
  if (state.withdrawn) return 'withdrawn';
  if (!state.detected.data.lasting) return 'open';
  return state.turns.at(-1)?.kind === 'abated' ? 'abated' : 'open';
}

/** A stretch of a violation, in epoch ms; no end: it goes on. */
export interface Interval {
  readonly fromMs: number;
  readonly untilMs?: number;
}

export function intervalsOf(state: ViolationState): readonly Interval[] {
  if (!state.detected) return [];
  const intervals: Interval[] = [];
  let fromMs: number | undefined = state.detected.ms;
  for (const { kind, ms } of state.turns) {
    if (kind === 'abated' && fromMs !== undefined) {
      intervals.push({ fromMs, untilMs: Math.max(ms, fromMs) });
      fromMs = undefined;
    } else if (kind === 'relapsed') fromMs ??= ms;
  }
  if (fromMs !== undefined) intervals.push({ fromMs });
  return intervals;
}

/**
 * Days of the violation up to an instant: local dates, the first in, the date of cure out, at least one; a date that
 * two intervals share counts once. One that does not last counts one day. None before it began, none once withdrawn.
 */
export function violationDays(state: ViolationState, nowMs: number): number {
  const { detected } = state;
  if (!detected || state.withdrawn || detected.ms > nowMs) return 0;
  if (!detected.data.lasting) return 1;
  const { zone } = detected.data;
  let days = 0;
  // First date that no earlier interval has counted yet.
  let free = localDateAt(zone, detected.ms);
  for (const { fromMs, untilMs } of intervalsOf(state)) {
    if (fromMs > nowMs) break;
    const goesOn = untilMs === undefined || untilMs > nowMs;
    const first = localDateAt(zone, fromMs);
    const end = goesOn ? addDays(localDateAt(zone, nowMs), 1) : localDateAt(zone, untilMs);
    const after = end > first ? end : addDays(first, 1);
    const start = first > free ? first : free;
    if (after > start) [days, free] = [days + daysBetween(start, after), after];
  }
  return days;
}

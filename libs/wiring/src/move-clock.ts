import type { ClockMoved } from '@headworks/domain';
import { CodedError, isoInstant, nameId, type RecordedEvent } from '@headworks/kernel';
import { LOG_STREAM } from '@headworks/event-store';
import type { DueRow } from '@headworks/duties';
import type { Model, StreamRunner } from '@headworks/use-cases';
import type { VirtualClock } from './clocks';

/** What a command on the stream `log` has to know of it. */
interface LogState {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly commands: ReadonlySet<string>;
  readonly now?: string;
}

const logModel: Model<LogState> = {
  initial: (stream) => ({ stream, revision: -1, lastRecordedAt: '', commands: new Set() }),
  evolve: (state, event) => ({
    ...state,
    revision: event.revision,
    lastRecordedAt:
      event.metadata.recordedAt > state.lastRecordedAt ? event.metadata.recordedAt : state.lastRecordedAt,
    commands: new Set([event.metadata.commandId]),
    ...(event.type === 'ClockMoved' && { now: (event.data as ClockMoved).to }),
  }),
};

export interface ClockMoves {
  readonly clock: VirtualClock;
  readonly runner: StreamRunner;
  readonly monotonic: () => number;
  readonly nextDue: () => Promise<string | undefined>;
  /** Settles everything due by the clock's now. */
  readonly sweep: () => Promise<readonly DueRow[]>;
}

/**
 * Moves the sandbox clock forward, stopping just after each due instant on the way: what falls due is recorded in the
 * order of the law, each when it was due, by the same code that catches up after downtime.
 */
export async function moveClock(moves: ClockMoves, to: number): Promise<readonly DueRow[]> {
  const { clock } = moves;
  if (clock.set !== undefined && to < clock.set) {
    throw new CodedError(
      'clock-behind',
      `The sandbox clock stands at ${isoInstant(clock.set)} and only moves forward.`,
    );
  }
  const fell: DueRow[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (;;) {
    const next = await moves.nextDue();
    const stop = next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next) + 1;
    // A row that does not close (a bug, or another process is at it) must not hold the clock for ever.
    if (stop >= to || stop <= before) break;
    before = stop;
    if (clock.set === undefined || stop > clock.set) await record(moves, stop);
    fell.push(...(await moves.sweep()));
  }
  if (to !== clock.set) await record(moves, to);
  fell.push(...(await moves.sweep()));
  return fell;
}

async function record({ clock, runner, monotonic }: ClockMoves, ms: number): Promise<void> {
  const to = isoInstant(ms);
  const commandId = nameId('clock-moved', to);
  const { events, state } = await runner.run<LogState>(logModel, LOG_STREAM, {
    commandId,
    envelope: {
      occurred: { at: to },
      actor: { id: 'headworks', roles: ['sandbox'] },
      correlationId: commandId,
      commandId,
    },
    receivedAt: to,
    deadline: monotonic() + 60_000,
    decide: ({ now }) =>
      now !== undefined && now >= to
        ? { events: [], ignored: 'the clock is there already' }
        : { events: [{ type: 'ClockMoved', data: { to } }] },
  });
  const made = events.map((event) => event satisfies RecordedEvent);
  made.forEach((event) => clock.take(event));
  if (made.length === 0 && state.now !== undefined) clock.takeInstant(state.now);
}

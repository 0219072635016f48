import { randomUUID } from 'node:crypto';
import { eventId, nameId } from '@headworks/kernel';
import type { NewEvent } from '@headworks/kernel';
import { StartRefused } from './port';

export type ClockKind = 'real' | 'virtual';

/** What every adapter needs to open a log, or to begin one. */
export interface LogOptions {
  /** The kind of clock of this process; a log opened with the other kind is refused. */
  readonly clock: ClockKind;
  /** The instant (ISO, UTC, ms) that a new log is opened at. A virtual clock must give one before its first moment. */
  readonly now: () => string;
  /** Id of a new log; made at random where not given. */
  readonly logId?: string;
  /**
   * The LogOpened of the log that is carried into this empty store: id, bytes and hashes stay what they were. Until
   * `carried` says that all of it is here, nobody else opens the store.
   */
  readonly carriedFrom?: NewEvent;
}

export const LOG_STREAM = 'log';

/** Version of the tables. A store with a higher number was written by a later release. */
export const STORE_SCHEMA = 1;

export interface LogIdentity {
  readonly storeId: string;
  readonly logId: string;
  readonly clock: ClockKind;
  /** Not all of the log that is carried in is here yet. */
  readonly carrying?: true;
}

/** Identity and first event of a log that begins now. */
export function beginLog(options: LogOptions): { identity: LogIdentity; event: NewEvent } {
  const storeId = randomUUID();
  if (options.carriedFrom) {
    const { log, clock } = options.carriedFrom.data;
    if (
      options.carriedFrom.type !== 'LogOpened' ||
      typeof log !== 'string' ||
      (clock !== 'real' && clock !== 'virtual')
    ) {
      throw new StartRefused('The log to be carried over does not begin with LogOpened; export it again.');
    }
    refuseOtherClock(clock, options.clock, 'this log');
    return { identity: { storeId, logId: log, clock, carrying: true }, event: options.carriedFrom };
  }
  const logId = options.logId ?? randomUUID();
  const opened = options.now();
  const commandId = nameId('log-opened', logId);
  const event: NewEvent = {
    id: eventId(commandId, LOG_STREAM, 0),
    type: 'LogOpened',
    data: { log: logId, clock: options.clock, opened },
    metadata: {
      occurred: { at: opened },
      recordedAt: opened,
      actor: { id: 'system', roles: [] },
      correlationId: commandId,
      commandId,
      schema: 1,
    },
  };
  return { identity: { storeId, logId, clock: options.clock }, event };
}

export function refuseOtherClock(stored: ClockKind, asked: ClockKind, where: string): void {
  if (stored === asked) return;
  throw new StartRefused(
    `The log in ${where} was opened with a ${stored} clock and can't go on with a ${asked} one; ` +
      `start with HEADWORKS_CLOCK=${stored} or choose another place for the log.`,
  );
}

/** The identity that a store's own rows say, or a refusal in one sentence. */
export function readIdentity(
  rows: ReadonlyMap<string, string>,
  { clock: asked, carriedFrom }: Pick<LogOptions, 'clock' | 'carriedFrom'>,
  where: string,
): LogIdentity {
  const schema = rows.get('schema');
  const [storeId, logId, clock] = [rows.get('store'), rows.get('log'), rows.get('clock')];
  if (schema === undefined || !storeId || !logId || (clock !== 'real' && clock !== 'virtual')) {
    throw new StartRefused(
      `What stands in ${where} is no Headworks log; move it away or choose another place.`,
    );
  }
  if (schema !== String(STORE_SCHEMA)) {
    throw new StartRefused(
      `The log in ${where} has schema ${schema} and this release knows ${STORE_SCHEMA}; start the release that wrote it.`,
    );
  }
  refuseOtherClock(clock, asked, where);
  if (carriedFrom && carriedFrom.data['log'] !== logId) {
    throw new StartRefused(`There is another log in ${where} already; carry this one into an empty place.`);
  }
  if (rows.has(CARRYING) && !carriedFrom) {
    throw new StartRefused(
      `Only a part of the log stands in ${where}; run import-log again, with the same file.`,
    );
  }
  return { storeId, logId, clock };
}

/** Name of the row that stands for as long as a log is carried in. */
export const CARRYING = 'carrying';

/** The rows that `readIdentity` reads. */
export const identityRows = ({
  storeId,
  logId,
  clock,
  carrying,
}: LogIdentity): readonly (readonly [string, string])[] => [
  ['schema', String(STORE_SCHEMA)],
  ['store', storeId],
  ['log', logId],
  ['clock', clock],
  ...(carrying ? [[CARRYING, 'yes'] as const] : []),
];

import { StartRefused } from '@headworks/event-store';
import { resolve } from 'node:path';
import { readOidcConfig, type OidcConfig } from './oidc-config';
import { readReminderConfig, type ReminderConfig } from './reminder-config';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** Absent: a timer and the sweep wake what is due. */
  readonly redisUrl?: string;
  /** What is due and not recorded for longer than this is late: health and metrics tell of it. */
  readonly lateMinutes: number;
  readonly rulesDir: string;
  readonly role: 'all' | 'api' | 'worker';
  readonly clock: 'real' | 'virtual';
  readonly bootstrapKey?: string;
  /** Absent: nobody is reminded. */
  readonly reminders?: ReminderConfig;
  /** Absent: API keys alone. */
  readonly oidc?: OidcConfig;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every setting, and refuses the start with all that is wrong at once. The table in the README is this list. */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const port = portOf(env.PORT, faults);
  const role = oneOf('HEADWORKS_ROLE', env.HEADWORKS_ROLE, ['all', 'api', 'worker'] as const, faults);
  const clock = oneOf('HEADWORKS_CLOCK', env.HEADWORKS_CLOCK, ['real', 'virtual'] as const, faults);
  const databaseUrl = set(env.DATABASE_URL);
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL is no PostgreSQL address; write postgres://user:password@host:5432/database.');
  }
  const bootstrapKey = set(env.HEADWORKS_BOOTSTRAP_KEY);
  if (bootstrapKey !== undefined && !/^hw_[\w-]{32,128}$/.test(bootstrapKey)) {
    faults.push(
      'HEADWORKS_BOOTSTRAP_KEY must be hw_ and 32 to 128 letters, digits, - or _; use a random one.',
    );
  }
  if (set(env.EVENTSTORE_URL) !== undefined) {
    faults.push(
      'EVENTSTORE_URL is set, but EventStoreDB is not built yet; leave it out and use DATABASE_URL.',
    );
  }
  const redisUrl = redisOf(env.REDIS_URL, faults);
  const lateMinutes = minutesOf(env.HEADWORKS_LATE_MINUTES, faults);
  const oidc = readOidcConfig(env, faults);
  const reminders = readReminderConfig(env, faults);
  if (faults.length > 0) throw new StartRefused(faults.join('\n'));
  return {
    host: set(env.HOST) ?? '127.0.0.1',
    port,
    dataDir: resolve(set(env.DATA_DIR) ?? './data'),
    rulesDir: resolve(set(env.RULES_DIR) ?? './rules'),
    role,
    clock,
    lateMinutes,
    ...(redisUrl !== undefined && { redisUrl }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(bootstrapKey !== undefined && { bootstrapKey }),
    ...(reminders && { reminders }),
    ...(oidc && { oidc }),
  };
}

/** An empty setting is one that is not set. */
const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

function portOf(value: string | undefined, faults: string[]): number {
  const text = set(value);
  if (text === undefined) return 3000;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  faults.push(`PORT is '${text}'; it must be a whole number from 0 to 65535 (0: any free one).`);
  return 0;
}

/** The address may hold a password: what is wrong with it is said without it. */
function redisOf(value: string | undefined, faults: string[]): string | undefined {
  const text = set(value);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRight =
    /^rediss?:$/.test(url?.protocol ?? '') &&
    url?.hostname !== '' &&
    /^\/?\d{0,3}$/.test(url?.pathname ?? '-');
  if (!isRight) {
    faults.push(
      'REDIS_URL is no address of Redis; write redis://user:password@host:6379/0 (rediss:// for TLS), or leave it out and a timer wakes what is due.',
    );
  }
  return text;
}

const MOST_MINUTES = 10_080;

function minutesOf(value: string | undefined, faults: string[]): number {
  const text = set(value);
  if (text === undefined) return 5;
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST_MINUTES) return Number(text);
  faults.push(
    `HEADWORKS_LATE_MINUTES is '${text}'; it must be a whole number of minutes from 1 to ${MOST_MINUTES} (a week).`,
  );
  return 5;
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  choices: readonly [T, ...T[]],
  faults: string[],
): T {
  const text = set(value);
  const found = choices.find((choice) => choice === text);
  if (text !== undefined && found === undefined)
    faults.push(`${name} is '${text}'; it must be one of ${choices.join(', ')}.`);
  return found ?? choices[0];
}

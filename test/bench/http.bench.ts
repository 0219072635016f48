import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, NewEvent, RecordedEvent } from '@headworks/kernel';
import { openSqliteStore } from '../../libs/event-store/src/adapters';
import { loadBody, LOADS_NOW, parcelBody, PARCELS_NOW } from './bodies';
import { median, row, type Row } from './measure';
import { startServer, type ServerProcess } from './server-process';

const CONNECTIONS = 32;
/** As `npm start` has it, for both: a load's findings outlive the default room for what is new. */
const YOUNG = '--max-semi-space-size=32';
const KEY = 'hw_of_the_bench_0123456789abcdefghijklmnop';

export interface HttpOptions {
  readonly rounds?: number;
  /** Loads in one turn of Headworks. */
  readonly loads?: number;
  /** Requests in one turn of the bare server, which needs more of them to be timed as long. */
  readonly bare?: number;
}

interface CannonResult {
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
}
type Cannon = (
  options: object,
  done: (error: Error | null, result: CannonResult) => void,
) => { on(event: 'response', heard: () => void): void };

/** A load generator of the bench's own package, which has no types. */
const autocannon = createRequire(__filename)('autocannon') as Cannon;

/**
 * `POST /v1/loads` with the whole law, by 32 connections that stay open, each load on a parcel and with a ticket of its
 * own: the program as it is built, embedded, against a bare server with the same durable writes. Both run all the
 * time and are asked in turn.
 */
export async function benchHttp(
  root: string,
  { rounds = 5, loads = 1200, bare = 4800 }: HttpOptions = {},
): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const headworks = await startServer([YOUNG, join(root, 'dist/apps/api/src/main.js')], {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: join(dir, 'headworks'),
      RULES_DIR: join(root, 'rules'),
      HEADWORKS_CLOCK: 'virtual',
      HEADWORKS_ROLE: 'all',
      HEADWORKS_BOOTSTRAP_KEY: KEY,
    });
    servers.push(headworks);
    await ask(headworks, 'PUT', '/sandbox/clock', { now: PARCELS_NOW });
    const total = 1 + (rounds + 1) * loads;
    // The first of each kind alone: where it is refused, the answer says why.
    await ask(headworks, 'POST', '/subjects/site', parcelBody(0));
    await fire(headworks, '/subjects/site', total - 1, (index) => parcelBody(index + 1));
    await ask(headworks, 'PUT', '/sandbox/clock', { now: LOADS_NOW });
    const before = await eventsAfter(join(dir, 'headworks'), 0);
    await ask(headworks, 'POST', '/loads', loadBody(0));
    const appends = appendsOf(await eventsAfter(join(dir, 'headworks'), before.length));
    writeFileSync(join(dir, 'appends.json'), JSON.stringify(appends));
    const register = join(root, 'test/servers/register-ts.cjs');
    const file = join(root, 'test/bench/bare-server.ts');
    const ceiling = await startServer([
      ...[YOUNG, '-r', register, file],
      ...[join(dir, 'bare'), join(dir, 'appends.json')],
    ]);
    servers.push(ceiling);
    const rates = await takeTurns({ headworks, ceiling, rounds, loads, bare });
    await mustHaveWritten(dir, { loads: total, bare: (rounds + 1) * bare, before: before.length });
    return [
      row('http: POST /v1/loads, the whole law / bare Fastify, same writes', 'loads/s', ...rates, 0.25),
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Turns {
  readonly headworks: ServerProcess;
  readonly ceiling: ServerProcess;
  readonly rounds: number;
  readonly loads: number;
  readonly bare: number;
}

/** The first turn of each warms it up and is not counted. */
async function takeTurns(turns: Turns): Promise<readonly [value: number, ceiling: number]> {
  const { headworks, ceiling, rounds, loads, bare } = turns;
  const [values, ceilings]: [number[], number[]] = [[], []];
  let next = 1;
  for (let round = 0; round <= rounds; round++) {
    const first = next;
    next += loads;
    const value = await fire(headworks, '/loads', loads, (index) => loadBody(first + index));
    const bound = await fire(ceiling, '/loads', bare, (index) => loadBody(first + index));
    if (round === 0) continue;
    values.push(value);
    ceilings.push(bound);
  }
  return [median(values), median(ceilings)];
}

/** Posts so many bodies over the connections and answers how many a second; one that is not 2xx ends the bench. */
async function fire(
  server: ServerProcess,
  path: string,
  amount: number,
  bodyOf: (index: number) => JsonObject,
): Promise<number> {
  // Made beforehand: the generator shares the machine with the server.
  const bodies = Array.from({ length: amount }, (_, index) => JSON.stringify(bodyOf(index)));
  let next = 0;
  const began = performance.now();
  let last = began;
  const options = {
    url: `${server.url}${path}`,
    connections: CONNECTIONS,
    amount,
    timeout: 30,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
        setupRequest: (request: object) => ({ ...request, body: bodies[next++ % amount] }),
      },
    ],
  };
  const result = await new Promise<CannonResult>((resolve, reject) => {
    const cannon = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    // It ends with its next tick of a second; what is asked is when the last answer came.
    cannon.on('response', () => (last = performance.now()));
  });
  const seconds = (last - began) / 1000;
  const { '2xx': done, non2xx, errors, timeouts } = result;
  if (done !== amount || non2xx + errors + timeouts > 0) {
    throw new Error(
      `Of ${amount} requests to ${path} ${done} were answered with 2xx, ${non2xx} otherwise, and ${errors + timeouts} not at all: see what the server says, a bench of errors says nothing.`,
    );
  }
  return amount / seconds;
}

async function ask(server: ServerProcess, method: string, path: string, body: JsonObject): Promise<void> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}

async function eventsAfter(dir: string, count: number): Promise<readonly RecordedEvent[]> {
  const store = await openSqliteStore({ dir, clock: 'virtual', now: () => LOADS_NOW, readOnly: true });
  const events: RecordedEvent[] = [];
  for await (const batch of store.readAll()) events.push(...batch);
  await store.close();
  return events.slice(count);
}

/** The events of one load by the append that brought them: all of a stream, as a load is the first of its parcel. */
function appendsOf(events: readonly RecordedEvent[]): readonly (readonly NewEvent[])[] {
  const streams = new Map<string, NewEvent[]>();
  for (const { stream, id, type, data, metadata } of events) {
    streams.set(stream, [...(streams.get(stream) ?? []), { id, type, data, metadata }]);
  }
  return [...streams.values()];
}

interface Wanted {
  readonly loads: number;
  readonly bare: number;
  /** Events of Headworks before the first load. */
  readonly before: number;
}

/** Both servers wrote what they answered for, once each, and as many bytes a load: or they did different work. */
async function mustHaveWritten(dir: string, { loads, bare, before }: Wanted): Promise<void> {
  const ours = await eventsAfter(join(dir, 'headworks'), before);
  const theirs = await eventsAfter(join(dir, 'bare'), 1);
  const tickets = new Set(
    ours.flatMap(({ type, data }) => (type === 'LoadDischarged' ? [data['ticket']] : [])),
  );
  if (tickets.size !== loads) throw new Error(`Of ${loads} answered loads ${tickets.size} are in the log.`);
  const perLoad = [bytesOf(ours) / loads, bytesOf(theirs) / bare] as const;
  if (ours.length * bare !== theirs.length * loads || Math.abs(perLoad[0] / perLoad[1] - 1) > 0.02) {
    throw new Error(
      `The two servers wrote ${ours.length / loads} and ${theirs.length / bare} events, ${perLoad.join(' and ')} bytes a load; they must write the same to be compared.`,
    );
  }
}

const bytesOf = (events: readonly RecordedEvent[]): number =>
  events.reduce((sum, { data, metadata }) => sum + JSON.stringify({ data, metadata }).length, 0);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type FreshDatabase } from '../servers/fresh-database';
import { ARTICLE, manifestBody, moveClock, NEXT_DAY, setStage, type Load } from './city.testing';
import { disagreements } from './manifest-answers.testing';
import { faultsOf } from './manifest-faults.testing';
import { leftBehind } from './manifest-left.testing';
import { ManifestLog } from './manifest-log.testing';
import { listAll } from './program.testing';
import { inHands, Race, type Course } from './race.testing';

const FULL = process.env['FAULTS'] === 'full';
const MANIFESTS = FULL ? 1_000 : 100;
const KILLS = FULL ? 20 : 2;
const HANDS = 16;

let dir: string;
let database: FreshDatabase | undefined;
let race: Race | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headworks-race-'));
});
afterEach(async () => {
  await race?.abandon();
  await database?.drop();
  database = undefined;
  rmSync(dir, { recursive: true, force: true });
});

const HAULER = '12345';
/** From 50 to 850 gallons, in an order that nobody chose. */
const gallonsOf = (n: number): number => 50 + ((n * 37) % 17) * 50;
const NUMBERS = Array.from({ length: MANIFESTS }, (_, n) => n);
const ASKED = NUMBERS.reduce((sum, n) => sum + gallonsOf(n), 0);
/** Room for three in five. */
const PLAN = Math.floor((ASKED * 3) / 5) + 7;

/** Every manifest is asked once, half of them of the process that is killed; some are asked twice at once. */
async function askAll(race: Race, permitId: string, processes: number): Promise<void> {
  let answeredByFirst = 0;
  await inHands(HANDS, NUMBERS, async (n) => {
    const load: Load = { permitId, hauler: HAULER, ticket: `T-${n}`, gallons: gallonsOf(n) };
    const ask = async () => race.send(n % processes, '/manifests', manifestBody(load), `key-${n}`);
    const all = await Promise.all(n % 10 === 0 ? [ask(), ask()] : [ask()]);
    for (const { status, body, sent, answered } of all)
      race.answers.push({ what: 'manifest', ticket: load.ticket, status, body, sent, answered });
    if (n % processes !== 0) return;
    answeredByFirst++;
    const each = MANIFESTS / processes / (KILLS + 1);
    if (race.kills < KILLS && answeredByFirst >= each * (race.kills + 1)) race.kill();
  });
}

/** What one caller was told of a manifest is what any other was. */
function expectOneAnswerEach(race: Race): void {
  const byTicket = new Map<string, Set<string>>();
  for (const { ticket, status, body } of race.answers) {
    const told = `${status === 422 ? 'refused' : String(body['status'])} ${String(body['id'])}`;
    byTicket.set(ticket, (byTicket.get(ticket) ?? new Set()).add(told));
    expect([200, 201, 422]).toContain(status);
  }
  expect(byTicket.size).toBe(MANIFESTS);
  for (const [ticket, told] of byTicket) expect([ticket, [...told]]).toEqual([ticket, [[...told][0]]]);
}

async function expectRightRaceOn(course: Course): Promise<void> {
  race = new Race(course);
  const { permits } = await setStage(await race.start(), { [HAULER]: PLAN });
  const permitId = permits[HAULER] ?? '';
  await askAll(race, permitId, course.processes);
  expect(race.kills).toBe(KILLS);
  expectOneAnswerEach(race);
  // Moving the clock waits for all that follows from what is in the log; to the same instant it moves nothing.
  const first = await race.process(0);
  const accepted = (await listAll(first, '/manifests?status=accepted')).length;
  await moveClock(first, NEXT_DAY);
  const lapsed = await listAll(first, '/manifests?status=lapsed');
  expect(lapsed).toHaveLength(accepted);
  const ledger = await first.call('GET', `/permits/${permitId}/ledgers/permit_year?on=2027-01-13`);
  expect(ledger.body).not.toHaveProperty('reserved.0');
  await race.stop();
  expect(race.said.join('')).toBe('');
  expectRightLog(await race.log(), race, permitId, accepted);
}

function expectRightLog(
  events: Awaited<ReturnType<Race['log']>>,
  race: Race,
  permitId: string,
  accepted: number,
): void {
  expect(faultsOf(events, ARTICLE)).toEqual([]);
  const beforeLapse = events.slice(
    0,
    events.findLastIndex(({ type }) => type === 'ClockMoved'),
  );
  expect(leftBehind(beforeLapse, ARTICLE)).toEqual([]);
  expect(disagreements(events, race.answers, [], ARTICLE)).toEqual([]);
  const log = new ManifestLog(ARTICLE);
  for (const event of events) log.read(event);
  const tickets = [...log.asked.values()].map(({ data }) => data.ticket);
  expect(tickets.toSorted(byNumber)).toEqual(NUMBERS.map((n) => `T-${n}`));
  const standing = log.streams.get(`permit-${permitId}`)?.standing ?? new Map<string, { is: string }>();
  const gallons = (is: string) =>
    [...standing].flatMap(([id, one]) =>
      one.is === is ? Number(log.asked.get(id)?.data.quantity.value) : [],
    );
  const sum = gallons('accepted').reduce((all, one) => all + one, 0);
  expect(gallons('accepted')).toHaveLength(accepted);
  expect(gallons('refused').length + accepted).toBe(MANIFESTS);
  expect(sum).toBeLessThanOrEqual(PLAN);
  // The smallest that was refused would not have fitted: nothing of the plan was wasted.
  expect(sum + Math.min(...gallons('refused'))).toBeGreaterThan(PLAN);
}

const byNumber = (a: string, b: string): number => Number(a.slice(2)) - Number(b.slice(2));
const title = `${MANIFESTS} manifests race for the last gallons of a plan, ${KILLS} kills (-9) meanwhile`;
const MOST_MS = FULL ? 1_800_000 : 240_000;

test(
  `${title}: of one process on SQLite`,
  async () => {
    await expectRightRaceOn({ dir, processes: 1 });
  },
  MOST_MS,
);

test(
  `${title}: of two processes on one PostgreSQL`,
  async () => {
    database = await freshDatabase();
    await expectRightRaceOn({ dir, databaseUrl: database.url, processes: 2 });
  },
  MOST_MS,
);

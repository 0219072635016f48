import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManifestSubmitted } from '@headworks/domain';
import { freshDatabase, type FreshDatabase } from '../servers/fresh-database';
import {
  AFTERNOON,
  ARTICLE,
  dischargeBody,
  manifestBody,
  moveClock,
  NEXT_DAY,
  PACK,
  setStage,
} from './city.testing';
import type { Load, Stage } from './city.testing';
import { disagreements, type Ended } from './manifest-answers.testing';
import { faultsOf } from './manifest-faults.testing';
import { leftBehind } from './manifest-left.testing';
import { listAll } from './program.testing';
import { diceOf, inHands, Race, type Course, type Sent } from './race.testing';

const FULL = process.env['FAULTS'] === 'full';
const MANIFESTS = FULL ? 800 : 80;
const KILLS = FULL ? 20 : 2;

let dir: string;
let database: FreshDatabase | undefined;
let race: Race | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headworks-stops-'));
});
afterEach(async () => {
  await race?.abandon();
  await database?.drop();
  database = undefined;
  rmSync(dir, { recursive: true, force: true });
});

/** One is stopped for a while, one has a smaller plan set, and the third one's permit is revoked. */
const HAULERS = ['stopped', 'lessened', 'revoked'] as const;
const PLAN = MANIFESTS * 200;
const NUMBERS = Array.from({ length: MANIFESTS }, (_, n) => n);
/** The same dice in every run; FAULTS_SEED throws others. */
const roll = diceOf(Number(process.env['FAULTS_SEED'] ?? 1));
const gallonsOf = (n: number): number => 300 + roll(n, 'gallons', 11) * 100;

/** Something that the City decides while the race goes on. */
interface Decision {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly stream?: string;
  readonly against?: Ended['against'];
  /** Name of the decision that it takes back. */
  readonly lifts?: string;
}

function decisionsOn({ plant, permits }: Stage): readonly Decision[] {
  const because = { restriction_cause: 'operational_problem', restriction_excuse: 'over_capacity' };
  const act = (on: string, name: string, facts: object): { path: string; body: object } => ({
    path: `${on}/acts/${name}`,
    body: { pack: PACK, facts },
  });
  const atPlant = `/subjects/plant/${plant}`;
  const [stopped = '', lessened = '', revoked = ''] = HAULERS.map((hauler) => permits[hauler] ?? '');
  const corrective_action = 'the pump is mended';
  const isTank = ({ sources }: ManifestSubmitted) => sources.some(({ wasteType }) => wasteType === TANK);
  return [
    {
      ...{ name: 'a stop of one kind', stream: `subject-${plant}`, against: isTank },
      ...act(atPlant, 'stop_waste_types', { stopped_types: [TANK], ...because }),
    },
    {
      name: 'its end',
      lifts: 'a stop of one kind',
      ...act(atPlant, 'resume_waste_types', { corrective_action }),
    },
    {
      ...{ name: 'a stop of one hauler', stream: `permit-${stopped}`, against: () => true },
      ...act(`/permits/${stopped}`, 'stop_hauler', because),
    },
    {
      ...{ name: 'that hauler again', lifts: 'a stop of one hauler' },
      ...act(`/permits/${stopped}`, 'resume_hauler', { corrective_action }),
    },
    {
      ...{ name: 'a smaller plan', path: `/permits/${lessened}/conditions` },
      body: { reason: 'less room', conditions: ['less'], sets: { annual_volume: `${PLAN / 2} gal` } },
    },
    {
      ...{ name: 'a stop of all', stream: `subject-${plant}`, against: () => true },
      ...act(atPlant, 'stop_acceptance', because),
    },
    {
      name: 'all again',
      lifts: 'a stop of all',
      ...act(atPlant, 'resume_acceptance', { corrective_action }),
    },
    {
      ...{ name: 'the revocation', path: `/permits/${revoked}/revocation` },
      ...{ body: { reason: 'solvents', grounds: ['D'] }, stream: `permit-${revoked}`, against: () => true },
    },
  ];
}
const TANK = 'holding_tank_waste';

function expectDone({ status, body }: Sent, ...others: readonly number[]): void {
  const isDone = [200, 201, ...others].includes(status);
  expect([isDone, isDone ? '' : JSON.stringify(body)]).toEqual([true, '']);
}

/** The race: haulers ask, discharge, correct and take back, the City decides, and a process is killed. */
class Day {
  readonly ends: Ended[] = [];
  private readonly decisions: Decision[];
  private answered = 0;
  private decided = 0;
  private minutes = 0;
  private deciding: Promise<void> = Promise.resolve();

  constructor(
    readonly race: Race,
    readonly stage: Stage,
  ) {
    this.decisions = [...decisionsOn(stage)];
  }

  async run(): Promise<void> {
    await inHands(12, NUMBERS, (n) => this.haul(n));
    await this.deciding;
  }

  private async haul(n: number): Promise<void> {
    const hauler = HAULERS[roll(n, 'hauler', HAULERS.length)] ?? '';
    const permitId = this.stage.permits[hauler] ?? '';
    const kind = roll(n, 'kind', 4) === 0 ? { wasteType: TANK } : {};
    const load: Load = { permitId, hauler, ticket: `T-${n}`, gallons: gallonsOf(n), ...kind };
    const asked = await this.race.send(n, '/manifests', manifestBody(load), `ask-${n}`);
    this.told('manifest', load, asked);
    this.step();
    const id = String(asked.body['id']);
    if (asked.status >= 400) return;
    const then = roll(n, 'then', 12);
    if (then === 0) return this.takeBack(n, id);
    if (then < 8) await this.discharge(n, load, id);
  }

  private async discharge(n: number, load: Load, id: string): Promise<void> {
    // Some bring more than they asked for: it is recorded.
    const brought = roll(n, 'more', 12) === 0 ? { ...load, gallons: load.gallons + 450 } : load;
    const body = dischargeBody(brought, id, 1 + roll(n, 'minute', 9));
    const sent = await this.race.send(n + 1, '/loads', body, `bring-${n}`);
    this.told('discharge', load, sent);
    expectDone(sent);
    const corrections = [
      { set: { quantity: `${load.gallons - 100} gal` } },
      { set: { quantity: `${load.gallons + 200} gal` } },
      { void: true },
    ];
    const which = roll(n, 'correction', 8);
    if (which >= corrections.length) return;
    const correction = { reason: 'misread', ...corrections[which] };
    const corrected = await this.race.send(n, `/loads/${id}/corrections`, correction, `correct-${n}`);
    expectDone(corrected);
  }

  private async takeBack(n: number, id: string): Promise<void> {
    const sent = await this.race.send(
      n,
      `/manifests/${id}/withdrawal`,
      { reason: 'a flat tyre' },
      `back-${n}`,
    );
    // It may have been ended meanwhile.
    expectDone(sent, 409);
  }

  private told(
    what: 'manifest' | 'discharge',
    { ticket }: Load,
    { status, body, sent, answered }: Sent,
  ): void {
    this.race.answers.push({ what, ticket, status, body, sent, answered });
  }

  /** After so many answers the City decides the next, and between its decisions a process is killed. */
  private step(): void {
    this.answered++;
    const part = MANIFESTS / (this.decisions.length + 1);
    const decision = this.decisions[this.decided];
    if (decision && this.answered >= part * (this.decided + 1)) {
      this.decided++;
      this.deciding = this.deciding.then(() => this.decide(decision));
    }
    if (this.answered >= (MANIFESTS / (KILLS + 1)) * (this.race.kills + 1) && this.race.kills < KILLS)
      this.race.kill();
  }
  private async decide({ name, path, body, stream, against, lifts }: Decision): Promise<void> {
    await this.race.moveClock(new Date(Date.parse(AFTERNOON) + ++this.minutes * 1000).toISOString());
    const lifting = this.ends.findIndex((one) => one.name === lifts);
    const lifted = this.ends[lifting];
    if (lifted) this.ends[lifting] = { ...lifted, lifted: this.race.tick() };
    const sent = await this.race.send(1, path, body, `decide-${name.replaceAll(' ', '-')}`);
    expectDone(sent);
    if (stream !== undefined && against) this.ends.push({ name, stream, answered: sent.answered, against });
  }
}

async function expectRightDayOn(course: Course): Promise<void> {
  race = new Race(course);
  const plans = Object.fromEntries(HAULERS.map((hauler) => [hauler, PLAN]));
  const stage = await setStage(await race.start(), plans);
  await race.moveClock(AFTERNOON);
  const day = new Day(race, stage);
  await day.run();
  expect(race.kills).toBe(KILLS);
  const first = await race.process(0);
  const revoked = stage.permits['revoked'] ?? '';
  await moveClock(first, '2027-01-12T20:00:00.000Z');
  const statuses = (await listAll(first, `/manifests?permitId=${revoked}`)).map(({ status }) => status);
  expect(statuses).not.toContain('accepted');
  expect(statuses).not.toContain('pending');
  const events = await race.log();
  expect(faultsOf(events, ARTICLE)).toEqual([]);
  expect(leftBehind(events, ARTICLE)).toEqual([]);
  expect(disagreements(events, race.answers, day.ends, ARTICLE)).toEqual([]);
  await moveClock(first, NEXT_DAY);
  const open = await listAll(first, '/manifests');
  expect(open.filter(({ status }) => status === 'accepted' || status === 'pending')).toEqual([]);
  await race.stop();
  expect(race.said.join('')).toBe('');
}

const title = `${MANIFESTS} manifests, discharges and corrections race stops, a smaller plan and a revocation, ${KILLS} kills (-9) meanwhile`;
const MOST_MS = FULL ? 1_800_000 : 240_000;

test(
  `${title}: of one process on SQLite`,
  async () => {
    await expectRightDayOn({ dir, processes: 1 });
  },
  MOST_MS,
);

test(
  `${title}: of two processes on one PostgreSQL`,
  async () => {
    database = await freshDatabase();
    await expectRightDayOn({ dir, databaseUrl: database.url, processes: 2 });
  },
  MOST_MS,
);

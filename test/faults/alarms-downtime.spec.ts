import { redisUrl } from '../servers/shared-redis';
import {
  expectEachMissedOnce,
  LawClock,
  logOf,
  missedIn,
  occurredMs,
  ordered,
  placeOn,
  startIn,
  times,
  until,
  untilMissed,
  type Place,
  type Started,
} from './weirs.testing';

const HOUR = 3_600_000;
const DUE = Date.parse('2027-07-06T20:00:00.000Z');
const COUNT = times(300);
/** Over a week, by hours and minutes that have no order; a tenth of them at one instant. */
const WEEK = Array.from({ length: COUNT }, (_, n) =>
  n % 10 === 0 ? DUE + 100 * HOUR : DUE + ((n * 7_919) % (7 * 24 * 60)) * 60_000 + n,
);
const AFTER = DUE + 8 * 24 * HOUR;

/** The timer and the sweep alone on SQLite, and BullMQ beside them on PostgreSQL: what is recorded must be the same. */
describe.each([
  ['the timer alone on SQLite', 'sqlite'],
  ['BullMQ and PostgreSQL', 'postgres'],
] as const)('%s', (_, store) => {
  let place: Place;
  const running: Started[] = [];
  beforeEach(async () => {
    place = await placeOn(store);
  });
  afterEach(async () => {
    for (const { program } of running.splice(0)) await program.close();
    await place.remove();
  });

  async function start(clock: LawClock): Promise<Started> {
    const more = store === 'postgres' ? { REDIS_URL: await redisUrl() } : {};
    const started = await startIn(place, more, clock.now);
    running.push(started);
    return started;
  }

  it('a week of downtime: all is recorded in the order of the law, each dated when it fell due', async () => {
    const streams = await ordered(place, WEEK);
    const workers = store === 'postgres' ? 2 : 1;
    const clock = new LawClock(AFTER);
    const started: Started[] = [];
    for (let n = 0; n < workers; n++) started.push(await start(clock));
    const { program } = started[0] as Started;
    await untilMissed(program, COUNT);
    const log = await logOf(program);
    expectEachMissedOnce(log, streams, WEEK);
    const dated = missedIn(log).map(occurredMs);
    expect(dated).toEqual(dated.toSorted((a, b) => a - b));
    expect(missedIn(log).every(({ metadata }) => Date.parse(metadata.recordedAt) >= AFTER)).toBe(true);
  });

  it('the clock stepped back and forward: nothing before its time, nothing missed, nothing doubled', async () => {
    const dues = [DUE, DUE + HOUR, DUE + 2 * HOUR, DUE + 30 * HOUR];
    const streams = await ordered(place, dues);
    const clock = new LawClock(DUE - 1_500);
    const { program } = await start(clock);
    await untilMissed(program, 1);
    clock.comesTo(DUE - 5 * HOUR);
    await program.settleDue();
    clock.comesTo(DUE + HOUR - 1_000);
    await untilMissed(program, 2);
    clock.comesTo(DUE + 29 * HOUR);
    await untilMissed(program, 3);
    clock.comesTo(DUE + HOUR);
    const before = missedIn(await logOf(program)).length;
    clock.comesTo(DUE + 31 * HOUR);
    await untilMissed(program, 4);
    expect(before).toBe(3);
    const log = await logOf(program);
    expectEachMissedOnce(log, streams, dues);
    for (const event of missedIn(log)) {
      expect(Date.parse(event.metadata.recordedAt)).toBeGreaterThan(occurredMs(event));
    }
  });

  it('one that can not be settled holds up nobody, and is told of', async () => {
    const dues = [DUE, DUE + 1, DUE + 2];
    const streams = await ordered(place, dues);
    const clock = new LawClock(DUE - HOUR);
    const { program, told } = await start(clock);
    // Its own following of the log is over the adoption of the law.
    await program.caughtUp();
    (program.services.lawFaults as Map<string, string>).set(
      'xx-fernhollow',
      'The text of another law stands here.',
    );
    clock.comesTo(DUE + HOUR);
    await until(() => told.length >= 3, 20_000);
    expect(missedIn(await logOf(program))).toEqual([]);
    expect((await program.alarms.overdue()).late).toBe(3);
    (program.services.lawFaults as Map<string, string>).delete('xx-fernhollow');
    await untilMissed(program, 3);
    expectEachMissedOnce(await logOf(program), streams, dues);
    await until(async () => (await program.alarms.overdue()).due === 0);
  });
});

import { openMemoryStore } from '@headworks/event-store';
import { StreamRunner } from '@headworks/use-cases';
import { VirtualClock, VIRTUAL_FLOOR } from './clocks';
import { moveClock, type ClockMoves } from './move-clock';

const TO = Date.parse('2027-07-10T00:00:00.000Z');

async function moves(due: string[], closes: boolean): Promise<ClockMoves & { readonly seen: string[] }> {
  const store = await openMemoryStore({ clock: 'virtual', now: () => VIRTUAL_FLOOR });
  const monotonic = (): number => 0;
  const seal = <T>(event: T) => Promise.resolve(event);
  const clock = new VirtualClock();
  const seen: string[] = [];
  return {
    clock,
    runner: new StreamRunner({ store, singleWriter: true, seal, monotonic }),
    monotonic,
    nextDue: () => Promise.resolve(due[0]),
    sweep: () => {
      seen.push(new Date(clock.now()).toISOString());
      const fell = due
        .filter((at) => Date.parse(at) < clock.now())
        .map((dueAt) => ({ stream: 's', duty: dueAt, dueAt }));
      if (closes) due.splice(0, fell.length);
      return Promise.resolve(fell);
    },
    seen,
  };
}

test('it stops just after each due instant on the way, in order', async () => {
  const made = await moves(['2027-07-01T00:00:00.000Z', '2027-07-04T00:00:00.000Z'], true);
  const fell = await moveClock(made, TO);
  expect(made.seen).toEqual([
    '2027-07-01T00:00:00.001Z',
    '2027-07-04T00:00:00.001Z',
    '2027-07-10T00:00:00.000Z',
  ]);
  expect(fell.map(({ dueAt }) => dueAt)).toEqual(['2027-07-01T00:00:00.000Z', '2027-07-04T00:00:00.000Z']);
});

test('a row that never closes does not hold the clock', async () => {
  const made = await moves(['2027-07-01T00:00:00.000Z'], false);
  await moveClock(made, TO);
  expect(made.clock.now()).toBe(TO);
});

test('it only moves forward', async () => {
  const made = await moves([], true);
  await moveClock(made, TO);
  await expect(moveClock(made, TO - 1)).rejects.toMatchObject({ code: 'clock-behind' });
  await moveClock(made, TO);
  expect(made.clock.now()).toBe(TO);
});

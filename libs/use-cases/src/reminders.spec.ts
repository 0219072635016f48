import type { Notice } from '@headworks/domain';
import { isoInstant } from '@headworks/kernel';
import { claimReminder, tellReminder } from './commands/record-reminder';
import { subjectStream } from './models';
import { openShared, World } from './testing/world.testing';

const STARTED = Date.parse('2027-07-05T12:00:00.000Z');
const at = (hours: number): string => isoInstant(STARTED + hours * 3_600_000);

/** Two processes on one log, with a duty that is open on a meadow for 12 hours from the first load on. */
async function processes() {
  const shared = await openShared();
  const [one, other] = [
    new World(shared, { singleWriter: false }),
    new World(shared, { singleWriter: false }),
  ];
  await one.at(at(0)).register('M1', { meadow_area: '1 acre', fenced: true });
  await one.tip('T-1');
  const [open] = (await one.thing('M1')).openDuties.values();
  if (!open) throw new Error('no duty is open');
  const notice: Omit<Notice, 'attempt'> = {
    ...{
      duty: open.duty,
      reminder: '4 h before',
      remindAt: at(8),
      dueAt: isoInstant(Date.parse(open.dueAt ?? '')),
    },
    ...{ to: open.who, channel: 'email', nth: 1 },
  };
  const stream = subjectStream(one.meadow('M1'));
  const types = async (): Promise<readonly string[]> =>
    (await shared.store.readStream(stream))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('Reminder'));
  return { one, other, notice, stream, types };
}

it('of many that claim a reminder at once one has it, and what became of it is told once', async () => {
  const { one, other, notice, stream, types } = await processes();
  one.at(at(8));
  const claims = await Promise.all(
    [one, other, one, other, other].map(({ services }) => claimReminder(services, stream, notice)),
  );
  expect(claims.filter(({ is }) => is === 'mine')).toEqual([{ is: 'mine', attempt: 1 }]);
  const begun = { is: 'begun', attempt: 1, startedMs: Date.parse(at(8)) };
  expect(claims.filter(({ is }) => is !== 'mine')).toEqual([begun, begun, begun, begun]);
  const first = { ...notice, attempt: 1 };
  await Promise.all([one, other].map(({ services }) => tellReminder(services, stream, first, 'sent')));
  expect(await types()).toEqual(['ReminderStarted', 'ReminderSent']);
  expect(await claimReminder(other.services, stream, notice)).toEqual({ is: 'told' });
});

it('what did not arrive is another’s to try after a pause, longer each time, and six times in all', async () => {
  const { one, other, notice, stream, types } = await processes();
  let [attempt, waited] = [0, 0];
  const pauses: number[] = [];
  one.at(at(1));
  // The notice is of 8 hours, but nothing here asks whether its moment has come.
  for (let worker = one; ; worker = worker === one ? other : one) {
    const claim = await claimReminder(worker.services, stream, notice);
    if (claim.is === 'waits') {
      pauses.push((claim.untilMs - one.shared.now) / 60_000);
      waited += claim.untilMs - one.shared.now;
      one.shared.now = claim.untilMs;
    } else if (claim.is === 'mine') {
      attempt = claim.attempt;
      await tellReminder(worker.services, stream, { ...notice, attempt }, 'not_delivered');
    } else {
      expect(claim).toEqual({ is: 'told' });
      break;
    }
  }
  expect([attempt, pauses]).toEqual([6, [1, 5, 30, 120, 360]]);
  expect(waited).toBeLessThan(11 * 3_600_000);
  expect(await types()).toHaveLength(12);
});

it('nothing is claimed of what is done, of another date, or of what began after its moment', async () => {
  const { one, notice, stream, types } = await processes();
  one.at(at(8));
  const claim = (more: Partial<typeof notice>) => claimReminder(one.services, stream, { ...notice, ...more });
  expect(await claim({ dueAt: at(13) })).toEqual({ is: 'over' });
  expect(await claim({ remindAt: at(-1) })).toEqual({ is: 'over' });
  expect(await claim({ duty: 'none' })).toEqual({ is: 'over' });
  await one.act('M1', 'fork_in', { rake: 'fork' });
  expect((await one.thing('M1')).openDuties.size).toBe(0);
  expect(await claim({})).toEqual({ is: 'over' });
  expect(await types()).toEqual([]);
});

it('what is past after a try is over for whoever would make the next', async () => {
  const { one, other, notice, stream } = await processes();
  one.at(at(8));
  await claimReminder(one.services, stream, notice);
  await tellReminder(one.services, stream, { ...notice, attempt: 1 }, 'not_delivered');
  one.at(at(13));
  expect(await claimReminder(other.services, stream, notice)).toEqual({ is: 'over' });
});

import { OFFICE_LATE, type Notice, type ReminderOutcome } from '@headworks/domain';
import { isoInstant } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Delivery, Message } from './notifier';
import { readRecipients } from './recipients';
import type { RemindedDuty } from './reminded-duty';
import { Reminders, type RemindersPort } from './reminders';

const DAY = 86_400_000;
const TRIES = 3;
const PAUSE = 60_000;
const DUE = Date.parse('2027-10-02T05:00:00.000Z');

/** A pack that reminds ten and two days ahead, as far as reminders ask it. */
const PACK = {
  ref: { pack: 'example-law', version: '1', sha256: '' },
  zone: 'America/Chicago',
  bodies: new Map([['office', { name: 'The Office' }]]),
  clauses: new Map([
    [
      'C.1',
      {
        id: 'C.1',
        cite: 'section 1',
        deadline: {
          must: 'decide',
          remind: [
            { amount: 10, unit: 'days' },
            { amount: 2, unit: 'days' },
          ],
        },
      },
    ],
  ]),
  reminders: (_clause: string, due: { readonly at: string }) =>
    [10, 2].map((days) => ({
      text: `${days} days before`,
      at: isoInstant(Date.parse(due.at) - days * DAY),
    })),
} as unknown as Pack;

const ROW: RemindedDuty = {
  duty: 'd-1',
  stream: 'permit-7',
  jurisdiction: 'a-town',
  clause: 'C.1',
  packVersion: '1',
  who: 'office',
  subject: null,
  responsible: null,
  due: { date: '2027-10-01', at: isoInstant(DUE), elapsedAt: null },
};
const RECIPIENTS = readRecipients(
  {
    'a-town': {
      bodies: {
        office: { to: [{ email: 'a@x.example' }, { email: 'b@x.example' }], supervisor: 'board' },
        board: { to: [{ email: 'c@x.example' }] },
      },
    },
  },
  [],
);

/** The log as claims and what was told stand in it; `open`: whether there is still something to remind of. */
class Log {
  now = DUE - 20 * DAY;
  isOpen = true;
  /** The list may be behind the log. */
  isListed = true;
  isMissed = false;
  readonly started = new Map<string, number>();
  readonly told = new Map<string, { readonly outcome: ReminderOutcome; readonly ms: number }>();
  readonly sent: { readonly to: string; readonly message: Message }[] = [];
  readonly said: string[] = [];
  deliver: () => Promise<Delivery> = () => Promise.resolve({ is: 'sent' });
  breakTell = false;

  readonly idOf = ({ duty, reminder, to, nth }: Omit<Notice, 'attempt'>): string =>
    [duty, reminder, to, nth].join('/');

  get outcomes(): readonly ReminderOutcome[] {
    return [...this.told.values()].map(({ outcome }) => outcome);
  }

  readonly port: RemindersPort = {
    open: async (_pack, _clause, before) => (this.isListed && ROW.due.at < before ? [ROW] : []),
    missed: async () => (this.isMissed ? [ROW] : []),
    claim: async (_stream, asked) => {
      const isOver = asked.reminder === OFFICE_LATE ? !this.isMissed : !this.isOpen;
      for (let attempt = 1; attempt <= TRIES; attempt++) {
        const id = `${this.idOf(asked)}/${attempt}`;
        const startedMs = this.started.get(id);
        if (startedMs === undefined && isOver) return { is: 'over' };
        if (startedMs === undefined) {
          this.started.set(id, this.now);
          return { is: 'mine', attempt };
        }
        const told = this.told.get(id);
        if (!told) return { is: 'begun', attempt, startedMs };
        if (told.outcome !== 'not_delivered') return { is: 'told' };
        if (this.now < told.ms + PAUSE) return { is: 'waits', untilMs: told.ms + PAUSE };
      }
      return { is: 'told' };
    },
    tell: async (_stream, notice, outcome) => {
      if (this.breakTell) throw new Error('the store is away');
      this.told.set(`${this.idOf(notice)}/${notice.attempt}`, { outcome, ms: this.now });
    },
  };

  worker(): Reminders {
    return new Reminders({
      port: this.port,
      packs: () => new Map([['example-law', [PACK]]]),
      recipients: RECIPIENTS,
      notifiers: [
        {
          channel: 'email',
          send: (to, message) => {
            this.sent.push({ to: to.channel === 'email' ? to.address : '', message });
            return this.deliver();
          },
        },
      ],
      idOf: this.idOf,
      tries: TRIES,
      now: () => this.now,
      isSandbox: false,
      say: (sentence) => this.said.push(sentence),
    });
  }
}

let log: Log;
let worker: Reminders;
beforeEach(() => {
  log = new Log();
  worker = log.worker();
});
const sentTo = (): readonly string[] => log.sent.map(({ to }) => to);

it('nothing comes before its time, then one to each, and again at the next time', async () => {
  await worker.remind();
  expect([sentTo(), await worker.next()]).toEqual([[], isoInstant(DUE - 10 * DAY)]);
  log.now = DUE - 10 * DAY;
  await worker.remind();
  await worker.remind();
  expect(sentTo()).toEqual(['a@x.example', 'b@x.example']);
  log.now = DUE - 2 * DAY;
  await worker.remind();
  expect(sentTo()).toHaveLength(4);
  expect(log.sent.at(-1)?.message.subject).toBe('Reminder: decide, due 2027-10-01 (C.1)');
  expect(log.outcomes).toEqual(['sent', 'sent', 'sent', 'sent']);
});

it('after a silence one comes, late, and says so; another start sends nothing again', async () => {
  log.now = DUE - DAY;
  await worker.remind();
  expect(sentTo()).toEqual(['a@x.example', 'b@x.example']);
  expect(log.sent[0]?.message.text).toContain(
    'This should have come at 2027-09-30 00:00 (America/Chicago); it comes late.',
  );
  await log.worker().remind();
  expect(sentTo()).toHaveLength(2);
});

it('two workers at once send one each to one, and never two', async () => {
  log.now = DUE - 10 * DAY;
  await Promise.all([worker.remind(), log.worker().remind(), log.worker().remind()]);
  expect(sentTo().toSorted()).toEqual(['a@x.example', 'b@x.example']);
});

it('what certainly did not arrive is tried again after a pause, also by another process', async () => {
  log.now = DUE - 10 * DAY;
  log.deliver = () => Promise.resolve({ is: 'again', why: 'no answer' });
  await worker.remind();
  // A server that is away is not asked again in the same run: the second recipient has its turn in the next.
  expect(sentTo()).toEqual(['a@x.example']);
  await worker.remind();
  expect(sentTo()).toEqual(['a@x.example', 'b@x.example']);
  log.deliver = () => Promise.resolve({ is: 'sent' });
  await worker.remind();
  expect(sentTo()).toHaveLength(2);
  log.now += PAUSE;
  await log.worker().remind();
  expect(sentTo()).toHaveLength(4);
  expect(new Set(log.sent.map(({ message }) => message.id)).size).toBe(2);
  expect(log.outcomes).toEqual(['not_delivered', 'not_delivered', 'sent', 'sent']);
});

it('nothing is sent for what is done between two tries, while the list is behind', async () => {
  log.now = DUE - 10 * DAY;
  log.deliver = () => Promise.resolve({ is: 'again', why: 'no answer' });
  await worker.remind();
  log.isOpen = false;
  log.now += PAUSE;
  await worker.remind();
  expect(sentTo()).toEqual(['a@x.example']);
});

it('is given up after the last try, and says so without an address', async () => {
  log.now = DUE - 10 * DAY;
  log.deliver = () => Promise.resolve({ is: 'again', why: 'no answer' });
  for (let run = 0; run < 12; run++, log.now += PAUSE) await worker.remind();
  expect(sentTo()).toHaveLength(2 * TRIES);
  expect(log.outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(2);
  expect(log.said.at(-1)).toMatch(/try 3: failed, no answer\.$/);
  expect(log.said.join()).not.toContain('x.example');
});

it('what a dead worker had begun is told as unclear, and not sent again', async () => {
  log.now = DUE - 10 * DAY;
  log.deliver = () => new Promise(() => undefined);
  void worker.remind();
  await new Promise((resolve) => setImmediate(resolve));
  const other = log.worker();
  log.deliver = () => Promise.resolve({ is: 'sent' });
  log.now += 14 * 60_000;
  await other.remind();
  expect(log.told.get('d-1/10 days before/office/1/1')?.outcome).toBeUndefined();
  log.now += 2 * 60_000;
  await other.remind();
  expect(log.told.get('d-1/10 days before/office/1/1')?.outcome).toBe('unclear');
  expect(sentTo()).toEqual(['a@x.example', 'b@x.example']);
});

it('an adapter that throws may have sent it: unclear', async () => {
  log.now = DUE - 10 * DAY;
  log.deliver = () => Promise.reject(new Error('a@x.example is away'));
  await worker.remind();
  expect(log.outcomes).toEqual(['unclear', 'unclear']);
  expect(log.said.join()).not.toContain('x.example');
});

it('what could not be recorded is recorded later, and not sent again', async () => {
  log.now = DUE - 10 * DAY;
  log.breakTell = true;
  await worker.remind();
  log.breakTell = false;
  await worker.remind();
  expect([sentTo().length, log.outcomes]).toEqual([2, ['sent', 'sent']]);
});

it('that an office is late is told to its supervisor, once', async () => {
  [log.now, log.isOpen, log.isListed, log.isMissed] = [DUE + DAY, false, false, true];
  await worker.remind();
  await worker.remind();
  expect(sentTo()).toEqual(['c@x.example']);
  expect(log.sent[0]?.message.text).toContain(
    'The Office had to decide by the end of 2027-10-01 and has not done so.',
  );
});

it('once it is stopped it begins nothing more', async () => {
  log.now = DUE - 10 * DAY;
  let release: () => void = () => undefined;
  log.deliver = () => new Promise((resolve) => (release = () => resolve({ is: 'sent' })));
  const running = worker.remind();
  await new Promise((resolve) => setImmediate(resolve));
  const stopped = worker.stop();
  release();
  await Promise.all([running, stopped]);
  expect([sentTo(), log.outcomes]).toEqual([['a@x.example'], ['sent']]);
});

describe('the file of recipients', () => {
  const faultsOf = (raw: unknown): readonly string[] => {
    const faults: string[] = [];
    readRecipients(raw, faults);
    return faults;
  };
  const body = (one: unknown): unknown => ({ 'a-town': { bodies: { office: one } } });
  const SECRET = `whsec_${'A'.repeat(32)}`;

  it.each([
    ['no object', [], /must name jurisdictions/],
    ['another group', { 'a-town': { people: {} } }, /'people' means nothing here; use bodies, holders/],
    ['no list', body({ to: 'x' }), /'to' is a list/],
    ['no address', body({ to: [{ email: 'desk' }] }), /write \{ email: \.\.\. \}, or \{ webhook/],
    ['a secret too short', body({ to: [{ webhook: 'https://x.example', secret: 'whsec_AA' }] }), /24 random/],
    ['plain http', body({ to: [{ webhook: 'http://x.example', secret: SECRET }] }), /is an https address/],
    ['a supervisor of none', body({ to: [], supervisor: 'boss' }), /'boss' is no body of the file/],
  ])('%s is refused, and no address repeated', (_, raw, why) => {
    const faults = faultsOf(raw);
    expect(faults.join('\n')).toMatch(why);
    expect(faults.join('\n')).not.toContain('x.example');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { RecordedEvent } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { compose, readConfig, verifyViewsIn, type Config } from '@headworks/wiring';
import { ADMIN, startApi, type Api, type Json } from './support/api';
import {
  applied,
  CITY,
  CITY_PACK,
  DISPOSER,
  formWith,
  issuedPermit,
  staffOf,
  type Staff,
} from './support/city';
import { openReminders } from '../../libs/wiring/src/reminders';
import { freshDatabase } from '../servers/fresh-database';
import { startHookServer, startMailServer } from './support/receivers';
import { act, expectStatus, load, siteInOrder } from './support/town';

const SECRET = `whsec_${Buffer.from('thirty-two bytes of no real secret').toString('base64')}`;

let mail: Awaited<ReturnType<typeof startMailServer>>;
let hook: Awaited<ReturnType<typeof startHookServer>>;
let api: Api;
let staff: Staff;
let dir: string;
let refuse: number | undefined;
let hookAnswer: number;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'headworks-recipients-'));
  mail = await startMailServer(() => refuse);
  hook = await startHookServer(() => hookAnswer);
  const recipients = {
    [CITY]: {
      bodies: {
        city: { to: [{ email: 'desk@lodi.example' }], supervisor: 'council' },
        council: { to: [{ email: 'council@lodi.example' }] },
      },
    },
    'wi-whitewater-town': { holders: { 'hauler H-1': { to: [{ webhook: hook.url, secret: SECRET }] } } },
  };
  const file = join(dir, 'recipients.json');
  writeFileSync(file, JSON.stringify(recipients));
  api = await startApi('sqlite', 'virtual', {
    HEADWORKS_RECIPIENTS: file,
    SMTP_URL: mail.url,
    MAIL_FROM: 'headworks@lodi.example',
  });
  staff = await staffOf(api);
});
afterAll(async () => {
  await api.stop();
  await Promise.all([mail.stop(), hook.stop()]);
  rmSync(dir, { recursive: true });
});
beforeEach(() => {
  [refuse, hookAnswer] = [undefined, 204];
  mail.mails.length = 0;
  hook.hooks.length = 0;
});

const moveTo = async (instant: string): Promise<void> => void expectStatus(await api.at(instant), 200);

async function remindersIn(stream: string): Promise<readonly RecordedEvent[]> {
  const events = await api.program.services.store.readStream(stream);
  return events.filter(({ type }) => type.startsWith('Reminder'));
}

it('an office is reminded ahead of its duty, its supervisor when it is late, and nobody of what is done', async () => {
  await moveTo('2027-08-14T09:00:00-05:00');
  const late = await applied(api, staff.holder);
  const decided = await issuedPermit(api, staff, { applicant: DISPOSER });
  await moveTo('2027-09-20T23:59:00-05:00');
  expect(mail.mails).toEqual([]);

  // Ten days before October 1, from its first moment on.
  await moveTo('2027-09-21T00:01:00-05:00');
  const [first, ...others] = mail.mails;
  expect([first?.to, others]).toEqual([['desk@lodi.example'], []]);
  expect(first?.text).toContain(
    'Subject: SANDBOX: Reminder: approve or reject the application in writing, due 2027-10-01 (F.2.decide)',
  );
  expect(first?.text).toContain(
    'must approve or reject the application in writing by the end of 2027-10-01.',
  );
  expect(first?.text).not.toContain('comes late');

  // The clock jumps far: it stops where somebody is to be reminded, and where something falls due.
  mail.mails.length = 0;
  await moveTo('2027-10-20T12:00:00-05:00');
  expect(mail.mails.map(({ to }) => to)).toEqual([['desk@lodi.example'], ['council@lodi.example']]);
  expect(mail.mails[1]?.text).toContain('Subject: SANDBOX: Overdue: approve or reject the application');

  const told = await remindersIn(`permit-${late}`);
  expect(
    told.map(({ type, data, metadata }) => [
      type,
      data['reminder'],
      data['to'],
      data['outcome'],
      metadata.recordedAt.slice(0, 10),
    ]),
  ).toEqual([
    ['ReminderStarted', '10 days before', 'city', undefined, '2027-09-21'],
    ['ReminderSent', '10 days before', 'city', 'sent', '2027-09-21'],
    ['ReminderStarted', '2 days before', 'city', undefined, '2027-09-29'],
    ['ReminderSent', '2 days before', 'city', 'sent', '2027-09-29'],
    ['ReminderStarted', 'office late', 'council', undefined, '2027-10-02'],
    ['ReminderSent', 'office late', 'council', 'sent', '2027-10-02'],
  ]);
  expect(await remindersIn(`permit-${decided}`)).toEqual([]);
  const paper = await api.get(`/v1/permits/${late}/history?format=markdown`);
  expect(paper.text).toMatch(/## \d+\. Reminder sent/);
  expect(paper.text).not.toContain('lodi.example');
});

it('who answers for a duty is told by a signed webhook, by the hour', async () => {
  const site = await siteInOrder(api, 'A1');
  await moveTo('2027-11-02T09:00:00-05:00');
  expectStatus(await api.post('/v1/loads', load('A1', '2027-11-02T09:00:00-05:00')), 201);
  await moveTo('2027-11-03T05:00:01-05:00');
  expect(hook.hooks).toHaveLength(1);
  const { headers = {}, body = '' } = hook.hooks[0] ?? {};
  const payload = new Webhook(SECRET).verify(body, headers) as { readonly type: string; readonly data: Json };
  expect(payload).toMatchObject({
    type: 'duty.reminder',
    data: { clause: 'E.wet', to: 'spreader', reminder: '4 h before', late: false, sandbox: true },
  });
  expect(payload.data['text']).toContain(
    'hauler H-1 must knife the sludge in by 2027-11-03 09:00 (America/Chicago).',
  );
  expect(() => new Webhook(SECRET).verify(body.replace('E.wet', 'E.dry'), headers)).toThrow(/signature/);
  const done = { facts: { incorporation_method: 'knifed_in' } };
  expectStatus(await act(api, site, 'incorporate', done), 201);
  await moveTo('2027-11-05T00:00:00-05:00');
  expect(hook.hooks).toHaveLength(1);
});

it('what certainly did not arrive is tried again under the same id; what is refused for good is told as failed', async () => {
  hookAnswer = 503;
  await siteInOrder(api, 'A2');
  await moveTo('2027-11-09T09:00:00-06:00');
  expectStatus(await api.post('/v1/loads', load('A2', '2027-11-09T09:00:00-06:00')), 201);
  await moveTo('2027-11-10T05:00:01-06:00');
  hookAnswer = 204;
  await moveTo('2027-11-10T05:01:01-06:00');
  await moveTo('2027-11-10T05:02:01-06:00');
  const ids = hook.hooks.map(({ headers }) => headers['webhook-id']);
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(new Set(ids).size).toBe(1);

  await moveTo('2028-08-14T09:00:00-05:00');
  const id = await applied(api, staff.holder);
  refuse = 550;
  await moveTo('2028-09-22T12:00:00-05:00');
  refuse = undefined;
  const told = await remindersIn(`permit-${id}`);
  expect(told.map(({ type, data }) => [type, data['outcome']])).toEqual([
    ['ReminderStarted', undefined],
    ['ReminderSent', 'failed'],
  ]);
});

it('no address is in the log', async () => {
  const texts: string[] = [];
  for await (const batch of api.program.services.store.readAll()) texts.push(JSON.stringify(batch));
  const log = texts.join('');
  expect(log).toContain('ReminderSent');
  for (const secret of ['lodi.example', hook.url, SECRET]) expect(log).not.toContain(secret);
});

describe('where time is real', () => {
  const now = { ms: Date.parse('2027-08-14T14:00:00.000Z') };

  const configOf = (data: string, more: Readonly<Record<string, string>> = {}): Config =>
    readConfig({
      ...{
        DATA_DIR: data,
        PORT: '0',
        RULES_DIR: join(__dirname, '../../rules'),
        HEADWORKS_BOOTSTRAP_KEY: ADMIN,
      },
      ...{
        HEADWORKS_RECIPIENTS: join(dir, 'recipients.json'),
        SMTP_URL: mail.url,
        MAIL_FROM: 'a@lodi.example',
      },
      ...more,
    });

  /** A program on the folder, with its alarms, for as long as something is done with it. */
  async function runs(data: string, during: (api: App) => Promise<void>): Promise<void> {
    const program = await compose(configOf(data), { now: () => now.ms });
    try {
      await during(program);
    } finally {
      await program.close();
    }
  }
  type App = Awaited<ReturnType<typeof compose>>;
  /** Waits for so many mails, however long that takes. */
  const until = async (count: number): Promise<void> => {
    while (mail.mails.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const asked = (receivedMs: number): Request => ({
    caller: { id: 'c-1', roles: ['admin'], jurisdictions: '*' },
    ...{ receivedMs, correlationId: 'c', dryRun: false, deadline: Number.POSITIVE_INFINITY },
  });

  it('what a downtime left unsent comes once at the next start, late, and says so', async () => {
    const data = join(dir, 'data');
    await runs(data, async ({ headworks }) => {
      const body = { pack: CITY_PACK, permitType: 'disposal', applicant: DISPOSER, facts: formWith({}) };
      await headworks.permits.fileApplication(asked(now.ms), body);
    });
    // Both moments, September 21 and 29, passed while nobody was there.
    now.ms = Date.parse('2027-09-30T14:00:00.000Z');
    await runs(data, () => until(1));
    expect(mail.mails.map(({ text }) => /comes late/.test(text))).toEqual([true]);
    // Started again, and late by then: the supervisor's mail is the only new one.
    now.ms = Date.parse('2027-10-04T14:00:00.000Z');
    await runs(data, () => until(2));
    expect(mail.mails.map(({ to }) => to[0])).toEqual(['desk@lodi.example', 'council@lodi.example']);
    const verdicts = await verifyViewsIn(configOf(data));
    expect(verdicts.filter(({ right }) => !right)).toEqual([]);
  });

  it('two workers on one PostgreSQL that look at once send one, and so does the next look', async () => {
    const database = await freshDatabase();
    now.ms = Date.parse('2027-08-14T14:00:00.000Z');
    const config = configOf(join(dir, 'two'), { DATABASE_URL: database.url });
    const programs = [
      await compose(config, { now: () => now.ms }),
      await compose(config, { now: () => now.ms }),
    ];
    try {
      const [first] = programs;
      const body = { pack: CITY_PACK, permitType: 'disposal', applicant: DISPOSER, facts: formWith({}) };
      await first?.headworks.permits.fileApplication(asked(now.ms), body);
      for (const program of programs) await program.caughtUp(undefined);
      now.ms = Date.parse('2027-09-21T06:00:00.000Z');
      const said: string[] = [];
      const workers = programs.map(({ services, views }) => {
        const { reminders } = config;
        if (!reminders) throw new Error('no reminders are set up');
        return openReminders(reminders, { services, lists: views, say: (sentence) => said.push(sentence) });
      });
      await Promise.all(workers.map((worker) => worker.remind()));
      await Promise.all(workers.map((worker) => worker.remind()));
      expect([mail.mails.map(({ to }) => to), said]).toEqual([[['desk@lodi.example']], []]);
    } finally {
      for (const program of programs) await program.close();
      await database.drop();
    }
  });
});

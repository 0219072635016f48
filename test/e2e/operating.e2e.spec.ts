import { redisUrl } from '../servers/shared-redis';
import { ADMIN, startApi, type Api } from './support/api';

/** What an operator looks at: figures, the board of the queue, and what the health check says of what is late. */
let api: Api;
beforeAll(async () => {
  api = await startApi('postgres', 'real', { REDIS_URL: await redisUrl() });
});
afterAll(() => api.stop());

const ask = (path: string, authorization?: string, method = 'GET') =>
  fetch(api.base + path, { method, headers: authorization === undefined ? {} : { authorization } });
const basic = (password: string): string => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;

describe('the figures for Prometheus', () => {
  it('are for administrators and auditors, and say what is armed, fired, late, overdue, behind and asked', async () => {
    await api.get('/v1/packs');
    const auditor = await api.keyOf(['auditor']);
    const answer = await ask('/metrics', `Bearer ${auditor}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const text = await answer.text();
    for (const line of [
      'headworks_alarms_armed 0',
      'headworks_alarms_fired_total{by="queue"} 0',
      'headworks_alarms_fired_total{by="sweep"} 0',
      'headworks_alarms_late_total 0',
      'headworks_duties_overdue 0',
      'headworks_duties_late 0',
      'headworks_view_lag_events{view="duties"} 0',
      'headworks_http_request_seconds_count{method="GET",route="/v1/packs",status="200"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', `Bearer ${await api.keyOf(['clerk'])}`)).status).toBe(403);
  });
});

describe('the board', () => {
  it('asks a browser for a key, and lets an administrator in alone', async () => {
    const nobody = await ask('/board');
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="Headworks", charset="UTF-8"',
    ]);
    expect((await ask('/board', basic(await api.keyOf(['auditor'])))).status).toBe(403);
    expect((await ask('/board', basic('hw_wrong-key-wrong-key-wrong-key'))).status).toBe(401);
    for (const authorization of [basic(ADMIN), `Bearer ${ADMIN}`]) {
      const page = await ask('/board', authorization);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Headworks alarms')]);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    }
    expect((await ask('/v1/packs', basic(ADMIN))).status).toBe(401);
  });

  it('shows the queue with its scripts, and changes nothing', async () => {
    const page = await (await ask('/board', basic(ADMIN))).text();
    const script = /static\/js\/main[\w.]+\.js/.exec(page)?.[0] ?? 'none';
    expect((await ask(`/board/${script}`, basic(ADMIN))).status).toBe(200);
    expect((await ask(`/board/${script}`)).status).toBe(401);
    const queues = await ask('/board/api/queues', basic(ADMIN));
    expect(await queues.json()).toMatchObject({ queues: [{ name: 'alarms', readOnlyMode: true }] });
    for (const path of ['/board/api/queues/alarms/pause', '/board/api/queues/alarms/retry/failed']) {
      expect((await ask(path, basic(ADMIN), 'PUT')).status).toBe(401);
      expect((await ask(path, `Bearer ${ADMIN}`, 'PUT')).status).toBe(404);
    }
  });
});

describe('the health check', () => {
  it('says that nothing is late', async () => {
    const answer = await (await ask('/health/ready')).json();
    expect(answer).toMatchObject({ status: 'ready', overdue: 0, late: 0, warnings: [] });
  });
});

it('without a Redis there is no board', async () => {
  const bare = await startApi('sqlite');
  const answer = await fetch(`${bare.base}/board`, { headers: { authorization: `Bearer ${ADMIN}` } });
  expect(answer.status).toBe(404);
  expect((await bare.get('/metrics')).text).toContain('headworks_alarms_armed');
  await bare.stop();
});

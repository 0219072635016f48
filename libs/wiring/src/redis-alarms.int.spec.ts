import { Redis } from 'ioredis';
import { ownRedis, type OwnRedis } from '../../../test/servers/redis';
import { RedisAlarms } from './redis-alarms';

describe('a Redis that says no', () => {
  let server: OwnRedis;
  beforeAll(async () => {
    server = await ownRedis();
  });
  afterAll(() => server.stop());

  it('is told of by whoever asks, and stays connected: coming back at once would be told so again', async () => {
    const told: string[] = [];
    let ups = 0;
    const alarms = await RedisAlarms.open({
      url: server.url,
      logId: 'a-log',
      tell: (sentence) => told.push(sentence),
      onUp: () => ups++,
    });
    await alarms.opened();
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory', '1');
    const add = () => alarms.add([{ duty: 'd', dueMs: 1, delayMs: 60_000 }]);
    for (let turn = 0; turn < 3; turn++) await expect(add()).rejects.toThrow(/^Redis at .* refuses: OOM/);
    await expect(alarms.remembers()).rejects.toThrow('refuses');
    expect([alarms.isUp, ups, told]).toEqual([true, 1, []]);
    await admin.config('SET', 'maxmemory', '0');
    await add();
    expect(await alarms.waiting()).toBe(1);
    admin.disconnect();
    await alarms.close();
  });
});

import { StartRefused } from '@headworks/event-store';
import { readConfig } from './config';
import { withoutCredentials } from './redis-alarms';

const said = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(StartRefused);
    return (error as Error).message;
  }
};

it.each(['redis://localhost', 'redis://:secret@redis.town.gov:6380/2', 'rediss://me:secret@[::1]:6379'])(
  'takes the address of a Redis: %s',
  (url) => expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url),
);

it.each(['localhost:6379', 'http://me:secret@redis', 'redis://', 'redis://me:secret@redis/orders'])(
  'refuses what is no address of a Redis, and does not repeat its password: %s',
  (url) => {
    expect(said({ REDIS_URL: url })).toMatch(/^REDIS_URL is no address of Redis; write redis:\/\/.*\.$/);
    expect(said({ REDIS_URL: url })).not.toContain('secret');
  },
);

it('without one, or with an empty one, a timer wakes', () => {
  expect(readConfig({ REDIS_URL: '' }).redisUrl).toBeUndefined();
});

it('shows an address of Redis without user and password', () => {
  expect(withoutCredentials('rediss://me:secret@redis:6379/2')).toBe('rediss://redis:6379/2');
});

it('says when something is late: after five minutes, or as it is told', () => {
  expect([readConfig({}).lateMinutes, readConfig({ HEADWORKS_LATE_MINUTES: '90' }).lateMinutes]).toEqual([
    5, 90,
  ]);
  for (const wrong of ['0', '-1', '1.5', 'five', '10081']) {
    expect(said({ HEADWORKS_LATE_MINUTES: wrong })).toContain(`HEADWORKS_LATE_MINUTES is '${wrong}'`);
  }
});

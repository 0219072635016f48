import { askBroker } from './fresh-database';
import { startRedis } from './redis';

let ownServer: Promise<string> | undefined;

/**
 * URL of the Redis of this test run. Logs keep apart in it by their ids, so specs share it; one that empties it, kills it
 * or cuts it off has a server of its own (`ownRedis`).
 */
export function redisUrl(): Promise<string> {
  return askBroker('redis') ?? (ownServer ??= startRedis().then(({ url }) => url));
}

import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { BROKER_PORT } from './fresh-database';
import { startPostgres } from './postgres';
import type { PostgresServer } from './postgres';
import { startRedis, type RedisServer } from './redis';

declare global {
  var headworksTestServers:
    { broker: Server; postgres?: Promise<PostgresServer>; redis?: Promise<RedisServer> } | undefined;
}

/**
 * Listens for specs that need a server and starts one for the whole run when the first asks: a run of unit tests alone
 * pays nothing. A server that can't be had fails the specs that asked, in one sentence; none is skipped.
 */
// oxlint-disable-next-line import/no-default-export -- the shape that jest asks for
export default async function globalSetup(): Promise<void> {
  const broker = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const servers = globalThis.headworksTestServers;
    if (!servers) return void socket.destroy();
    socket.once('data', (asked: Buffer) => {
      const server =
        asked.toString('utf8') === 'redis\n'
          ? (servers.redis ??= startRedis())
          : (servers.postgres ??= startPostgres());
      server.then(
        ({ url }) => socket.end(JSON.stringify({ url })),
        (error: Error) => socket.end(JSON.stringify({ error: error.message })),
      );
    });
  });
  globalThis.headworksTestServers = { broker };
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const address = broker.address();
  process.env[BROKER_PORT] = String(typeof address === 'object' && address ? address.port : 0);
}

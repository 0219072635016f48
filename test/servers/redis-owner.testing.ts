import { ownRedis } from './redis';

// Holds a Redis until it is killed: see servers.spec.ts.
void ownRedis().then(({ url }) => {
  process.stdout.write(`${url}\n`);
  process.stdin.resume();
});

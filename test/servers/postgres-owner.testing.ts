import { startPostgres } from './postgres';

// Holds a server until it is killed: see servers.spec.ts.
void startPostgres().then(({ url }) => {
  process.stdout.write(`${url}\n`);
  process.stdin.resume();
});

import { startPostgres } from './postgres';

// Starts a server, stops it, and says so: with nothing else to do, only the stopping keeps this process. See servers.spec.ts.
void startPostgres()
  .then((server) => server.stop())
  .then(() => process.stdout.write('stopped\n'));

// A process of its own that follows the log of a folder into the views and is killed, with no time to say anything, as
// the n-th checkpoint of a view is about to be written. Arguments: folder of the log, kind and place of the views, n.
import { openSqliteStore } from '../../../event-store/src/adapters';
import { allViews } from '../all-views';
import { openAt } from '../testing/databases.testing';
import { ZONES } from '../testing/events.testing';
import { startViews } from './start-views';

async function run([dir = '', kind = '', where = '', n = '']: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ dir, clock: 'real', now: () => '2000-01-01T00:00:00.000Z' });
  let left = Number(n);
  const database = openAt(kind === 'postgres' ? 'postgres' : 'sqlite', where, () => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
  });
  await startViews({
    store,
    database,
    views: allViews(ZONES),
    elapsedMs: () => performance.now(),
    onError: ({ message }) => process.stderr.write(`${message}\n`),
    batch: 7,
  });
}

void run(process.argv.slice(2));

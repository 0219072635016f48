import { openSqliteStore } from '../../libs/event-store/src/adapters';
import { openSqlite } from '../../libs/event-store/src';

// Opens a log as a user who is not root and says how that went: see store-disks.spec.ts.
const [dir = '', uid = ''] = process.argv.slice(2);

// The driver is loaded while this may still read the checkout, which the other user perhaps may not.
openSqlite(':memory:').close();
if (uid) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
openSqliteStore({ dir, clock: 'real', now: () => '2000-01-01T00:00:00.000Z' }).then(
  async (store) => {
    await store.close();
    process.stdout.write('opened\n');
  },
  (error: Error) => process.stdout.write(`${error.name}: ${error.message}\n`),
);

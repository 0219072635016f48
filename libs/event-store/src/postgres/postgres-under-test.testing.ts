import type { StoreUnderTest } from '../contract/contract-check';
import { positionNumber } from '../position-token';
import { openPostgresStore } from './postgres-store';
import { freshDatabase } from '../../../../test/servers/fresh-database';

const OPENED = '2000-01-01T00:00:00.000Z';

export async function postgresUnderTest(): Promise<StoreUnderTest> {
  const database = await freshDatabase();
  const open = () => openPostgresStore({ url: database.url, clock: 'real', now: () => OPENED });
  const [store, second] = await Promise.all([open(), open()]);
  return {
    store,
    second,
    async stored(position) {
      const text = 'SELECT bytes, hash FROM headworks_log.events WHERE position = $1';
      const [row] = await database.query(text, [positionNumber(position)]);
      return row as { bytes: Buffer; hash: Buffer };
    },
    async tamper(position, bytes) {
      await database.query('DROP TRIGGER IF EXISTS events_never_change ON headworks_log.events');
      const text = 'UPDATE headworks_log.events SET bytes = $1 WHERE position = $2';
      await database.query(text, [Buffer.from(bytes), positionNumber(position)]);
    },
    async dispose() {
      await Promise.all([store.close(), second.close()]);
      await database.drop();
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreUnderTest } from '../contract/contract-check';
import { positionNumber } from '../position-token';
import { LOG_FILE } from './log-file';
import { openSqlite } from '../open-sqlite';
import { openSqliteStore } from './sqlite-store';

export const OPENED = '2000-01-01T00:00:00.000Z';

/** A folder for one test, to be removed by it. */
export function temporaryFolder(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-log-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export async function sqliteUnderTest(): Promise<StoreUnderTest> {
  const { dir, remove } = temporaryFolder();
  const store = await openSqliteStore({ dir, clock: 'real', now: () => OPENED });
  const other = openSqlite(join(dir, LOG_FILE));
  return {
    store,
    async stored(position) {
      const row = other
        .prepare('SELECT bytes, hash FROM events WHERE position = ?')
        .get(positionNumber(position));
      return row as unknown as { bytes: Uint8Array; hash: Uint8Array };
    },
    async tamper(position, bytes) {
      other.exec('DROP TRIGGER IF EXISTS events_never_change');
      other.prepare('UPDATE events SET bytes = ? WHERE position = ?').run(bytes, positionNumber(position));
    },
    async dispose() {
      other.close();
      await store.close();
      remove();
    },
  };
}

// The door for wiring: whoever imports the port loads no driver.
export { openSqliteStore, type SqliteOptions } from './sqlite/sqlite-store';
export { openSqliteKeyStore } from './sqlite/sqlite-keys';
export { openPostgresStore, type PostgresOptions } from './postgres/postgres-store';
export { openPostgresKeyStore } from './postgres/postgres-keys';
export { backupSqliteKeys, backupSqliteLog } from './sqlite/backup';
// To carry a log, and its keys, from store to store.
export { logLines } from './carry/log-lines';
export { carryLog, type Carried } from './carry/carry-log';
export { carryKeys, keyLines } from './carry/key-lines';

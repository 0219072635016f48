// The door for wiring: whoever imports the port loads no driver.
export { openSqliteStore, type SqliteOptions } from './sqlite/sqlite-store';
export { openSqliteKeyStore } from './sqlite/sqlite-keys';

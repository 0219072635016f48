export * from './port';
export * from './encode';
export * from './verify-chain';
export * from './position-token';
export { LOG_STREAM, type ClockKind, type LogOptions } from './opening';
export * from './sealing';
export * from './keys/port';
// In memory, for tests: these two load no driver. The others go through adapters.ts.
export * from './memory-store';
export * from './keys/memory-keys';
// Views stand in SQLite too, in a file of their own; the driver is loaded at the first opening.
export * from './open-sqlite';

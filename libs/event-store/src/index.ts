export * from './port';
export * from './encode';
export * from './verify-chain';
export * from './position-token';
export { LOG_STREAM, type ClockKind, type LogOptions } from './opening';
export * from './memory/memory-store';
export * from './keys/port';
export * from './keys/memory-keys';

export * from './port';
export * from './keys/port';

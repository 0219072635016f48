export * from './alarm';
export * from './horizon';
export * from './settle';
export * from './tried';
export * from './waker';

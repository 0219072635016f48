export * from './alarm';
export * from './settle';

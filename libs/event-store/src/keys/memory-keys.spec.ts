import { describeKeyStore } from './describe-key-store.testing';
import { openMemoryKeyStore } from './memory-keys';

describeKeyStore('memory', async () => {
  const keys = openMemoryKeyStore();
  return { keys, dispose: () => keys.close() };
});

import type { StoreUnderTest } from './contract/contract-check';
import { positionNumber } from './position-token';
import { openMemoryStore } from './memory-store';
import type { MemoryRow, MemoryStore } from './memory-store';

export async function memoryUnderTest(): Promise<StoreUnderTest & { readonly store: MemoryStore }> {
  const store = await openMemoryStore();
  const row = (position: string) => store.rows[positionNumber(position) - 1] as MemoryRow;
  return {
    store,
    stored: async (position) => row(position),
    async tamper(position, bytes) {
      row(position).bytes = Buffer.from(bytes);
    },
    dispose: () => store.close(),
  };
}

import { ForeignPosition } from './port';
import type { OpenStore } from './port';

/** A position as callers hold it: `<store id>.<sortable position>.<8 hex of the event's hash>`. */
export interface PositionParts {
  readonly storeId: string;
  readonly position: string;
  readonly hash: string;
}

const TOKEN = /^([0-9A-Za-z-]{1,64})\.([0-9A-Za-z_-]{1,64})\.([0-9a-f]{8})$/;
const WIDTH = 16;

/** Positions of the stores that number their events: of one width, so that they sort as texts. */
export const sortable = (position: number): string => String(position).padStart(WIDTH, '0');

/** The number behind a sortable position. A text of another form was never given out by this store. */
export function positionNumber(position: string): number {
  if (!/^\d{16}$/.test(position)) {
    throw new ForeignPosition(`'${position}' is no position of this log; start without one, or rebuild.`);
  }
  return Number(position);
}

export function positionToken(storeId: string, position: string, hash: string | Uint8Array): string {
  const hex = typeof hash === 'string' ? hash : Buffer.from(hash.subarray(0, 4)).toString('hex');
  return `${storeId}.${position}.${hex.slice(0, 8)}`;
}

export function parsePositionToken(token: string): PositionParts {
  const match = TOKEN.exec(token);
  if (!match) {
    throw new ForeignPosition(
      `'${token.slice(0, 100)}' is no position token; send one as this server gave it.`,
    );
  }
  return { storeId: match[1] ?? '', position: match[2] ?? '', hash: match[3] ?? '' };
}

/**
 * The sortable position of a token or checkpoint, after the check that it was given out by this store for this
 * history; else `ForeignPosition`, and whoever resumes must stop, say so and rebuild.
 */
export async function checkPositionToken(store: OpenStore, token: string): Promise<string> {
  const { storeId, position, hash } = parsePositionToken(token);
  if (storeId !== store.storeId) {
    throw new ForeignPosition(
      `The position is of another store (${storeId}, this one is ${store.storeId}); start from the beginning.`,
    );
  }
  if (parsePositionToken(await store.tokenOf(position)).hash !== hash) {
    throw new ForeignPosition(
      `Another event stands at position ${position} than when it was given out; start from the beginning.`,
    );
  }
  return position;
}

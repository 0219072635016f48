import { setTimeout } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '@headworks/kernel';
import { plain } from './plain';

export interface Answered {
  readonly status: number;
  readonly body: JsonObject;
}

/** A running Headworks, as an import calls it. */
export interface Server {
  call(method: 'GET' | 'POST', path: string, body?: JsonObject, idempotencyKey?: string): Promise<Answered>;
}

/** Nobody answers, or takes the key: no row is at fault, and the sentence says what to do. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway';
}

const TRIES = 5;

/** Calls over HTTP. What the server asks to try again (503) is tried again: the Idempotency-Key makes that safe. */
export function httpServer(url: string, key: string): Server {
  const base = `${url.replace(/\/(v1\/?)?$/, '')}/v1`;
  return {
    async call(method, path, body, idempotencyKey) {
      for (let tried = 1; ; tried++) {
        const response = await fetch(`${base}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body && { 'content-type': 'application/json' }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          },
          ...(body && { body: JSON.stringify(body) }),
        }).catch((error: unknown) => {
          throw new ServerAway(
            `Nothing answers at ${base} (${causeOf(error)}); start Headworks, or say where it is: --url.`,
          );
        });
        const answer = await bodyOf(response);
        if (response.status === 401)
          throw new ServerAway(
            `The key is not taken (${detailOf(answer)}); say one with --key or HEADWORKS_KEY.`,
          );
        if (response.status !== 503 || tried === TRIES) return { status: response.status, body: answer };
        await setTimeout(Number(response.headers.get('retry-after') ?? 1) * 1000);
      }
    },
  };
}

export const detailOf = (body: JsonObject): string =>
  plain(body['detail'] ?? body['title'] ?? 'no reason given');

async function bodyOf(response: Response): Promise<JsonObject> {
  const text = await response.text();
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    // A proxy answers in HTML: its status is all there is to tell.
    return { detail: `${response.status} ${response.statusText}` };
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
}

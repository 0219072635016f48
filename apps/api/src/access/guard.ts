import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller, Services } from '@headworks/use-cases';
import { HttpProblem } from '../http/problems';
import { ACCESS, rowOf, type Endpoint } from './access';
import type { Credentials } from './credentials';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Endpoint;
  }
  interface FastifyRequest {
    /** Who asks; null only where anyone may. */
    caller: Caller | null;
    readonly services: Services;
  }
}

export interface Guarded {
  /** Throws where a row of the table has no route. */
  everyRowHasItsRoute(): void;
}

/** What is there in this process beside all that always is. */
export interface Mounted {
  readonly sandbox: boolean;
  readonly board: boolean;
}

/**
 * Guards every route by its row in the table, before a byte of the body is read. Must come before the first route: a
 * route that has no row stops the boot.
 */
export function guardRoutes(server: FastifyInstance, credentials: Credentials, mounted: Mounted): Guarded {
  const routed = new Set<Endpoint>();
  const isMounted = ({ sandbox, board }: Endpoint): boolean =>
    (mounted.sandbox || sandbox !== true) && (mounted.board || board !== true);
  server.decorateRequest('caller', null);
  server.addHook('onRoute', (route: RouteOptions) => {
    for (const method of [route.method].flat()) {
      const row = rowOf(method, route.url);
      if (!row) {
        throw new Error(
          `The route ${method} ${route.url} is not in the table of endpoints and roles; add a row to access.ts.`,
        );
      }
      routed.add(row);
      route.config = { ...route.config, access: row };
    }
  });
  server.addHook('onRequest', async (request, reply) => {
    const row = request.routeOptions.config.access;
    if (row?.who === 'anyone') return;
    if (row?.board) void reply.header('www-authenticate', 'Basic realm="Headworks", charset="UTF-8"');
    request.caller = await admit(credentials, request, row);
  });
  return {
    everyRowHasItsRoute() {
      const missing = ACCESS.filter((row) => !routed.has(row) && isMounted(row));
      if (missing.length === 0) return;
      const names = missing.map(({ method, path }) => `${method} ${path}`).join(', ');
      throw new Error(`The table of endpoints and roles has rows without a route: ${names}; see access.ts.`);
    },
  };
}

/** A browser sends what its user typed: any name, and the key as the password. */
function ofPage(authorization: string | undefined): string | undefined {
  const typed = /^Basic ([A-Za-z0-9+/=]{1,400})$/.exec(authorization ?? '')?.[1];
  if (typed === undefined) return authorization;
  const text = Buffer.from(typed, 'base64').toString('utf8');
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}

/** Also an address that does not exist asks for a credential first: nobody learns from outside what there is. */
async function admit(
  credentials: Credentials,
  request: FastifyRequest,
  row: Endpoint | undefined,
): Promise<Caller> {
  const { authorization } = request.headers;
  const caller = await credentials.find(row?.board ? ofPage(authorization) : authorization);
  if (!caller) {
    throw new HttpProblem(
      'unauthenticated',
      'The API key is missing, unknown or revoked; send Authorization: Bearer hw_...',
    );
  }
  if (row && row.who !== 'anyone' && !row.who.some((role) => caller.roles.includes(role))) {
    throw new HttpProblem(
      'forbidden',
      `This call needs one of the roles ${row.who.join(', ')}; this caller has ${caller.roles.join(', ') || 'none'}.`,
    );
  }
  return caller;
}

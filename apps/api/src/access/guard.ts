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

/**
 * Guards every route by its row in the table, before a byte of the body is read. Must come before the first route: a
 * route that has no row stops the boot.
 */
export function guardRoutes(server: FastifyInstance, credentials: Credentials, sandbox: boolean): Guarded {
  const routed = new Set<Endpoint>();
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
  server.addHook('onRequest', async (request) => {
    const row = request.routeOptions.config.access;
    if (row?.who === 'anyone') return;
    request.caller = await admit(credentials, request, row);
  });
  return {
    everyRowHasItsRoute() {
      const missing = ACCESS.filter((row) => !routed.has(row) && (sandbox || row.sandbox !== true));
      if (missing.length === 0) return;
      const names = missing.map(({ method, path }) => `${method} ${path}`).join(', ');
      throw new Error(`The table of endpoints and roles has rows without a route: ${names}; see access.ts.`);
    },
  };
}

/** Also an address that does not exist asks for a credential first: nobody learns from outside what there is. */
async function admit(
  credentials: Credentials,
  request: FastifyRequest,
  row: Endpoint | undefined,
): Promise<Caller> {
  const caller = await credentials.find(request.headers.authorization);
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

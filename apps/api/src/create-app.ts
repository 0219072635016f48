import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys } from './access/api-keys';
import { Credentials } from './access/credentials';
import { guardRoutes } from './access/guard';
import { Tokens } from './access/oidc/tokens';
import { AppModule } from './app.module';
import { NDJSON } from './http/ndjson';
import { sendProblem } from './http/problem.filter';
import { problemOf } from './http/problem-of';
import { HttpProblem } from './http/problems';
import { readJson } from './http/read-json';
import { protect, serveDocs } from './openapi/serve-docs';
import type { Program } from './program';
import { serveBoard } from './system/board';
import { Metrics } from './system/metrics';

export const BODY_BYTES = 1024 * 1024;
/** A key that another process revoked (the command line) is refused after so long at most. */
const KEYS_HELD_MS = 1_000;

export interface ApiApp {
  readonly nest: NestFastifyApplication;
  readonly keys: ApiKeys;
  /** Listens, on any free port for 0; resolves with the address. Nest's own way would log a failure beside throwing it. */
  readonly listen: (port: number, host: string) => Promise<string>;
  /** Answers what came in, takes nothing new, and resolves when the last connection is closed. */
  readonly close: () => Promise<void>;
  /** The OpenAPI document, made at the first call. */
  readonly document: () => OpenAPIObject;
}

/**
 * The API on a program that is put together, not listening yet: for the server, for end-to-end tests and the bench. Who
 * calls it closes it before the program: `await api.close(); await program.close()`.
 */
export async function createApp(program: Program): Promise<ApiApp> {
  const { services, config } = program;
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES,
    // Ours is a problem as any other: see `refuseWhenClosing`.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // A parameter longer than any id or name is no address that we have.
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(reply, request, problemOf(error));
    },
  });
  const nest = await NestFactory.create<NestFastifyApplication>(AppModule.of(program), adapter, {
    bodyParser: false,
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  const server = adapter.getInstance();
  const { monotonic } = services;
  const keys = new ApiKeys({ keys: program.keys, monotonic, heldMs: KEYS_HELD_MS });
  refuseWhenClosing(server);
  server.decorateRequest('services', { getter: () => services });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  const tokens = config.oidc && new Tokens({ config: config.oidc, monotonic, now: () => new Date() });
  const guarded = guardRoutes(server, new Credentials(keys, tokens), {
    sandbox: config.clock === 'virtual',
    board: program.alarms.queue !== undefined,
  });
  nest.get(Metrics).watch(server);
  server.removeAllContentTypeParsers();
  parseBodies(server);
  await protect(server);
  await serveBoard(server, program);
  const document = serveDocs(nest);
  await nest.init();
  guarded.everyRowHasItsRoute();
  return {
    nest,
    keys,
    document,
    listen: (port, host) => server.listen({ port, host }),
    close: () => closeHttp(nest),
  };
}

/** The calls whose body is read line by line, as it comes in. */
const BY_LINES: ReadonlySet<string | undefined> = new Set(['/v1/checks/batch']);

function parseBodies(server: FastifyInstance): void {
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      refuseOtherType(request, 'application/json');
      done(null, readJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  server.addContentTypeParser(NDJSON, (request: FastifyRequest, body: unknown, done) => {
    try {
      refuseOtherType(request, NDJSON);
      done(null, body);
    } catch (error) {
      done(error as Error);
    }
  });
}

function refuseOtherType({ routeOptions }: FastifyRequest, sent: string): void {
  const wanted = BY_LINES.has(routeOptions.url) ? NDJSON : 'application/json';
  if (sent === wanted) return;
  throw new HttpProblem(
    'unsupported-media-type',
    `This call takes ${wanted === NDJSON ? 'a line of JSON after the other' : 'JSON'}: send Content-Type: ${wanted}.`,
  );
}

const LOOK_FOR_IDLE_MS = 25;

/** Nobody may hold a connection open: one that falls idle after the closing began would be waited for otherwise. */
async function closeHttp(nest: NestFastifyApplication): Promise<void> {
  const server = nest.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
  await nest.close().finally(() => clearInterval(idle));
}

/** What is under way is finished; what comes in after the closing began is told to come again. */
function refuseWhenClosing(server: FastifyInstance): void {
  let closing = false;
  server.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  server.addHook('onRequest', (_request, reply, done) => {
    if (closing) {
      void reply.header('connection', 'close');
      done(new HttpProblem('shutting-down', 'The server is stopping; try again in a moment.'));
    } else done();
  });
}

import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys } from './access/api-keys';
import { guardRoutes } from './access/guard';
import { AppModule } from './app.module';
import { sendProblem } from './http/problem.filter';
import { problemOf } from './http/problem-of';
import { readJson } from './http/read-json';
import { protect, serveDocs } from './openapi/serve-docs';
import type { Program } from './program';

export const BODY_BYTES = 1024 * 1024;
/** With a database, keys may be revoked by another process: it is believed so long that one was not. */
const KEYS_HELD_MS = 2_000;

export interface ApiApp {
  readonly nest: NestFastifyApplication;
  readonly keys: ApiKeys;
  /** The OpenAPI document, made at the first call. */
  readonly document: () => OpenAPIObject;
}

/**
 * The API on a program that is put together, not listening yet: for the server, for end-to-end tests and the bench. Who
 * calls it closes it before the program: `await api.nest.close(); await program.close()`.
 */
export async function createApp(program: Program): Promise<ApiApp> {
  const { services, config } = program;
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES,
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
    return503OnClosing: true,
  });
  const server = adapter.getInstance();
  const heldMs = config.databaseUrl === undefined ? 0 : KEYS_HELD_MS;
  const keys = new ApiKeys({ keys: program.keys, monotonic: services.monotonic, heldMs });
  server.decorateRequest('services', { getter: () => services });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  const guarded = guardRoutes(server, keys, config.clock === 'virtual');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, readJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  await protect(server);
  const document = serveDocs(nest);
  await nest.init();
  guarded.everyRowHasItsRoute();
  return { nest, keys, document };
}

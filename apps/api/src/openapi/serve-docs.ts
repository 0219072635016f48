import fastifyHelmet from '@fastify/helmet';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { BOARD } from '../system/board';
import { documentOf } from './document';

export const DOCS = 'docs';
const PAGES = [`/${DOCS}`, BOARD];
const STRICT = "default-src 'none'; frame-ancestors 'none'";
/** Swagger UI and Bull Board bring their own scripts and styles, from here and nowhere else; some styles stand in the page. */
const UI = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Headers of a server that is a data interface: nothing it answers is a page, but for the documentation and the board. */
export async function protect(server: FastifyInstance): Promise<void> {
  await server.register(fastifyHelmet, {
    global: false,
    contentSecurityPolicy: { useDefaults: false, directives: UI },
    // The address is http on the loopback unless a proxy stands before it, and that one speaks of TLS.
    strictTransportSecurity: false,
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (PAGES.some((page) => request.url === page || request.url.startsWith(`${page}/`))) reply.helmet();
    else void reply.header('content-security-policy', STRICT).header('x-content-type-options', 'nosniff');
    done();
  });
}

/** /openapi.json and /docs. Everything is served from here: no script, style or font comes from elsewhere. */
export function serveDocs(nest: NestFastifyApplication): () => OpenAPIObject {
  let made: OpenAPIObject | undefined;
  // Made at the first look: a server that nobody reads about starts faster.
  const document = (): OpenAPIObject => (made ??= documentOf(nest));
  SwaggerModule.setup(DOCS, nest, document, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Headworks',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false, docExpansion: 'none' },
  });
  return document;
}

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CodedError, type Fault } from '@headworks/kernel';
import { contentHash, type Caller, type Request } from '@headworks/use-cases';
import { pathOf } from './problem.filter';
import { HttpProblem } from './problems';

/** How long a write is tried at most; then 503, and nothing was written. */
const DEADLINE_MS = 10_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The request as the use-cases know it: who, when it came, under which key, dry or not. */
export const Asked = createParamDecorator((_data: unknown, context: ExecutionContext): Request => {
  return askedBy(context.switchToHttp().getRequest<FastifyRequest>());
});

/** The same for a read: it has no instant, so a sandbox whose clock is not set can still be read. */
export const Reader = createParamDecorator((_data: unknown, context: ExecutionContext): Request => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { caller: callerOf(request), receivedMs: 0, correlationId: request.id, dryRun: false, deadline: 0 };
});

export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller;
  throw new HttpProblem('unauthenticated', 'Send an API key as Authorization: Bearer hw_...');
}

export function askedBy(request: FastifyRequest): Request {
  const { clock, monotonic } = request.services;
  const { dryRun } = request.query as { readonly dryRun?: string };
  const key = idempotencyKey(request.headers['idempotency-key']);
  return {
    caller: callerOf(request),
    receivedMs: clock.now(),
    correlationId: request.id,
    dryRun: dryRun === 'true',
    deadline: monotonic() + DEADLINE_MS,
    ...(key !== undefined && { idempotency: { key, bodyHash: bodyHash(request) } }),
  };
}

/** The same call is the same method, path and content, whatever the order of its keys. */
const bodyHash = ({ method, url, body }: FastifyRequest): string =>
  contentHash({ method, path: pathOf(url), body });

function idempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  const fault: Fault = {
    code: 'idempotency-key',
    detail: 'The header Idempotency-Key must be 1 to 255 visible ASCII characters, sent once.',
    hint: 'a random UUID will do',
  };
  throw new CodedError('invalid-request', 'The Idempotency-Key is not acceptable; nothing was recorded.', [
    fault,
  ]);
}

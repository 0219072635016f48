import { HttpException } from '@nestjs/common';
import { ForeignPosition, StoreUnavailable, UnstorableAppend } from '@headworks/event-store';
import { CodedError } from '@headworks/kernel';
import { HttpProblem, PROBLEMS, type Problem, type ProblemCode } from './problems';

/** The problem that an error is answered as. What nobody foresaw is an internal error and tells nothing of itself. */
export function problemOf(error: unknown): Problem {
  if (error instanceof CodedError || error instanceof HttpProblem) {
    return { ...plain(error.code, error.message), errors: error.faults, details: error.details };
  }
  if (error instanceof StoreUnavailable) {
    return plain('store-unavailable', `${error.message} Try again with the same Idempotency-Key.`);
  }
  if (error instanceof UnstorableAppend) return plain('too-large', `${error.message} Nothing was written.`);
  if (error instanceof ForeignPosition) return plain('foreign-position', error.message);
  const status = statusOf(error);
  return status !== undefined && status < 500
    ? ofStatus(status, error as Error)
    : plain('internal-error', 'The server failed; nothing of the cause is shown here.');
}

const plain = (code: ProblemCode, detail: string): Problem => ({
  code,
  status: PROBLEMS[code].status,
  detail,
  errors: [],
  details: {},
});

/** Fastify's own errors, and Nest's, carry a status: their words are for programmers, so we have our own. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' && status >= 400 ? status : undefined;
}

function ofStatus(status: number, error: Error): Problem {
  switch (status) {
    case 401:
      return plain('unauthenticated', 'Send an API key as Authorization: Bearer hw_...');
    case 404:
    case 414:
      return plain('not-found', 'There is no such address; /docs lists them all.');
    case 413:
      return plain('too-large', 'A body is at most 1 MB; send less at once.');
    case 415:
      return plain(
        'unsupported-media-type',
        'Send the body as JSON, with Content-Type: application/json (a batch as application/x-ndjson).',
      );
    default:
      return { ...plain('invalid-request', sentence(error.message)), status };
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

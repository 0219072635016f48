import type { ErrorCode, Fault } from '@headworks/kernel';
import { markdownTable } from './markdown';

/** Kinds of problem that only HTTP has, beside the codes of the kernel. */
export type ProblemCode =
  | ErrorCode
  | 'refused'
  | 'malformed-json'
  | 'unsupported-media-type'
  | 'foreign-position'
  | 'issuer-unavailable'
  | 'shutting-down'
  | 'internal-error';

export interface ProblemType {
  readonly status: number;
  readonly title: string;
  /** When it is answered, and what the caller can do: the catalogue that /docs and docs/problems.md show. */
  readonly says: string;
  /** Seconds after which the same call may well succeed. */
  readonly retryAfter?: number;
}

/** Every kind of problem. The record is exhaustive: a new code without a status does not compile. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemType>> = {
  'invalid-request': {
    status: 400,
    title: 'The request is not acceptable',
    says: 'The body, a parameter or a header is malformed or impossible. `errors` lists every place at once, with a JSON pointer into the body and what to do. Nothing was written.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is no JSON',
    says: 'The body can not be parsed; `line` and `column` say where. Nothing was written.',
  },
  unauthenticated: {
    status: 401,
    title: 'Who asks is not known',
    says: 'The call needs `Authorization: Bearer` with an API key (`hw_...`) or, where an issuer is set, an access token of it. It is missing, unknown, revoked or expired; of a token, `detail` says what is wrong with it.',
  },
  forbidden: {
    status: 403,
    title: 'The role may not do this',
    says: 'The caller is known, but none of its roles may make this call, the act is another body’s, or a holder would file for another.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing of that name here',
    says: 'No such thing, or it is another agency’s: the answer is the same for both.',
  },
  conflict: {
    status: 409,
    title: 'What stands already is in the way',
    says: 'It stands already with other content (a ticket used for another load, a thing registered before), or the permit is not where such a decision is taken. The members beside `detail` name what stands in the way.',
  },
  'clock-behind': {
    status: 409,
    title: 'The sandbox clock only moves forward',
    says: 'The virtual clock stands later than the instant that was sent.',
  },
  'clock-unset': {
    status: 409,
    title: 'The sandbox clock is not set',
    says: 'Time is virtual here and nobody has set it yet: `PUT /v1/sandbox/clock`.',
  },
  'foreign-position': {
    status: 410,
    title: 'The position is of another log',
    says: 'The position token was given out by another store, or for a history that is no more. Read anew, without it.',
  },
  'too-large': {
    status: 413,
    title: 'The request is too large',
    says: 'A body is at most 1 MB, and what one event records at most 256 KB. Nothing was written.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body is of another media type',
    says: 'Bodies are JSON: send `Content-Type: application/json`.',
  },
  refused: {
    status: 422,
    title: 'The law refuses it',
    says: 'What was asked is refused: `findings` say why, clause by clause. Where the refusal is itself on record (an act, a manifest), `event` names it in the log.',
  },
  'key-reused': {
    status: 422,
    title: 'The Idempotency-Key stands for another request',
    says: 'The key was used before with another method, path or body. Use a fresh key for a new request.',
  },
  'law-not-adopted': {
    status: 503,
    title: 'The law of this server is not the one of the log',
    says: 'The server holds a text that the log has not adopted, and writes nothing for that jurisdiction; `detail` names the file. An operator has to act.',
  },
  'position-not-reached': {
    status: 503,
    title: 'The lists are behind',
    says: 'A read asked for a position that the lists have not reached yet. Try again.',
    retryAfter: 1,
  },
  deadline: {
    status: 503,
    title: 'The time for the request ran out',
    says: 'Nothing was written. Try again, with the same Idempotency-Key.',
    retryAfter: 1,
  },
  'store-unavailable': {
    status: 503,
    title: 'The log can not be reached',
    says: 'The log can not be read or written now. Try again with the same Idempotency-Key: what was written already is then answered, not written twice.',
    retryAfter: 2,
  },
  'issuer-unavailable': {
    status: 503,
    title: 'The issuer of tokens can not be reached',
    says: 'A token can not be checked, because its issuer does not show its keys now. Try again; API keys work meanwhile.',
    retryAfter: 5,
  },
  'shutting-down': {
    status: 503,
    title: 'The server is stopping',
    says: 'It takes no new requests. Try again in a moment.',
    retryAfter: 5,
  },
  'internal-error': {
    status: 500,
    title: 'The server failed',
    says: 'A fault of the server, not of the request; it is logged under `requestId`. Tell the operator.',
  },
};

const BASE = 'https://headworks.invalid/problems/';

export const problemType = (code: ProblemCode): string => `${BASE}${code}`;

/** A problem that HTTP itself has: thrown where no library is at fault. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly faults: readonly Fault[] = [],
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The body of a problem (RFC 9457), without the members that the request gives. */
export interface Problem {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** The catalogue as Markdown: what /docs and docs/problems.md show. */
export const problemsTable = (): string =>
  markdownTable(
    ['status', 'type', 'title', 'when, and what to do'],
    Object.entries(PROBLEMS).map(([code, { status, title, says }]) => [
      String(status),
      `\`${code}\``,
      title,
      says,
    ]),
  );

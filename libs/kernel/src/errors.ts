/** One thing that is wrong with a request, and what to do about it. */
export interface Fault {
  /** JSON pointer (RFC 6901) into the body, where a place in the body is at fault. */
  readonly pointer?: string;
  readonly code: string;
  /** A sentence that says what is wrong. */
  readonly detail: string;
  /** What the caller can do. */
  readonly hint?: string;
}

/**
 * A misuse: the caller asked for something that has no meaning, as opposed to what the law refuses (that is an event).
 * The HTTP status is chosen in `apps/api`, from the code.
 */
export class CodedError extends Error {
  override readonly name = 'CodedError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly faults: readonly Fault[] = [],
    /** Members to show beside the sentence, such as the id of what stands in the way. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

export type ErrorCode =
  | 'invalid-request' // 400: the body or a parameter is malformed or impossible; faults lists every place
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not-found' // 404: also another agency's object
  | 'conflict' // 409: it stands already, with other content
  | 'clock-behind' // 409: the virtual clock only moves forward
  | 'clock-unset' // 409: a virtual clock that nobody has set yet
  | 'too-large' // 413
  | 'refused' // 422: the law refuses it as things stand; details.findings say why, clause by clause
  | 'key-reused' // 422: the Idempotency-Key stands for another body
  | 'law-not-adopted' // 503: this process holds a text that the log has not adopted
  | 'position-not-reached' // 503: a read asked for a position that the view has not reached
  | 'deadline' // 503: the request's time ran out, nothing was written
  | 'store-unavailable'; // 503: the log can't be written or read now

/** Throws one `invalid-request` with every fault, or returns when there is none. */
export function refuseFaults(faults: readonly Fault[], what = 'The request'): void {
  if (faults.length === 0) return;
  const places = faults.length === 1 ? 'one place' : `${faults.length} places`;
  throw new CodedError(
    'invalid-request',
    `${what} is not acceptable in ${places}; nothing was recorded.`,
    faults,
  );
}

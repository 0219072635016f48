import { BadRequestException, HttpException } from '@nestjs/common';
import { ForeignPosition, StoreUnavailable, UnstorableAppend } from '@headworks/event-store';
import { CodedError } from '@headworks/kernel';
import { problemOf } from './problem-of';
import { HttpProblem, PROBLEMS } from './problems';

const fault = { pointer: '/a', code: 'b', detail: 'c.' };

describe('each error has its problem', () => {
  it.each<[string, unknown, string, number]>([
    ['a misuse', new CodedError('conflict', 'Stands.', [fault], { load: 'x' }), 'conflict', 409],
    ['a problem of HTTP', new HttpProblem('malformed-json', 'No JSON.'), 'malformed-json', 400],
    ['a store that is away', new StoreUnavailable('No answer.'), 'store-unavailable', 503],
    ['an event no store could take', new UnstorableAppend('300000 bytes.'), 'too-large', 413],
    ['a position of another log', new ForeignPosition('Another.'), 'foreign-position', 410],
    ['an address that does not exist', new HttpException('Cannot GET /x', 404), 'not-found', 404],
    ['a body too large', Object.assign(new Error('large'), { statusCode: 413 }), 'too-large', 413],
    [
      'another media type',
      Object.assign(new Error('type'), { statusCode: 415 }),
      'unsupported-media-type',
      415,
    ],
    ['a bad address', new BadRequestException("'/%' is not a valid url component"), 'invalid-request', 400],
    ['an address too long', Object.assign(new Error('long'), { statusCode: 414 }), 'not-found', 404],
    ['a status of 5xx', Object.assign(new Error('secret'), { statusCode: 502 }), 'internal-error', 500],
    ['a bug', new TypeError('secret of the inside'), 'internal-error', 500],
    ['what is no error', 'secret', 'internal-error', 500],
    ['nothing', undefined, 'internal-error', 500],
  ])('%s', (_, error, code, status) => {
    const problem = problemOf(error);
    expect(problem).toMatchObject({ code, status });
    expect(problem.detail).toMatch(/[.!?]$/);
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it('faults and further members are kept', () => {
    const problem = problemOf(new CodedError('conflict', 'Stands.', [fault], { load: 'x' }));
    expect(problem).toMatchObject({ errors: [fault], details: { load: 'x' } });
  });

  it('every kind says when it is answered; those that pass say when to try again', () => {
    for (const [code, { status, title, says, retryAfter }] of Object.entries(PROBLEMS)) {
      expect([code, status >= 400 && status < 600, title !== '', says.endsWith('.')]).toEqual([
        code,
        true,
        true,
        true,
      ]);
      expect([code, retryAfter !== undefined && status !== 503]).toEqual([code, false]);
    }
  });
});

import type { FastifyReply } from 'fastify';
import type { JsonObject, JsonValue } from '@headworks/kernel';
import type { Answer } from '@headworks/use-cases';
import { HttpProblem } from './problems';

/**
 * Answers a write: 201 recorded now (or by this very request before), 200 it stood already or it was dry, 422 refused.
 * `collection`: the address below which what is recorded is found by its id.
 */
export function answerWrite(reply: FastifyReply, { kind, body }: Answer, collection?: string): JsonObject {
  switch (kind) {
    case 'recorded':
      void reply.status(201);
      if (collection !== undefined) void reply.header('location', `${collection}/${word(body['id'])}`);
      return body;
    case 'standing':
    case 'preview':
      return body;
    case 'refused':
      throw new HttpProblem(
        'refused',
        `It is refused and on record as ${word(body['event'])}; the findings say why.`,
        [],
        body,
      );
  }
}

const word = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

import { applyDecorators, HttpCode } from '@nestjs/common';
import { HistoryQuery } from '../shapes/shared.dto';
import { NDJSON } from './ndjson';
import { ApiBody, ApiConsumes, ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';

interface Described {
  readonly summary: string;
  readonly description?: string;
  /** Name of the schema that it answers (openapi/answers). */
  readonly answer: string;
  /** DTO of its parameters. */
  readonly query: new () => object;
}

interface DescribedWrite extends Described {
  readonly body: new () => object;
  /** Whether it answers 201 for what is recorded. */
  readonly records: boolean;
  /** Whether the law can refuse it, and the refusal is an event; or it can, and nothing is written. */
  readonly refusable?: boolean | 'unrecorded';
}

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** Carries the name of the query's DTO to the document, which lists its members as parameters. */
export const QUERY_OF = 'x-query';

const operation = ({ summary, description, query }: Described) =>
  applyDecorators(
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    ApiExtension(QUERY_OF, query.name),
  );

export const Reads = (described: Described): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiResponse({ status: 200, description: 'It is here.', schema: schema(described.answer) }),
  );

/** An answer in JSON, or as a paper for the file. */
export const Papers = (described: Described): MethodDecorator =>
  applyDecorators(
    operation({
      ...described,
      description:
        'As JSON, or as a paper for the file (`text/markdown`): by the header Accept, or `format`.',
    }),
    ApiResponse({
      status: 200,
      description: 'It is here.',
      content: {
        'application/json': { schema: schema(described.answer) },
        'text/markdown': { schema: { type: 'string' } },
      },
    }),
  );

/** An answer in one other media type than JSON, to whoever has a link that is good. */
export const Shows = (described: Omit<Described, 'answer'>, mediaType: string): MethodDecorator =>
  applyDecorators(
    operation({ ...described, answer: '' }),
    ApiResponse({
      status: 200,
      description: 'It is here.',
      content: { [mediaType]: { schema: { type: 'string' } } },
    }),
    ApiResponse({ status: 401, description: 'The link is not good, or no longer.' }),
  );

const REFUSED = {
  recorded: 'It is refused, and the refusal is on record.',
  unrecorded: 'It is refused as things stand: the findings say why, and nothing was written.',
} as const;

/** A history, in JSON or as a paper: see history/tell.ts. */
export const Tells = (summary: string): MethodDecorator =>
  applyDecorators(
    operation({
      summary,
      description:
        'As JSON, as a paper for the file (`text/markdown`) or as a table (`text/csv`): by the header Accept, or `format`.',
      query: HistoryQuery,
      answer: 'History',
    }),
    ApiResponse({
      status: 200,
      description: 'It is here.',
      content: {
        'application/json': { schema: schema('History') },
        'text/markdown': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );

/** Takes and answers a line of JSON after the other; the schemas are those of a line. */
export const AnswersLines = ({ body, answer, ...described }: Omit<DescribedWrite, 'records'>) =>
  applyDecorators(
    HttpCode(200),
    operation({ ...described, answer }),
    ApiConsumes(NDJSON),
    ApiBody({ schema: schema(body.name), required: true }),
    ApiResponse({
      status: 200,
      description: 'Line by line.',
      content: { [NDJSON]: { schema: schema(answer) } },
    }),
  );

export const Writes = (described: DescribedWrite): MethodDecorator => {
  const { body, answer, records, refusable } = described;
  const standing = records
    ? 'It stood already, or `dryRun` was asked: nothing was written now.'
    : 'It is here.';
  return applyDecorators(
    HttpCode(200),
    operation(described),
    ApiBody({ schema: schema(body.name), required: true }),
    ApiResponse({ status: 200, description: standing, schema: schema(answer) }),
    ...(records
      ? [ApiResponse({ status: 201, description: 'It is recorded.', schema: schema(answer) })]
      : []),
    ...(refusable === undefined || refusable === false
      ? []
      : [ApiResponse({ status: 422, description: REFUSED[refusable === true ? 'recorded' : refusable] })]),
  );
};

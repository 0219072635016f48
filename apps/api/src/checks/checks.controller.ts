import { Readable } from 'node:stream';
import { Body, Controller, Inject, Logger, Post, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { CheckAnswer, Request } from '@headworks/use-cases';
import { Asked } from '../http/asked';
import { AnswersLines, Writes } from '../http/described';
import { NDJSON } from '../http/ndjson';
import { PROGRAM, type Program } from '../program';
import { CheckDto, CheckQuery } from './check.dto';
import { checkLines } from './check-lines';

@ApiTags('checks')
@Controller('v1/checks')
export class ChecksController {
  private readonly logger = new Logger('api');

  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Post()
  @Writes({
    summary: 'Ask before doing it',
    description:
      'Judges an assessment on stored facts and on those given, clause by clause, with what is left of the limits. Nothing is written.',
    body: CheckDto,
    query: CheckQuery,
    answer: 'Check',
    records: false,
  })
  async check(
    @Asked() asked: Request,
    @Body() body: CheckDto,
    @Query() query: CheckQuery,
  ): Promise<CheckAnswer> {
    await this.program.settleDue();
    return this.program.headworks.check(asked, body, query.explain ?? 'full');
  }

  @Post('batch')
  @AnswersLines({
    summary: 'Ask many questions at once',
    description:
      'One check a line (NDJSON, at most 64 KB each), answered line by line in their order while the body still comes in: `{line, ...}` as a single check is answered, or `{line, problem}`. Read while you send. All are asked as of the moment the call came in. Nothing is written.',
    body: CheckDto,
    query: CheckQuery,
    answer: 'CheckLine',
  })
  async batch(
    @Asked() asked: Request,
    @Req() request: FastifyRequest,
    @Query() query: CheckQuery,
  ): Promise<StreamableFile> {
    await this.program.settleDue();
    const { headworks, services } = this.program;
    const lines = checkLines({
      body: request.body as AsyncIterable<Buffer>,
      check: (body) => headworks.check(asked, body, query.explain ?? 'full'),
      monotonic: services.monotonic,
      failed: (line, error) =>
        this.logger.error(
          `Line ${line} of a batch (${request.id}) failed: ${String((error as Error).stack)}`,
        ),
    });
    return new StreamableFile(Readable.from(lines, { objectMode: true, highWaterMark: 16 }), {
      type: NDJSON,
    });
  }
}

import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@headworks/kernel';
import { holdingOf, type Request } from '@headworks/use-cases';
import { aboutLoad } from '../history/about';
import { AtDoor, tellHistory, type Door } from '../history/tell';
import { answerWrite } from '../http/answer';
import { Asked, Reader } from '../http/asked';
import { Reads, Tells, Writes } from '../http/described';
import { given, listable, pageOf, scopeOf, settled, shownPage, thingOf, utc, yes } from '../http/reading';
import { withoutCiphertext } from '../http/sealed';
import { PROGRAM, type Program } from '../program';
import { CutQuery, HistoryQuery, WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { CorrectionDto, LoadDto, LoadsQuery } from './load.dto';

@ApiTags('loads')
@Controller('v1/loads')
export class LoadsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Post()
  @Writes({
    summary: 'Record a load',
    description:
      'What was dumped was dumped: a load is recorded whatever the law finds, with its findings and violations. The same ticket with the same content answers the first; with other content it is a conflict.',
    body: LoadDto,
    query: WriteQuery,
    answer: 'LoadAnswer',
    records: true,
  })
  async record(
    @Asked() asked: Request,
    @Body() body: LoadDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.recordLoad(asked, body), '/v1/loads');
  }

  @Get()
  @Reads({
    summary: 'List loads, the newest first',
    description: '`finding=unknown` lists those that wait for a fact.',
    query: LoadsQuery,
    answer: 'LoadPage',
  })
  async list(@Reader() { caller }: Request, @Query() query: LoadsQuery): Promise<JsonObject> {
    const { pack, subjectId, permitId, ticket, finding } = query;
    const filter = given({
      ...{ pack, subjectId, permitId, ticket, finding, voided: yes(query.voided) },
      ...{ from: utc(query.from), to: utc(query.to) },
      subject: thingOf('subject', query.subjectKind, query.subjectKey),
      hauler: thingOf('hauler', query.haulerKind, query.haulerKey),
      holding: holdingOf(caller),
    });
    await listable(this.program, query);
    return shownPage(await this.program.views.loads(scopeOf(caller, query), filter, pageOf(query)));
  }

  @Get(':id')
  @Reads({ summary: 'See a load as it stands, or stood', query: CutQuery, answer: 'Load' })
  async see(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return withoutCiphertext(await this.program.headworks.load(reader, id, query, query.explain ?? 'full'));
  }

  @Post(':id/corrections')
  @Writes({
    summary: 'Correct a load, or void it',
    description:
      'A new event: what stood before stays in the history. Postings, findings and violations follow it.',
    body: CorrectionDto,
    query: WriteQuery,
    answer: 'LoadAnswer',
    records: true,
  })
  async correct(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: CorrectionDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.correctLoad(asked, id, body));
  }

  @Get(':id/history')
  @Tells('Read every event of a load, the oldest first')
  async history(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: HistoryQuery,
    @AtDoor() door: Door,
  ): Promise<JsonObject | string> {
    await settled(this.program, query);
    const { headworks } = this.program;
    return tellHistory(this.program, door, query, {
      read: (asked) => headworks.loadHistory(reader, id, asked),
      about: async () => aboutLoad(await headworks.load(reader, id, {}, 'status')),
    });
  }
}

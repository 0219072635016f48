import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@headworks/kernel';
import { holdingOf, type Request } from '@headworks/use-cases';
import { aboutSubject } from '../history/about';
import { AtDoor, tellHistory, type Door } from '../history/tell';
import { answerWrite } from '../http/answer';
import { Asked, Reader } from '../http/asked';
import { Reads, Tells, Writes } from '../http/described';
import { given, listable, pageOf, scopeOf, settled, shownPage, yes } from '../http/reading';
import { withoutCiphertext } from '../http/sealed';
import { PROGRAM, type Program } from '../program';
import { CutQuery, HistoryQuery, ReadQuery, WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import {
  ActDto,
  FactsDto,
  LedgerOfQuery,
  RegistrationDto,
  SubjectsQuery,
  SupersessionDto,
} from './subject.dto';

/** Things that the law looks at. Their kinds are words of the packs. */
@ApiTags('subjects')
@Controller('v1/subjects/:kind')
export class SubjectsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Post()
  @Writes({
    summary: 'Register a thing',
    description: 'Jurisdiction, kind and key name it: a second registration is a conflict.',
    body: RegistrationDto,
    query: WriteQuery,
    answer: 'SubjectAnswer',
    records: true,
  })
  async register(
    @Asked() asked: Request,
    @Param('kind') kind: string,
    @Body() body: RegistrationDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const answer = await this.program.headworks.registerSubject(asked, kind, body);
    return answerWrite(reply, answer, `/v1/subjects/${encodeURIComponent(kind)}`);
  }

  @Get()
  @Reads({ summary: 'List things of a kind, by key', query: SubjectsQuery, answer: 'SubjectPage' })
  async list(
    @Reader() { caller }: Request,
    @Param('kind') kind: string,
    @Query() query: SubjectsQuery,
  ): Promise<JsonObject> {
    await listable(this.program, query);
    const { key } = query;
    const holding = holdingOf(caller);
    const filter = { kind, ...given({ key, registered: yes(query.registered), holding }) };
    const page = await this.program.views.subjects(scopeOf(caller, query), filter, pageOf(query));
    return withoutCiphertext(shownPage(page));
  }

  @Get(':id')
  @Reads({
    summary: 'See a thing and its facts, now or as of an instant',
    query: CutQuery,
    answer: 'Subject',
  })
  async see(
    @Reader() reader: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return withoutCiphertext(await this.program.headworks.subject(reader, kind, id, query));
  }

  @Post(':id/facts')
  @Writes({
    summary: 'Record facts, correct them, or annul what was recorded in error',
    description:
      'With `corrects` or `annuls` the event named is changed by a new one, and all that stood on it is judged again.',
    body: FactsDto,
    query: WriteQuery,
    answer: 'SubjectAnswer',
    records: true,
  })
  async recordFacts(
    @Asked() asked: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Body() body: FactsDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.recordFacts(asked, kind, id, body));
  }

  @Get(':id/acts')
  @Reads({ summary: 'Which acts may be done now, which not, and why', query: ReadQuery, answer: 'Acts' })
  async acts(
    @Reader() reader: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Query() query: ReadQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return { items: await this.program.headworks.acts(reader, kind, id) };
  }

  @Post(':id/acts/:act')
  @Writes({
    summary: 'Do an act of the law, or have it refused',
    description: 'A refusal is recorded with the findings against it and answered 422.',
    body: ActDto,
    query: WriteQuery,
    answer: 'ActAnswer',
    records: true,
    refusable: true,
  })
  async doAct(
    @Asked() asked: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Param('act') act: string,
    @Body() body: ActDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.doAct(asked, { kind, id, act }, body));
  }

  @Get(':id/ledgers/:limit')
  @Reads({
    summary: 'See what counts in a limit, in the window of a day, and what is left',
    query: LedgerOfQuery,
    answer: 'Ledger',
  })
  async ledger(
    @Reader() reader: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Param('limit') limit: string,
    @Query() query: LedgerOfQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return this.program.headworks.ledger(reader, { kind, id, limit }, query);
  }

  @Get(':id/history')
  @Tells('Read every event of a thing, the oldest first')
  async history(
    @Reader() reader: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Query() query: HistoryQuery,
    @AtDoor() door: Door,
  ): Promise<JsonObject | string> {
    await settled(this.program, query);
    const { headworks } = this.program;
    return tellHistory(this.program, door, query, {
      read: (asked) => headworks.subjectHistory(reader, kind, id, asked),
      about: async () => aboutSubject(await headworks.subject(reader, kind, id, {}), kind),
    });
  }

  @Post(':id/supersession')
  @Writes({
    summary: 'End a thing that was split or merged',
    description: 'Its successors open with everything that still counts in a window.',
    body: SupersessionDto,
    query: WriteQuery,
    answer: 'SubjectAnswer',
    records: true,
  })
  async supersede(
    @Asked() asked: Request,
    @Param('kind') kind: string,
    @Param('id', KnownId) id: string,
    @Body() body: SupersessionDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.supersedeSubject(asked, kind, id, body));
  }
}

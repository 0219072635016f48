import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@headworks/kernel';
import {
  holdingOf,
  type ManifestDecision,
  type ManifestDecisionBody,
  type Request,
} from '@headworks/use-cases';
import { aboutManifest } from '../history/about';
import { AtDoor, tellHistory, type Door } from '../history/tell';
import { answerWrite } from '../http/answer';
import { Asked, Reader } from '../http/asked';
import { Reads, Tells, Writes } from '../http/described';
import { given, listable, nowOf, pageOf, scopeOf, settled, shownPage, thingOf, utc } from '../http/reading';
import { withoutCiphertext } from '../http/sealed';
import { PROGRAM, type Program } from '../program';
import { CutQuery, HistoryQuery, WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { AcceptanceDto, EndManifestDto, ManifestDto, ManifestsQuery } from './manifest.dto';

/** What is asked before a load is brought. A manifest's id is its load's. */
@ApiTags('manifests')
@Controller('v1/manifests')
export class ManifestsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Post()
  @Writes({
    summary: 'Ask whether a load may be brought',
    description:
      'Accepted at once where every clause is satisfied, and holds its gallons until `until`; refused where one is violated; pending, and holding nothing, where something is missing.',
    body: ManifestDto,
    query: WriteQuery,
    answer: 'ManifestAnswer',
    records: true,
    refusable: true,
  })
  async submit(
    @Asked() asked: Request,
    @Body() body: ManifestDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const answer = await this.program.headworks.manifests.submit(asked, body);
    return withoutCiphertext(answerWrite(reply, answer, '/v1/manifests'));
  }

  @Get()
  @Reads({
    summary: 'List manifests, the latest planned first',
    query: ManifestsQuery,
    answer: 'ManifestPage',
  })
  async list(@Reader() { caller }: Request, @Query() query: ManifestsQuery): Promise<JsonObject> {
    const { pack, manifest, permitId, ticket, status } = query;
    const filter = given({
      ...{ pack, manifest, permitId, ticket, status, from: utc(query.from), to: utc(query.to) },
      subject: thingOf('subject', query.subjectKind, query.subjectKey),
      hauler: thingOf('hauler', query.haulerKind, query.haulerKey),
      holding: holdingOf(caller),
    });
    await listable(this.program, query);
    const { views, services } = this.program;
    const [scope, page] = [scopeOf(caller, query), pageOf(query)];
    return shownPage(await views.manifests(scope, nowOf(services.clock), filter, page));
  }

  @Get(':id')
  @Reads({ summary: 'See a manifest and what came of it', query: CutQuery, answer: 'Manifest' })
  async see(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    const { manifests } = this.program.headworks;
    return withoutCiphertext(await manifests.manifest(reader, id, query, query.explain ?? 'full'));
  }

  @Post(':id/acceptance')
  @Writes({
    summary: 'Accept a pending manifest',
    description:
      'All clauses are judged again, with the facts that fill what is missing: a violation is overridden by nobody.',
    body: AcceptanceDto,
    query: WriteQuery,
    answer: 'ManifestAnswer',
    records: true,
    refusable: true,
  })
  async accept(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: AcceptanceDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'acceptance', body);
  }

  @Post(':id/refusal')
  @Writes({
    summary: 'Refuse a pending manifest',
    body: EndManifestDto,
    query: WriteQuery,
    answer: 'ManifestAnswer',
    records: true,
  })
  async refuse(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: EndManifestDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'refusal', body);
  }

  @Post(':id/withdrawal')
  @Writes({
    summary: 'Take back a manifest that is not discharged yet',
    body: EndManifestDto,
    query: WriteQuery,
    answer: 'ManifestAnswer',
    records: true,
  })
  async withdraw(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: EndManifestDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'withdrawal', body);
  }

  @Get(':id/history')
  @Tells('Read every event of a manifest and of its load, the oldest first')
  async history(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: HistoryQuery,
    @AtDoor() door: Door,
  ): Promise<JsonObject | string> {
    await settled(this.program, query);
    const { manifests } = this.program.headworks;
    return tellHistory(this.program, door, query, {
      read: (asked) => manifests.history(reader, id, asked),
      about: async () => aboutManifest(await manifests.manifest(reader, id, {}, 'status')),
    });
  }

  private async decide(
    reply: FastifyReply,
    asked: Request,
    id: string,
    decision: ManifestDecision,
    body: ManifestDecisionBody,
  ): Promise<JsonObject> {
    const answer = await this.program.headworks.manifests.decide(asked, id, decision, body);
    return withoutCiphertext(answerWrite(reply, answer));
  }
}

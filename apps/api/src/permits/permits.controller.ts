import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@headworks/kernel';
import { holdingOf, type Request } from '@headworks/use-cases';
import { aboutPermit } from '../history/about';
import { AtDoor, tellHistory, type Door } from '../history/tell';
import { answerWrite } from '../http/answer';
import { Asked, Reader } from '../http/asked';
import { Reads, Tells, Writes } from '../http/described';
import { given, listable, pageOf, scopeOf, settled, shownPage, thingOf, utc } from '../http/reading';
import { withoutCiphertext } from '../http/sealed';
import { PROGRAM, type Program } from '../program';
import { CutQuery, HistoryQuery, ReadQuery, WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { ActDto, FactsDto, LedgerOfQuery } from '../subjects/subject.dto';
import { PermitsQuery, RenewalDto } from './permit.dto';

@ApiTags('permits')
@Controller('v1/permits')
export class PermitsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({
    summary: 'List permits and applications, the last filed first',
    description:
      'With `asOf` or `knownAt` each is shown as it stood, or was on record, then. Such a page may be short and have a next one.',
    query: PermitsQuery,
    answer: 'PermitPage',
  })
  async list(@Reader() { caller }: Request, @Query() query: PermitsQuery): Promise<JsonObject> {
    const { pack, permitType, status, series, asOf, knownAt } = query;
    const filter = given({
      ...{ pack, permitType, status, series, from: utc(query.from), to: utc(query.to) },
      number: query.number === undefined ? undefined : Number(query.number),
      holder: thingOf('holder', query.holderKind, query.holderKey),
      holding: holdingOf(caller),
    });
    await listable(this.program, query);
    const { views } = this.program;
    const [scope, page] = [scopeOf(caller, query), pageOf(query)];
    const isThen = asOf !== undefined || knownAt !== undefined;
    return shownPage(
      isThen
        ? await views.permitsAt(scope, given({ asOf, knownAt }), filter, page)
        : await views.permits(scope, filter, page),
    );
  }

  @Get(':id')
  @Reads({
    summary: 'See a permit: how it stands, its days, facts and steps, now or as of an instant',
    query: CutQuery,
    answer: 'Permit',
  })
  async see(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    const { permits } = this.program.headworks;
    return withoutCiphertext(await permits.permit(reader, id, query, query.explain ?? 'full'));
  }

  @Post(':id/renewal')
  @Writes({
    summary: 'Apply for the permit that would follow',
    description:
      'An application of its own, with the form of this one carried over where nothing else is sent.',
    body: RenewalDto,
    query: WriteQuery,
    answer: 'PermitAnswer',
    records: true,
  })
  async renew(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: RenewalDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.permits.renew(asked, id, body), '/v1/permits');
  }

  @Get(':id/acts')
  @Reads({
    summary: 'Which decisions and acts may be done now, which not, by whom, and why',
    query: ReadQuery,
    answer: 'PermitActs',
  })
  async acts(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: ReadQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return { items: await this.program.headworks.permits.acts(reader, id) };
  }

  @Post(':id/acts/:act')
  @Writes({
    summary: 'Do an act of the law on a permit, or have it refused',
    description: 'A refusal is recorded with the findings against it and answered 422.',
    body: ActDto,
    query: WriteQuery,
    answer: 'PermitAnswer',
    records: true,
    refusable: true,
  })
  async doAct(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Param('act') act: string,
    @Body() body: ActDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.permits.doAct(asked, id, act, body));
  }

  @Post(':id/facts')
  @Writes({
    summary: 'Record facts of a permit, correct them, or annul a decision that was recorded in error',
    description:
      'With `corrects` or `annuls` the event named is changed by a new one, and all that stood on it is judged again.',
    body: FactsDto,
    query: WriteQuery,
    answer: 'PermitAnswer',
    records: true,
  })
  async recordFacts(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: FactsDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.permits.recordFacts(asked, id, body));
  }

  @Get(':id/ledgers/:limit')
  @Reads({
    summary: 'See what counts in a limit of a permit, in the window of a day, and what is left',
    query: LedgerOfQuery,
    answer: 'Ledger',
  })
  async ledger(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Param('limit') limit: string,
    @Query() query: LedgerOfQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return this.program.headworks.permits.ledger(reader, { id, limit }, query);
  }

  @Get(':id/history')
  @Tells('Read every event of a permit, the oldest first')
  async history(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: HistoryQuery,
    @AtDoor() door: Door,
  ): Promise<JsonObject | string> {
    await settled(this.program, query);
    const { permits } = this.program.headworks;
    return tellHistory(this.program, door, query, {
      read: (asked) => permits.history(reader, id, asked),
      about: async () => aboutPermit(await permits.permit(reader, id, {}, 'status')),
    });
  }
}

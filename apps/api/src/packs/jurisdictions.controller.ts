import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import type { FastifyReply } from 'fastify';
import { answerWrite } from '../http/answer';
import { Asked, Reader } from '../http/asked';
import { Reads, Writes } from '../http/described';
import { listable, settled } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { CutQuery, NoQuery, WriteQuery } from '../shapes/shared.dto';
import { CalendarDaysDto, ClosedDaysAnnulmentDto } from './calendar-days.dto';
import { jurisdictionsOf, named, shownJurisdiction } from './shown-pack';

@ApiTags('jurisdictions')
@Controller('v1/jurisdictions')
export class JurisdictionsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'List the jurisdictions of this key', query: NoQuery, answer: 'JurisdictionList' })
  list(@Reader() { caller }: Request, @Query() _query: NoQuery): JsonObject {
    const { rules } = this.program;
    const items = jurisdictionsOf(rules, caller).map((found) => shownJurisdiction(rules, caller, found));
    return { items, next: null };
  }

  @Get(':id')
  @Reads({ summary: 'See a jurisdiction: zone, bounds, packs', query: NoQuery, answer: 'Jurisdiction' })
  see(@Reader() { caller }: Request, @Param('id') id: string, @Query() _query: NoQuery): JsonObject {
    const { rules } = this.program;
    const known = new Map(jurisdictionsOf(rules, caller).map((found) => [found.id, found] as const));
    return shownJurisdiction(rules, caller, named('jurisdiction', id, known));
  }

  @Get(':id/closed-days')
  @Reads({
    summary: 'List the days that officers closed, beyond what the calendars themselves say',
    query: CutQuery,
    answer: 'ClosedDayList',
  })
  async closedDays(
    @Reader() reader: Request,
    @Param('id') id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return { items: await this.program.headworks.duties.closedDays(reader, id, query), next: null };
  }

  @Post(':id/calendars/:calendar/days')
  @Writes({
    summary: 'Close days of a calendar',
    description:
      'Whatever is open is counted anew; what was decided stays, and is listed by `GET /v1/stale` where it would be otherwise.',
    body: CalendarDaysDto,
    query: WriteQuery,
    answer: 'CalendarAnswer',
    records: true,
  })
  async close(
    @Asked() asked: Request,
    @Param('id') jurisdiction: string,
    @Param('calendar') calendar: string,
    @Body() body: CalendarDaysDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    // What fell due by now fell due by the calendars of then.
    await listable(this.program, {});
    const of = { jurisdiction, calendar };
    return answerWrite(reply, await this.program.headworks.duties.amendCalendar(asked, of, body));
  }

  @Post(':id/closed-days/:event/annulment')
  @Writes({
    summary: 'Take back days that were closed by mistake: all that one event closed',
    description:
      'They count until then, and not from then on. Whatever is open is counted anew; what was decided meanwhile stays, and is listed by `GET /v1/stale` where it would be otherwise.',
    body: ClosedDaysAnnulmentDto,
    query: WriteQuery,
    answer: 'ClosedDaysAnnulment',
    records: true,
  })
  async annul(
    @Asked() asked: Request,
    @Param('id') jurisdiction: string,
    @Param('event') event: string,
    @Body() body: ClosedDaysAnnulmentDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    // What fell due by now fell due by the calendars of then.
    await listable(this.program, {});
    const of = { jurisdiction, event };
    return answerWrite(reply, await this.program.headworks.duties.annulClosedDays(asked, of, body));
  }
}

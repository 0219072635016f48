import { applyDecorators, Body, Controller, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@headworks/kernel';
import type { OnDuty, OnDutyBody, Request } from '@headworks/use-cases';
import { answerWrite } from '../http/answer';
import { Asked } from '../http/asked';
import { Writes } from '../http/described';
import { PROGRAM, type Program } from '../program';
import { WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { ExtensionDto, OnConsequenceDto, OnDutyDto } from './duty.dto';
import { homeOfDuty } from './home-of-duty';

const Decides = (at: OnDuty, body: new () => object, summary: string, description: string): MethodDecorator =>
  applyDecorators(
    Post(`:id/${at}`),
    Writes({
      ...{ summary, description, body, query: WriteQuery, answer: 'DutyAnswer', records: true },
      refusable: 'unrecorded',
    }),
  );

/** What is said of one duty, by the body that may. */
@ApiTags('duties')
@Controller('v1/duties')
export class DutyDecisionsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Decides('extension', ExtensionDto, 'Give more time for a duty', 'By the body that its clause names.')
  async extend(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() { times, ...body }: ExtensionDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const said = { ...body, ...(times !== undefined && { times: Number(times) }) };
    return this.decide(reply, asked, id, 'extension', said);
  }

  @Decides('waiver', OnDutyDto, 'Let a duty go', 'By the body that its clause names.')
  async waive(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: OnDutyDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'waiver', body);
  }

  @Decides(
    'reversal',
    OnConsequenceDto,
    'Take back a consequence that is on the stale list',
    'The calendars as they stand now would not have brought it about; see `GET /v1/stale`.',
  )
  async reverse(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: OnConsequenceDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'reversal', body);
  }

  @Decides(
    'confirmation',
    OnConsequenceDto,
    'Let a consequence on the stale list stand',
    'It leaves the list until the calendars change again.',
  )
  async confirm(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: OnConsequenceDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'confirmation', body);
  }

  private async decide(
    reply: FastifyReply,
    asked: Request,
    id: string,
    what: OnDuty,
    body: OnDutyBody,
  ): Promise<JsonObject> {
    const home = await homeOfDuty(this.program, asked, id);
    return answerWrite(reply, await this.program.headworks.duties.decide(asked, home, what, body));
  }
}

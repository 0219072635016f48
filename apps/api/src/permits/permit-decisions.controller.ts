import { Body, Controller, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { PermitDecision } from '@headworks/domain';
import type { JsonObject } from '@headworks/kernel';
import type { DecisionBody, Request } from '@headworks/use-cases';
import { answerWrite } from '../http/answer';
import { Asked } from '../http/asked';
import { PROGRAM, type Program } from '../program';
import { WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { Decides } from './decides';
import { ConditionsDto, GroundedDto, ReasonedDto } from './decision.dto';

/** What is decided of a permit that was issued, or approved. */
@ApiTags('permits')
@Controller('v1/permits')
export class PermitDecisionsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Decides({
    at: 'suspension',
    body: GroundedDto,
    summary: 'Suspend a permit',
    description: 'Ends its manifests that are not discharged yet.',
  })
  async suspend(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: GroundedDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'suspension', body);
  }

  @Decides({ at: 'reinstatement', body: ReasonedDto, summary: 'Reinstate a suspended permit' })
  async reinstate(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: ReasonedDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'reinstatement', body);
  }

  @Decides({
    at: 'revocation',
    body: GroundedDto,
    summary: 'Revoke a permit',
    description: 'Ends its manifests that are not discharged yet, and lists them.',
  })
  async revoke(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: GroundedDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'revocation', body);
  }

  @Decides({ at: 'conditions', body: ConditionsDto, summary: 'Put conditions on a permit' })
  async condition(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: ConditionsDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'conditions', body);
  }

  @Decides({ at: 'voidance', body: ReasonedDto, summary: 'Void a permit' })
  async voidIt(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: ReasonedDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'voidance', body);
  }

  private async decide(
    reply: FastifyReply,
    asked: Request,
    id: string,
    decision: PermitDecision,
    body: DecisionBody,
  ): Promise<JsonObject> {
    return answerWrite(reply, await this.program.headworks.permits.decide(asked, id, decision, body));
  }
}

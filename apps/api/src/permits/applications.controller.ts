import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { PermitDecision } from '@headworks/domain';
import type { JsonObject } from '@headworks/kernel';
import type { DecisionBody, Request } from '@headworks/use-cases';
import { answerWrite } from '../http/answer';
import { Asked, Reader } from '../http/asked';
import { Reads, Writes } from '../http/described';
import { settled } from '../http/reading';
import { withoutCiphertext } from '../http/sealed';
import { PROGRAM, type Program } from '../program';
import { CutQuery, WriteQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { Decides } from './decides';
import {
  ApprovalDto,
  GroundedDto,
  InformationDto,
  InformationRequestDto,
  PlainDecisionDto,
  ReasonedDto,
} from './decision.dto';
import { ApplicationDto } from './permit.dto';

/** An application's id is its permit's: what is decided here is seen at both addresses. */
@ApiTags('applications')
@Controller('v1/applications')
export class ApplicationsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Post()
  @Writes({
    summary: 'File an application',
    description:
      'It is always put on file, with what the law finds in it: only an official denies it. What is missing or violated is in the findings.',
    body: ApplicationDto,
    query: WriteQuery,
    answer: 'PermitAnswer',
    records: true,
  })
  async file(
    @Asked() asked: Request,
    @Body() body: ApplicationDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const answer = await this.program.headworks.permits.fileApplication(asked, body);
    return answerWrite(reply, answer, '/v1/permits');
  }

  @Get(':id')
  @Reads({
    summary: 'See an application: the permit that it is, or would be',
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

  @Decides({
    at: 'information-requests',
    body: InformationRequestDto,
    summary: 'Ask the applicant for information',
  })
  async requestInformation(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: InformationRequestDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'information-requests', body);
  }

  @Decides({ at: 'information', body: InformationDto, summary: 'Put on file what the applicant adds' })
  async receiveInformation(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: InformationDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'information', body);
  }

  @Decides({ at: 'completion', body: PlainDecisionDto, summary: 'Find an application complete' })
  async complete(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: PlainDecisionDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'completion', body);
  }

  @Decides({
    at: 'approval',
    body: ApprovalDto,
    summary: 'Approve an application',
    description:
      'Refused while a clause that it is decided under is violated or unknown, unless the pack has a power to waive it, which is used with a reason. Issues the permit too, where nothing stands against that and `issue` is not `false`.',
  })
  async approve(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: ApprovalDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'approval', body);
  }

  @Decides({ at: 'denial', body: GroundedDto, summary: 'Deny an application, with reasons' })
  async deny(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: GroundedDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'denial', body);
  }

  @Decides({ at: 'withdrawal', body: ReasonedDto, summary: 'Withdraw an application' })
  async withdraw(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: ReasonedDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'withdrawal', body);
  }

  @Decides({
    at: 'issuance',
    body: PlainDecisionDto,
    summary: 'Issue the permit of an approved application',
    description: 'It is numbered in the register of its type and year, without a gap.',
  })
  async issue(
    @Asked() asked: Request,
    @Param('id', KnownId) id: string,
    @Body() body: PlainDecisionDto,
    @Query() _query: WriteQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.decide(reply, asked, id, 'issuance', body);
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

import { Body, Controller, Inject, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { CheckAnswer, Request } from '@headworks/use-cases';
import { Asked } from '../http/asked';
import { Writes } from '../http/described';
import { PROGRAM, type Program } from '../program';
import { CheckDto, CheckQuery } from './check.dto';

@ApiTags('checks')
@Controller('v1/checks')
export class ChecksController {
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
}

import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { heldBy, homeStream } from '../http/held';
import { given, listable, pageOf, scopeOf, shownPage, utc } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { DutiesQuery } from './duty.dto';

@ApiTags('duties')
@Controller('v1/duties')
export class DutiesController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'List duties, the next due first', query: DutiesQuery, answer: 'DutyPage' })
  async list(@Reader() { caller }: Request, @Query() query: DutiesQuery): Promise<JsonObject> {
    const { state, clause } = query;
    await listable(this.program, query);
    const holding = await heldBy(this.program, caller, scopeOf(caller, query));
    const stream = homeStream(query);
    const filter = given({ state, clause, stream, holding, dueBefore: utc(query.dueBefore) });
    return shownPage(await this.program.views.duties(scopeOf(caller, query), filter, pageOf(query)));
  }
}

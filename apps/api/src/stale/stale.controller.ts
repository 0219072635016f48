import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { given, listable, pageOf, scopeOf, shownPage } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { StaleQuery } from './stale.dto';

@ApiTags('duties')
@Controller('v1/stale')
export class StaleController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({
    summary: 'List what was decided and would not be by the calendars as they stand now',
    description:
      'Missed duties with what the law made of them: a deemed decision, a void permit. An officer takes one back or lets it stand: `POST /v1/duties/{id}/reversal` and `/confirmation`. A page may be short and have a next one.',
    query: StaleQuery,
    answer: 'StalePage',
  })
  async list(@Reader() { caller }: Request, @Query() query: StaleQuery): Promise<JsonObject> {
    const { pack, clause, asOf, knownAt } = query;
    await listable(this.program, query);
    const { views } = this.program;
    const cut = given({ asOf, knownAt });
    return shownPage(
      await views.staleAt(scopeOf(caller, query), cut, given({ pack, clause }), pageOf(query)),
    );
  }
}

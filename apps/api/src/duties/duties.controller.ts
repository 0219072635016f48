import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import { withClause, type Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { heldBy, homeStream } from '../http/held';
import { given, listable, nowOf, pageOf, scopeOf, shownPage, utc } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { DutiesQuery } from './duty.dto';

@ApiTags('duties')
@Controller('v1/duties')
export class DutiesController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'List duties, the next due first', query: DutiesQuery, answer: 'DutyPage' })
  async list(@Reader() { caller }: Request, @Query() query: DutiesQuery): Promise<JsonObject> {
    const { pack, clause, binds, who, owedTo } = query;
    await listable(this.program, query);
    const holding = await heldBy(this.program, caller, scopeOf(caller, query));
    const filter = given({
      ...{ pack, clause, binds, who, owedTo, holding, stream: homeStream(query) },
      status: query.status && [query.status],
      dueBefore: utc(query.dueBefore),
    });
    const { rules, services, views } = this.program;
    const scope = scopeOf(caller, query);
    const found = await views.duties(scope, nowOf(services.clock), filter, pageOf(query));
    return shownPage({ ...found, items: found.items.map((item) => withClause(rules, item)) });
  }
}

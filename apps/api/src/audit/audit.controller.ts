import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { given, listable, pageOf, scopeOf, shownPage, utc } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { LateQuery } from './late.dto';

@ApiTags('audit')
@Controller('v1/audit')
export class AuditController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get('late')
  @Reads({
    summary: 'List what was recorded late, the last recorded first',
    description:
      'Every event that was recorded more than ten minutes after it occurred, with who recorded it, the reason and the evidence. A correction takes no row away.',
    query: LateQuery,
    answer: 'LatePage',
  })
  async late(@Reader() { caller }: Request, @Query() query: LateQuery): Promise<JsonObject> {
    const { actor, streamKind } = query;
    await listable(this.program, query);
    const filter = given({ actor, streamKind, from: utc(query.from), to: utc(query.to) });
    return shownPage(await this.program.views.late(scopeOf(caller, query), filter, pageOf(query)));
  }
}

import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { heldBy, homeStream } from '../http/held';
import { given, listable, pageOf, scopeOf, shownPage } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { LedgersQuery } from './ledger.dto';

@ApiTags('ledgers')
@Controller('v1/ledgers')
export class LedgersController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({
    summary: 'List ledgers, the latest window first',
    description:
      'What is left of a limit is on the ledger of one thing or permit: `GET /v1/subjects/{kind}/{id}/ledgers/{limit}`, `GET /v1/permits/{id}/ledgers/{limit}`.',
    query: LedgersQuery,
    answer: 'LedgerPage',
  })
  async list(@Reader() { caller }: Request, @Query() query: LedgersQuery): Promise<JsonObject> {
    const { pack, window } = query;
    await listable(this.program, query);
    const held = await heldBy(this.program, caller, scopeOf(caller, query));
    const stream = homeStream(query);
    const filter = given({ pack, window, stream, limit: query.limitName, streams: held?.streams });
    return shownPage(await this.program.views.ledgers(scopeOf(caller, query), filter, pageOf(query)));
  }
}

import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isoInstant, refuseFaults, type JsonObject } from '@headworks/kernel';
import { withClause, type Request } from '@headworks/use-cases';
import { formatOf, MEDIA_TYPES } from '../history/format';
import { AtDoor, type Door } from '../history/tell';
import { Reader } from '../http/asked';
import { Papers, Reads } from '../http/described';
import { heldBy, homeStream } from '../http/held';
import { given, listable, nowOf, pageOf, scopeOf, shownPage, utc } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { CutQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { DerivationQuery, DutiesQuery } from './duty.dto';
import { homeOfDuty } from './home-of-duty';

const NOT_DONE = ['open', 'contestable', 'missed'] as const;

@ApiTags('duties')
@Controller('v1/duties')
export class DutiesController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({
    summary: 'List duties, the next due first',
    description:
      'With `asOf` or `knownAt` each is shown as it stood, or was on record, then; such a page may be short and have a next one. What is due and not done as of an instant: `notDone=true&dueBefore=T&asOf=T`.',
    query: DutiesQuery,
    answer: 'DutyPage',
  })
  async list(@Reader() { caller }: Request, @Query() query: DutiesQuery): Promise<JsonObject> {
    const { pack, clause, binds, who, owedTo, asOf, knownAt } = query;
    const status = statusOf(query);
    await listable(this.program, query);
    const holding = await heldBy(this.program, caller, scopeOf(caller, query));
    const filter = given({
      ...{ pack, clause, binds, who, owedTo, holding, status, stream: homeStream(query) },
      dueBefore: utc(query.dueBefore),
    });
    const { rules, services, views } = this.program;
    const [scope, page] = [scopeOf(caller, query), pageOf(query)];
    if (asOf !== undefined || knownAt !== undefined)
      return shownPage(await views.dutiesAt(scope, given({ asOf, knownAt }), filter, page));
    const found = await views.duties(scope, nowOf(services.clock), filter, page);
    return shownPage({ ...found, items: found.items.map((item) => withClause(rules, item)) });
  }

  @Get(':id')
  @Reads({
    summary: 'See a duty: how it stands, how it was counted, what moved it, now or as of an instant',
    query: CutQuery,
    answer: 'Duty',
  })
  async see(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    const home = await homeOfDuty(this.program, reader, id, query);
    return this.program.headworks.duties.duty(reader, home, query, query.explain ?? 'full');
  }

  @Get(':id/derivation')
  @Papers({
    summary:
      'See how its date was counted: every day that counts or is left out, with the reason and its source',
    query: DerivationQuery,
    answer: 'Derivation',
  })
  async derivation(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() { format: asked, ...query }: DerivationQuery,
    @AtDoor() { request, reply }: Door,
  ): Promise<JsonObject | string> {
    const home = await homeOfDuty(this.program, reader, id, query);
    const { headworks, services } = this.program;
    void reply.header('vary', 'accept');
    if (formatOf(asked, request.headers.accept) !== 'markdown')
      return headworks.duties.derivation(reader, home, query);
    void reply.type(`${MEDIA_TYPES.markdown}; charset=utf-8`);
    const now = nowOf(services.clock);
    const told = [
      ['As of', query.asOf],
      ['As known at', query.knownAt],
      ['Printed', now === 0 ? undefined : isoInstant(now)],
    ] as const;
    const said = told.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return headworks.duties.derivationPaper(reader, home, query, said);
  }
}

function statusOf({
  status,
  notDone,
}: DutiesQuery): readonly NonNullable<DutiesQuery['status']>[] | undefined {
  if (notDone === undefined) return status && [status];
  if (status === undefined) return NOT_DONE;
  const detail = "The parameters 'status' and 'notDone' ask for two things at once.";
  refuseFaults([{ code: 'one-alone', detail, hint: 'send one of them' }], 'The address');
  return undefined;
}

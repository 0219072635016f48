import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import { holdingOf, type Request } from '@headworks/use-cases';
import { aboutViolation, jurisdictionOf } from '../history/about';
import { AtDoor, tellHistory, type Door } from '../history/tell';
import { Reader } from '../http/asked';
import { Reads, Tells } from '../http/described';
import { given, listable, nowOf, pageOf, scopeOf, settled, shownPage, thingOf, utc } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { CutQuery, HistoryQuery } from '../shapes/shared.dto';
import { KnownId } from '../shapes/shape.pipe';
import { ViolationsQuery } from './violation.dto';

@ApiTags('violations')
@Controller('v1/violations')
export class ViolationsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({
    summary: 'List violations, the newest first',
    description:
      'The days of one that goes on are counted to now. With `asOf` or `knownAt` each is shown as it stood, or was on record, then; such a page may be short and have a next one.',
    query: ViolationsQuery,
    answer: 'ViolationPage',
  })
  async list(@Reader() { caller }: Request, @Query() query: ViolationsQuery): Promise<JsonObject> {
    const { status, pack, clause, subjectId, permitId, loadId, asOf, knownAt } = query;
    const filter = given({
      ...{ status, pack, clause, subjectId, permitId, loadId, from: utc(query.from), to: utc(query.to) },
      subject: thingOf('subject', query.subjectKind, query.subjectKey),
      responsible: thingOf('responsible', query.responsibleKind, query.responsibleKey),
      holding: holdingOf(caller),
    });
    await listable(this.program, query);
    const { views, services } = this.program;
    const [scope, page] = [scopeOf(caller, query), pageOf(query)];
    const isThen = asOf !== undefined || knownAt !== undefined;
    return shownPage(
      isThen
        ? await views.violationsAt(scope, given({ asOf, knownAt }), filter, page)
        : await views.violations(scope, nowOf(services.clock), filter, page),
    );
  }

  @Get(':id')
  @Reads({ summary: 'See a violation with its days and finding', query: CutQuery, answer: 'Violation' })
  async see(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: CutQuery,
  ): Promise<JsonObject> {
    await settled(this.program, query);
    return this.program.headworks.violation(reader, id, query, query.explain ?? 'full');
  }

  @Get(':id/history')
  @Tells('Read every event of a violation, the oldest first')
  async history(
    @Reader() reader: Request,
    @Param('id', KnownId) id: string,
    @Query() query: HistoryQuery,
    @AtDoor() door: Door,
  ): Promise<JsonObject | string> {
    await settled(this.program, query);
    const { headworks, rules } = this.program;
    return tellHistory(this.program, door, query, {
      read: (asked) => headworks.violationHistory(reader, id, asked),
      about: async () => {
        const violation = await headworks.violation(reader, id, {}, 'status');
        return aboutViolation(violation, jurisdictionOf(rules, violation['pack']));
      },
    });
  }
}

import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { PROGRAM, type Program } from '../program';
import { NoQuery } from '../shapes/shared.dto';
import { jurisdictionsOf, named, shownJurisdiction } from './shown-pack';

@ApiTags('jurisdictions')
@Controller('v1/jurisdictions')
export class JurisdictionsController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'List the jurisdictions of this key', query: NoQuery, answer: 'JurisdictionList' })
  list(@Reader() { caller }: Request, @Query() _query: NoQuery): JsonObject {
    const { rules } = this.program;
    const items = jurisdictionsOf(rules, caller).map((found) => shownJurisdiction(rules, caller, found));
    return { items, next: null };
  }

  @Get(':id')
  @Reads({ summary: 'See a jurisdiction: zone, bounds, packs', query: NoQuery, answer: 'Jurisdiction' })
  see(@Reader() { caller }: Request, @Param('id') id: string, @Query() _query: NoQuery): JsonObject {
    const { rules } = this.program;
    const known = new Map(jurisdictionsOf(rules, caller).map((found) => [found.id, found] as const));
    return shownJurisdiction(rules, caller, named('jurisdiction', id, known));
  }
}

import { Body, Controller, Get, HttpCode, Inject, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isoInstant, parseInstant, type JsonObject } from '@headworks/kernel';
import { Reads, Writes } from '../http/described';
import { PROGRAM, type Program } from '../program';
import { NoQuery } from '../shapes/shared.dto';
import { ClockDto } from './clock.dto';

/** Mounted only where the log's time is virtual: elsewhere there is no such address. */
@ApiTags('sandbox')
@Controller('v1/sandbox/clock')
export class SandboxController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'Where the virtual clock stands', query: NoQuery, answer: 'Clock' })
  now(@Query() _query: NoQuery): JsonObject {
    return { now: isoInstant(this.program.services.clock.now()) };
  }

  @Put()
  @HttpCode(200)
  @Writes({
    summary: 'Move the virtual clock',
    description:
      'Forward only, from due instant to due instant; answers, with what fell due, when it is there.',
    body: ClockDto,
    query: NoQuery,
    answer: 'ClockMoved',
    records: false,
  })
  async move(@Body() body: ClockDto, @Query() _query: NoQuery): Promise<JsonObject> {
    const parsed = parseInstant(body.now);
    const { now, fell } = await this.program.moveClock('ms' in parsed ? parsed.ms : 0);
    return { now, fell: fell.map((duty) => ({ ...duty })) };
  }
}

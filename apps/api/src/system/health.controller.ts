import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@headworks/kernel';
import { Reads } from '../http/described';
import { PROGRAM, type Program } from '../program';
import { NoQuery } from '../shapes/shared.dto';

/** For whoever runs it. Says nothing of what is in the log. */
@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'How it is, in short', query: NoQuery, answer: 'Health' })
  async summary(@Query() _query: NoQuery): Promise<JsonObject> {
    const { config } = this.program;
    const { ready, faults, lag } = await this.program.readiness();
    const log = config.databaseUrl === undefined ? 'sqlite' : 'postgres';
    return {
      status: ready ? 'ready' : 'not ready',
      role: config.role,
      clock: config.clock,
      log,
      faults,
      lag,
      ...(await this.lateness()),
    };
  }

  @Get('live')
  @Reads({ summary: 'Whether the process answers', query: NoQuery, answer: 'Live' })
  live(@Query() _query: NoQuery): JsonObject {
    return { status: 'alive' };
  }

  @Get('ready')
  @Reads({
    summary:
      'Whether it can serve: 503 with a sentence for each thing that keeps it from it; what is late is a warning',
    query: NoQuery,
    answer: 'Ready',
  })
  async ready(
    @Query() _query: NoQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const { ready, faults, lag } = await this.program.readiness();
    if (!ready) void reply.status(503).header('retry-after', '5');
    return { status: ready ? 'ready' : 'not ready', faults, lag, ...(await this.lateness()) };
  }

  /**
   * What is late does not make a server unready: it would be taken out of service with all that it can do, and nobody
   * would be earlier for it.
   */
  private async lateness(): Promise<JsonObject> {
    const { due, late, since } = await this.program.alarms.overdue();
    const { lateMinutes } = this.program.config;
    const warnings =
      late > 0
        ? [
            `${late} that fell due since ${since ?? ''} are not recorded after more than ${lateMinutes} min; see that a worker runs, and what it says.`,
          ]
        : [];
    return { overdue: due, late, warnings };
  }
}

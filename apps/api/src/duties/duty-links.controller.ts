import { Body, Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError, isoInstant, parseInstant, refuseFaults, type JsonObject } from '@headworks/kernel';
import { withClause, type Request } from '@headworks/use-cases';
import { Asked } from '../http/asked';
import { Shows, Writes } from '../http/described';
import { heldBy, homeStream } from '../http/held';
import { HttpProblem } from '../http/problems';
import { given, listable, nowOf } from '../http/reading';
import { PROGRAM, type Program } from '../program';
import { NoQuery } from '../shapes/shared.dto';
import { dutyCalendar, type ShownDuty } from './duty-calendar';
import { CalendarQuery, LinkDto } from './duty.dto';
import { dutiesFor } from './duties-for-calendar';
import { readLink, signLink, type Linked } from './signed-links';

const CALENDAR = 'text/calendar';
const DAY_MS = 86_400_000;
const LONGEST_DAYS = 400;

/** Duties in a calendar program, which sends no header: an address that was signed for whoever asked for it. */
@ApiTags('duties')
@Controller('v1')
export class DutyLinksController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Post('duties/links')
  @Writes({
    summary: 'Make an address under which a calendar program finds duties',
    description:
      'It shows what the caller may see, and ends at its instant, or with the API key that made it. Whoever has the address has the calendar; no person is named in it.',
    body: LinkDto,
    query: NoQuery,
    answer: 'DutyLink',
    records: false,
  })
  async link(
    @Asked() { caller, receivedMs }: Request,
    @Body() body: LinkDto,
    @Query() _query: NoQuery,
    @Req() { headers, protocol }: FastifyRequest,
  ): Promise<JsonObject> {
    const { jurisdiction, who } = body;
    const isSeen = caller.jurisdictions === '*' || caller.jurisdictions.includes(jurisdiction);
    if (!isSeen || !this.program.rules.jurisdictions.has(jurisdiction))
      throw new CodedError('not-found', `There is no jurisdiction '${jurisdiction}' here.`);
    const expiresMs = endOf(body.expiresAt, receivedMs);
    const linked = given({ caller, jurisdiction, who, stream: homeStream(body), expiresMs }) as Linked;
    const link = await signLink(this.program.keys, linked);
    const url = `${protocol}://${headers.host ?? 'localhost'}/v1/duties.ics?link=${link}`;
    return { url, link, expiresAt: isoInstant(expiresMs) };
  }

  @Get('duties.ics')
  @Shows(
    {
      summary: 'See duties in a calendar program',
      description:
        'All-day events that keep their UID and count up (SEQUENCE) when they move; what is over is kept as cancelled.',
      query: CalendarQuery,
    },
    CALENDAR,
  )
  async calendar(
    @Query() { link }: CalendarQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { rules, services } = this.program;
    const linked = await this.standing(link);
    await listable(this.program, {});
    const title = rules.jurisdictions.get(linked.jurisdiction)?.title ?? linked.jurisdiction;
    const isSandbox = services.clock.kind === 'virtual';
    void reply.type(`${CALENDAR}; charset=utf-8`).header('cache-control', 'private, max-age=300');
    return dutyCalendar(await this.dutiesOf(linked), { title: `Duties: ${title}`, isSandbox });
  }

  /** A link that is good now. What is wrong with one is said to nobody: whoever guesses learns nothing. */
  private async standing(link: string): Promise<Linked> {
    const { keys, services } = this.program;
    const linked = await readLink(keys, link);
    const row = linked && (await keys.listApiKeys()).find(({ id }) => id === linked.caller.id);
    const isOver = linked && linked.expiresMs <= nowOf(services.clock);
    if (linked && !isOver && (row === undefined || row.revokedAt === null)) return linked;
    throw new HttpProblem('unauthenticated', 'This link is not good, or no longer; ask for a new one.');
  }

  private async dutiesOf({ caller, jurisdiction, who, stream }: Linked): Promise<readonly ShownDuty[]> {
    const { rules, services, views } = this.program;
    const holding = await heldBy(this.program, caller, [jurisdiction]);
    const now = nowOf(services.clock);
    const filter = given({ who, stream, holding });
    const items = await dutiesFor(now, (part, page) =>
      views.duties([jurisdiction], now, { ...filter, ...part }, page),
    );
    return items.map((item) => withClause(rules, item) as unknown as ShownDuty);
  }
}

function endOf(asked: string | undefined, nowMs: number): number {
  const latest = nowMs + LONGEST_DAYS * DAY_MS;
  if (asked === undefined) return latest;
  const parsed = parseInstant(asked);
  const ms = 'ms' in parsed ? parsed.ms : Number.NaN;
  if (ms > nowMs && ms <= latest) return ms;
  const detail = `expiresAt lies not within ${LONGEST_DAYS} days from now.`;
  refuseFaults(
    [{ pointer: '/expiresAt', code: 'not-soon', detail, hint: 'name an earlier one' }],
    'The body',
  );
  return latest;
}

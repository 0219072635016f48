import { evolveLaw, isPermit, newLaw, staleOf, type LawState, type SubjectState } from '@headworks/domain';
import { isoInstant, type JsonObject } from '@headworks/kernel';
import { shownFinding, type Answer, type Explain } from './answers';
import type { Reconciler } from './automations/reconciler';
import { amendCalendar, annulClosedDays, type CalendarDaysBody } from './commands/amend-calendar';
import { decideOnDuty, homeSeen, type OnDuty, type OnDutyBody } from './commands/on-duty';
import { mustSee, type Request, type Services } from './context';
import { mustSeeOf } from './holding';
import { lawStream } from './models';
import { positionOf } from './position';
import { lawAtCut, resolveCut, type Cut, type CutQuery } from './queries/cut';
import { saysOf } from './queries/duties';
import {
  derivationPaper,
  dutyAt,
  homeAt,
  mustBeDuty,
  NO_DUTY,
  shownDerivation,
  shownDue,
  shownDuty,
  shownDutyRow,
  type Home,
} from './queries/duty';
import { shownEvent } from './queries/views';
import type { Outcome } from './stream-runner';

/** What can be asked of a duty, and of the days that duties are counted by. Lists say where a duty is at home. */
export class Duties {
  constructor(
    private readonly services: Services,
    private readonly reconciler: Reconciler,
  ) {}

  async duty(request: Request, at: Home, query: CutQuery, explain: Explain): Promise<JsonObject> {
    const { home, duty } = await this.seen(request, at, query);
    return shownDuty(this.services, home, duty, explain);
  }

  async derivation(request: Request, at: Home, query: CutQuery): Promise<JsonObject> {
    const { home, duty } = await this.seen(request, at, query);
    return shownDerivation(home, duty);
  }

  /** The derivation as Markdown; `asked`: what else the paper says of how it was made. */
  async derivationPaper(
    request: Request,
    at: Home,
    query: CutQuery,
    asked: readonly (readonly [string, string])[],
  ): Promise<string> {
    const { home, duty } = await this.seen(request, at, query);
    return derivationPaper(this.services, home, duty, asked);
  }

  /** The row of a list at a cut, or undefined where there was no such duty then. */
  async rowAt({ stream, id }: Home, cut: Cut): Promise<JsonObject | undefined> {
    const home = await homeAt(this.services, stream, cut);
    const duty = dutyAt(this.services, home, id);
    return duty && shownDutyRow(home, duty);
  }

  /** What stands of the duty and would not by the calendars of the cut. */
  async staleAt({ stream, id }: Home, cut: Cut): Promise<JsonObject | undefined> {
    if (lawAtCut(this.services, cut).calendarsChangedBy === undefined) return undefined;
    const { state, nowMs } = await homeAt(this.services, stream, cut);
    const [stale] = staleOf(state, lawAtCut(this.services, cut), nowMs, new Set([id]));
    if (!stale) return undefined;
    const { missed, duty, why, finding, consequences, cause } = stale;
    const { data } = missed;
    return {
      duty: id,
      stream,
      jurisdiction: state.jurisdiction ?? null,
      pack: data.pack,
      clause: data.clause,
      ...saysOf(duty?.clause),
      ...{ outcome: data.outcome, event: missed.event, consequences, why, cause },
      due: { date: data.due['date'] ?? null, at: data.due['at'] ?? null },
      dueNow: shownDue(duty?.clock),
      finding: finding ? shownFinding(finding, 'brief') : null,
    };
  }

  async decide(request: Request, at: Home, what: OnDuty, body: OnDutyBody): Promise<Answer> {
    const outcome = await decideOnDuty(this.services, request, at, what, body);
    const answer = await this.answer(request, outcome);
    if (request.dryRun) return answer;
    const home = await homeAt(this.services, at.stream, {});
    const duty = dutyAt(this.services, home, at.id);
    return { ...answer, body: { ...answer.body, id: at.id, duty: duty ? shownDutyRow(home, duty) : null } };
  }

  /** Closes days of a calendar, and moves what is open by them. */
  async amendCalendar(
    request: Request,
    of: { readonly jurisdiction: string; readonly calendar: string },
    body: CalendarDaysBody,
  ): Promise<Answer> {
    const outcome = await amendCalendar(this.services, request, of, body);
    const answer = await this.answer(request, outcome);
    return { ...answer, body: { ...of, ...answer.body } };
  }

  /** Takes back what one event closed, and moves what is open back. */
  async annulClosedDays(
    request: Request,
    of: { readonly jurisdiction: string; readonly event: string },
    body: { readonly reason: string; readonly evidence: string },
  ): Promise<Answer> {
    const answer = await this.answer(request, await annulClosedDays(this.services, request, of, body));
    return { ...answer, body: { jurisdiction: of.jurisdiction, annuls: of.event, ...answer.body } };
  }

  /** Days that officers closed, as they stood at the cut. */
  async closedDays(request: Request, jurisdiction: string, query: CutQuery): Promise<readonly JsonObject[]> {
    const { rules, store } = this.services;
    const known = rules.jurisdictions.has(jurisdiction) ? jurisdiction : undefined;
    mustSee(request.caller, known, `There is no jurisdiction '${jurisdiction}' here.`);
    const { asOfMs, upTo } = await resolveCut(this.services, query);
    // From the log: what this process decided itself has no position in the state that it keeps.
    const { changes } = (await store.readStream(lawStream(jurisdiction))).reduce(evolveLaw, newLaw(''));
    const seen = changes.filter(
      ({ ms, position }) =>
        (asOfMs === undefined || ms <= asOfMs) && (upTo === undefined || (upTo !== null && position <= upTo)),
    );
    return seen.flatMap(({ event, ms, amended }) => {
      const back = seen.find(({ annulled }) => annulled?.annuls === event);
      const { reason = '', evidence = '' } = back?.annulled ?? {};
      return (amended?.days ?? []).map((day) => ({
        ...{ calendar: amended?.calendar ?? '', ...day, event, since: isoInstant(ms) },
        ...{ reason: amended?.reason ?? '', evidence: amended?.evidence ?? '' },
        takenBack: back ? { event: back.event, at: isoInstant(back.ms), reason, evidence } : null,
      }));
    });
  }

  private async seen(request: Request, at: Home, query: CutQuery) {
    await homeSeen(this.services, request, at);
    const home = await homeAt(this.services, at.stream, await resolveCut(this.services, query));
    const duty = mustBeDuty(this.services, home, at.id);
    // A permit's are its holder's to see, and whoever holds it was asked for above.
    if (!isPermit(home.state)) mustSeeOf(request.caller, [home.state.registered, duty.responsible], NO_DUTY);
    return { home, duty };
  }

  private async answer(
    request: Request,
    outcome: Outcome<LawState> | Outcome<SubjectState>,
  ): Promise<Answer> {
    const { events, ignored } = outcome;
    if (request.dryRun) {
      const shown = events.map((event) => shownEvent(event));
      const body = { dryRun: true, events: shown, ...(ignored !== undefined && { ignored }) };
      return { kind: 'preview', body };
    }
    const followed = await this.reconciler.follow(events);
    return {
      kind: events.length > 0 ? 'recorded' : 'standing',
      body: {
        events: events.map(({ stream, revision, type }) => ({ event: `${stream}@${revision}`, type })),
        followed: followed.map(({ stream, revision, type }) => ({ event: `${stream}@${revision}`, type })),
        ...(await positionOf(this.services, outcome)),
      },
    };
  }
}

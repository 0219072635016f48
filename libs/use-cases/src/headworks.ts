import type { LoadState, SubjectState } from '@headworks/domain';
import { unsealEvent } from '@headworks/event-store';
import {
  CodedError,
  subjectId,
  type JsonObject,
  type JsonValue,
  type RecordedEvent,
} from '@headworks/kernel';
import { shownFinding, shownViolation, violationsOfLoad, type Answer, type Explain } from './answers';
import { Reconciler } from './automations/reconciler';
import { correctLoad, loadSeen, type CorrectionBody } from './commands/correct-load';
import { doAct, type ActBody } from './commands/do-act';
import { subjectSeen } from './commands/on-subject';
import { recordFacts, type FactsBody } from './commands/record-facts';
import { recordLoad, type LoadBody } from './commands/record-load';
import { registerSubject, type RegisterBody } from './commands/register-subject';
import { settleSubject } from './commands/settle';
import { supersedeSubject, type SupersedeBody } from './commands/supersede-subject';
import { mustSee, type Request, type Services } from './context';
import { Permits } from './permits';
import { idOf, loads, loadStream, subjects, subjectStream, violations, violationStream } from './models';
import { positionOf } from './position';
import { check, type CheckAnswer, type CheckBody } from './queries/check';
import { foldAt, resolveCut, settledAt, type CutQuery } from './queries/cut';
import { historyOf, type HistoryQuery } from './queries/history';
import { shownActs, shownEvent, shownLedger, shownLoad, shownSubject } from './queries/views';
import type { Folded, Outcome } from './stream-runner';

/** Roles that see whose waste a load was and who signed for it. */
const mayOpen: readonly string[] = ['admin', 'board', 'clerk', 'holder', 'officer'];

/**
 * Everything that can be asked of Headworks about one thing at a time, for every door to it (HTTP, CLI, tests).
 * Lists come from the read models. Each write settles, decides, appends, and does all that follows before it answers.
 */
export class Headworks {
  readonly reconciler: Reconciler;
  /** Applications and permits. */
  readonly permits: Permits;

  constructor(readonly services: Services) {
    this.reconciler = new Reconciler(services);
    this.permits = new Permits(services, this.reconciler);
  }

  /** Sends Settle to a thing's stream, and does what follows. */
  async settle(stream: string): Promise<void> {
    await this.reconciler.follow(await settleSubject(this.services, stream));
  }

  check(request: Request, body: CheckBody, explain: Explain): Promise<CheckAnswer> {
    return check(this.services, request, body, explain);
  }

  async recordLoad(request: Request, body: LoadBody): Promise<Answer> {
    const { id, outcome } = await recordLoad(this.services, request, body);
    if (request.dryRun) return this.preview(outcome, { id, findings: findingsOf(outcome.state) });
    await this.reconciler.follow(await this.toFollow(outcome));
    return {
      kind: outcome.events.length > 0 ? 'recorded' : 'standing',
      body: await this.loadAnswer(id, outcome),
    };
  }

  async correctLoad(request: Request, id: string, body: CorrectionBody): Promise<Answer> {
    const outcome = await correctLoad(this.services, request, id, body);
    if (request.dryRun) return this.preview(outcome, { id, findings: findingsOf(outcome.state) });
    await this.reconciler.follow(await this.toFollow(outcome));
    return { kind: 'recorded', body: await this.loadAnswer(id, outcome) };
  }

  async registerSubject(request: Request, kind: string, body: RegisterBody): Promise<Answer> {
    const { id, outcome } = await registerSubject(this.services, request, kind, body);
    return this.subjectAnswer(request, id, outcome);
  }

  async recordFacts(request: Request, kind: string, id: string, body: FactsBody): Promise<Answer> {
    return this.subjectAnswer(request, id, await recordFacts(this.services, request, kind, id, body));
  }

  async supersedeSubject(request: Request, kind: string, id: string, body: SupersedeBody): Promise<Answer> {
    return this.subjectAnswer(request, id, await supersedeSubject(this.services, request, kind, id, body));
  }

  async doAct(
    request: Request,
    target: { kind: string; id: string; act: string },
    body: ActBody,
  ): Promise<Answer> {
    const outcome = await doAct(this.services, request, target, body);
    const answer = await this.subjectAnswer(request, target.id, outcome);
    const asked = outcome.events.findLast(({ data }) => data['act'] === target.act);
    const shown = asked ? { ...answer.body, ...actAnswer(asked) } : answer.body;
    return asked?.type === 'ActRefused' && answer.kind !== 'preview'
      ? { kind: 'refused', body: shown }
      : { ...answer, body: shown };
  }

  async subject(request: Request, kind: string, id: string, query: CutQuery): Promise<JsonObject> {
    const { thing, asOfMs } = await this.thingAt(request, kind, id, query);
    return shownSubject(thing, asOfMs);
  }

  async acts(request: Request, kind: string, id: string): Promise<readonly JsonObject[]> {
    const { thing } = await subjectSeen(this.services, request, kind, id);
    return shownActs(this.services, thing, kind, request.caller);
  }

  async ledger(
    request: Request,
    target: { kind: string; id: string; limit: string },
    query: CutQuery & { on?: string },
  ): Promise<JsonObject> {
    const { thing, asOfMs } = await this.thingAt(request, target.kind, target.id, query);
    return shownLedger(this.services, thing, target, query.on, asOfMs);
  }

  async load(request: Request, id: string, query: CutQuery, explain: Explain): Promise<JsonObject> {
    await loadSeen(this.services, request, id);
    const { asOfMs, ...known } = await resolveCut(this.services, query);
    const load = await foldAt(this.services, loads, loadStream(id), known);
    // All that is said of a load is about its own instant, and a correction may move that: it had happened, or not.
    if (asOfMs !== undefined && (load.current?.occurredMs ?? 0) > asOfMs)
      throw new CodedError('not-found', 'There was no such load then.');
    return { ...shownLoad(load, explain), ...(await this.opened(request, loadStream(id))) };
  }

  /** The load's personal fields, opened for those whose work needs them; for others they stay sealed. */
  private async opened(request: Request, stream: string): Promise<JsonObject> {
    const { store, keys } = this.services;
    const [first] = await store.readStream(stream, { limit: 1 });
    if (!first || !request.caller.roles.some((role) => mayOpen.includes(role))) return {};
    const { sources = [], signedBy = null } = (await unsealEvent(first, keys)).data;
    return { sources, signedBy };
  }

  async violation(request: Request, id: string, query: CutQuery, explain: Explain): Promise<JsonObject> {
    const now = await this.services.runner.read(violations, violationStream(id));
    mustSee(request.caller, now.jurisdiction, 'There is no such violation here.');
    const cut = await resolveCut(this.services, query);
    const state = await foldAt(this.services, violations, violationStream(id), cut);
    const shown = shownViolation(state, cut.asOfMs ?? this.services.clock.now(), explain);
    if (!shown) throw new CodedError('not-found', 'There was no such violation then.');
    return shown;
  }

  /** Every event of a thing's stream, oldest first. */
  async subjectHistory(request: Request, kind: string, id: string, query: HistoryQuery): Promise<JsonObject> {
    await subjectSeen(this.services, request, kind, id);
    return this.history(subjectStream(id), query);
  }

  async loadHistory(request: Request, id: string, query: HistoryQuery): Promise<JsonObject> {
    await loadSeen(this.services, request, id);
    return this.history(loadStream(id), query);
  }

  async violationHistory(request: Request, id: string, query: HistoryQuery): Promise<JsonObject> {
    const state = await this.services.runner.read(violations, violationStream(id));
    mustSee(request.caller, state.jurisdiction, 'There is no such violation here.');
    return this.history(violationStream(id), query);
  }

  private history(stream: string, query: HistoryQuery): Promise<JsonObject> {
    return historyOf(this.services, stream, query);
  }

  private async thingAt(request: Request, kind: string, id: string, query: CutQuery) {
    const { jurisdiction } = await subjectSeen(this.services, request, kind, id);
    const cut = await resolveCut(this.services, query);
    const thing = await foldAt(this.services, subjects, subjectStream(id), cut);
    const asOfMs = cut.asOfMs ?? this.services.clock.now();
    // Before anything was known of it, it stood under the same law.
    return { thing: settledAt(this.services, { ...thing, jurisdiction }, asOfMs), asOfMs };
  }

  private async loadAnswer(id: string, outcome: Outcome<LoadState>): Promise<JsonObject> {
    const load = await this.services.runner.read(loads, loadStream(id));
    const { kind = '', key = '' } = load.current?.subject ?? {};
    const stream = subjectStream(subjectId(load.jurisdiction ?? '', kind, key));
    const thing = await this.services.runner.read(subjects, stream);
    const posting = thing.postings.find(
      ({ data, broughtFrom }) => data.load === id && broughtFrom === undefined,
    );
    return {
      id,
      postings: (posting?.data.limits ?? []).map((limit) => ({ to: posting?.event ?? '', limit })),
      findings: load.findings.map((finding) => shownFinding(finding)),
      violations: await violationsOfLoad(this.services, load, thing),
      ...(await this.position(outcome)),
    };
  }

  private async subjectAnswer(request: Request, id: string, outcome: Outcome<SubjectState>): Promise<Answer> {
    if (request.dryRun) return this.preview(outcome, { id });
    const { events } = outcome;
    const followed = await this.reconciler.follow(events);
    const touched = followed
      .filter(({ stream }) => stream.startsWith('violation-'))
      .map(({ stream }) => idOf(stream));
    const body = {
      id,
      events: events.map((event) => ({ event: `${event.stream}@${event.revision}`, type: event.type })),
      violations: [...new Set(touched)],
      ...(await this.position(outcome)),
    };
    return { kind: events.length > 0 ? 'recorded' : 'standing', body };
  }

  /** A replay or a repeated ticket may have died before its consequences: they are finished before it is answered. */
  private async toFollow({ events, replayed, state }: Outcome<LoadState>): Promise<readonly RecordedEvent[]> {
    if (events.length > 0 && !replayed) return events;
    const all = await this.services.store.readStream(state.stream);
    return all.filter((event) => !this.reconciler.isFinished(event));
  }

  private preview(outcome: Outcome<LoadState> | Outcome<SubjectState>, more: JsonObject): Answer {
    const events = outcome.events.map((event) => shownEvent(event)) as readonly JsonValue[];
    return {
      kind: 'preview',
      body: {
        dryRun: true,
        ...more,
        events,
        ...(outcome.ignored !== undefined && { ignored: outcome.ignored }),
      },
    };
  }

  private position(outcome: Outcome<Folded>): Promise<{ position?: string }> {
    return positionOf(this.services, outcome);
  }
}

const findingsOf = (load: LoadState): readonly JsonObject[] =>
  load.findings.map((finding) => shownFinding(finding));

function actAnswer(asked: RecordedEvent): JsonObject {
  const shown = shownEvent(asked)['data'] as JsonObject;
  return { event: `${asked.stream}@${asked.revision}`, type: asked.type, findings: shown['findings'] ?? [] };
}

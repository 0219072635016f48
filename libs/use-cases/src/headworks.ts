import type { LoadState, SubjectState, ViolationState } from '@headworks/domain';
import { CodedError, type JsonObject, type JsonValue, type RecordedEvent } from '@headworks/kernel';
import { shownFinding, shownViolation, violationsOfLoad, type Answer, type Explain } from './answers';
import { Reconciler } from './automations/reconciler';
import { correctLoad, loadSeen, type CorrectionBody } from './commands/correct-load';
import { doAct, type ActBody } from './commands/do-act';
import { subjectRead } from './commands/on-subject';
import { recordFacts, type FactsBody } from './commands/record-facts';
import { recordLoad, type LoadBody } from './commands/record-load';
import { registerSubject, type RegisterBody } from './commands/register-subject';
import { settleSubject } from './commands/settle';
import { supersedeSubject, type SupersedeBody } from './commands/supersede-subject';
import { mustSee, type Caller, type Request, type Services } from './context';
import { Duties } from './duties';
import { mustSeeOf } from './holding';
import { countedOn } from './judge-recorded';
import { Manifests } from './manifests';
import { idOf, loads, loadStream, subjects, subjectStream, violations, violationStream } from './models';
import { Permits } from './permits';
import { positionOf } from './position';
import { check, type CheckAnswer, type CheckBody } from './queries/check';
import { shownConsequences } from './queries/consequences';
import { foldAt, resolveCut, settledAt, type CutQuery } from './queries/cut';
import { historyOf, type HistoryQuery } from './queries/history';
import { openedFields } from './queries/opened';
import { shownLedger } from './queries/ledger';
import { shownActs, shownEvent, shownLoad, shownSubject } from './queries/views';
import { rehearse } from './rehearsal';
import type { Folded, Outcome } from './stream-runner';

/**
 * Everything that can be asked of Headworks about one thing at a time, for every door to it (HTTP, CLI, tests).
 * Lists come from the read models. Each write settles, decides, appends, and does all that follows before it answers.
 */
export class Headworks {
  readonly reconciler: Reconciler;
  /** Applications and permits. */
  readonly permits: Permits;
  /** What is asked before a load is discharged. */
  readonly manifests: Manifests;
  /** Single duties, and the days that they are counted by. */
  readonly duties: Duties;

  constructor(readonly services: Services) {
    this.reconciler = new Reconciler(services);
    this.permits = new Permits(services, this.reconciler);
    this.manifests = new Manifests(services, this.reconciler);
    this.duties = new Duties(services, this.reconciler);
  }

  /** Sends Settle to a thing's stream (as of an instant, or of now), and does what follows; returns what it recorded. */
  async settle(stream: string, untilMs?: number): Promise<readonly RecordedEvent[]> {
    const events = await settleSubject(this.services, stream, untilMs);
    return [...events, ...(await this.reconciler.follow(events))];
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
    if (request.dryRun) return this.previewCorrection(request, id, body);
    const outcome = await correctLoad(this.services, request, id, body);
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
    const { thing } = await subjectRead(this.services, request, kind, id);
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
    return {
      ...shownLoad(load, explain),
      ...(await openedFields(this.services, request, loadStream(id), 'LoadDischarged')),
    };
  }

  async violation(request: Request, id: string, query: CutQuery, explain: Explain): Promise<JsonObject> {
    const now = await this.services.runner.read(violations, violationStream(id));
    mustSeeViolation(request.caller, now);
    const cut = await resolveCut(this.services, query);
    const state = await foldAt(this.services, violations, violationStream(id), cut);
    const shown = shownViolation(state, cut.asOfMs ?? this.services.clock.now(), explain);
    if (!shown) throw new CodedError('not-found', 'There was no such violation then.');
    return shown;
  }

  /** Every event of a thing's stream, oldest first. */
  async subjectHistory(request: Request, kind: string, id: string, query: HistoryQuery): Promise<JsonObject> {
    await subjectRead(this.services, request, kind, id);
    return this.history(subjectStream(id), query);
  }

  async loadHistory(request: Request, id: string, query: HistoryQuery): Promise<JsonObject> {
    await loadSeen(this.services, request, id);
    return this.history(loadStream(id), query);
  }

  async violationHistory(request: Request, id: string, query: HistoryQuery): Promise<JsonObject> {
    const state = await this.services.runner.read(violations, violationStream(id));
    mustSeeViolation(request.caller, state);
    return this.history(violationStream(id), query);
  }

  private history(stream: string, query: HistoryQuery): Promise<JsonObject> {
    return historyOf(this.services, stream, query);
  }

  private async thingAt(request: Request, kind: string, id: string, query: CutQuery) {
    const { jurisdiction } = await subjectRead(this.services, request, kind, id);
    const cut = await resolveCut(this.services, query);
    const thing = await foldAt(this.services, subjects, subjectStream(id), cut);
    const asOfMs = cut.asOfMs ?? this.services.clock.now();
    // Before anything was known of it, it stood under the same law.
    return { thing: settledAt(this.services, { ...thing, jurisdiction }, asOfMs, cut), asOfMs };
  }

  private async loadAnswer(id: string, outcome: Outcome<LoadState>): Promise<JsonObject> {
    const load = await this.services.runner.read(loads, loadStream(id));
    const counted = await countedOn(this.services, load);
    const postings = counted.flatMap((state) => {
      const posting = state.postings.find(
        ({ data, broughtFrom }) => data.load === id && broughtFrom === undefined,
      );
      return (posting?.data.limits ?? []).map((limit) => ({ to: posting?.event ?? '', limit }));
    });
    return {
      id,
      postings,
      findings: load.findings.map((finding) => shownFinding(finding)),
      violations: await violationsOfLoad(this.services, load, counted),
      ...(await this.position(outcome)),
    };
  }

  /** All that a correction would bring about, in every stream: shown by the code that would do it. */
  private async previewCorrection(request: Request, id: string, body: CorrectionBody): Promise<Answer> {
    const { result, events } = await rehearse(this.services, request, (services, asking) =>
      new Headworks(services).correctLoad(asking, id, body),
    );
    const { position: _position, ...after } = result.body;
    const shown = events.map((event) => shownEvent(event)) as readonly JsonValue[];
    const consequences = shownConsequences(events);
    return { kind: 'preview', body: { dryRun: true, ...after, consequences, events: shown } };
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

function mustSeeViolation(caller: Caller, { jurisdiction, detected }: ViolationState): void {
  const otherwise = 'There is no such violation here.';
  mustSee(caller, jurisdiction, otherwise);
  mustSeeOf(caller, [detected?.data.responsible, detected?.data.subject], otherwise);
}

const findingsOf = (load: LoadState): readonly JsonObject[] =>
  load.findings.map((finding) => shownFinding(finding));

function actAnswer(asked: RecordedEvent): JsonObject {
  const shown = shownEvent(asked)['data'] as JsonObject;
  return { event: `${asked.stream}@${asked.revision}`, type: asked.type, findings: shown['findings'] ?? [] };
}

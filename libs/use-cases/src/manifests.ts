import { occurredMs } from '@headworks/calendars';
import {
  endedByName,
  findingOf,
  type AcceptanceWithdrawn,
  type LoadState,
  type SubjectState,
} from '@headworks/domain';
import { address, CodedError, type JsonObject, type JsonValue, type RecordedEvent } from '@headworks/kernel';
import { ownPermit, readAsked, type Asked } from './answer-manifest';
import type { Answer, Explain } from './answers';
import { Reconciler } from './automations/reconciler';
import {
  decideOnManifest,
  type ManifestDecision,
  type ManifestDecisionBody,
} from './commands/manifests/decide-on-manifest';
import { submitManifest, type ManifestBody } from './commands/manifests/submit-manifest';
import { mustSee, type Request, type Services } from './context';
import { mustSeeOf } from './holding';
import { thingStream } from './load-world';
import { loads, loadStream, permits, subjects } from './models';
import { positionOf } from './position';
import { foldAt, resolveCut, type Cut, type CutQuery } from './queries/cut';
import { historyOf, type HistoryQuery } from './queries/history';
import {
  isEndedAtThing,
  manifestStatus,
  shownManifest,
  type EndedAtThing,
  type SeenManifest,
} from './queries/manifests';
import { openedFields } from './queries/opened';
import { shownEvent } from './queries/views';
import { rehearse } from './rehearsal';
import type { Outcome } from './stream-runner';

const NO_MANIFEST = 'There is no such manifest here.';

/** All that can be asked of manifests, one at a time, for every door to them. */
export class Manifests {
  constructor(
    private readonly services: Services,
    private readonly reconciler: Reconciler,
  ) {}

  /** Asks before a load is discharged: accepted, pending or refused before this answers. */
  async submit(request: Request, body: ManifestBody): Promise<Answer> {
    if (request.dryRun) {
      return this.preview(request, (manifests, asking) => manifests.submit(asking, body));
    }
    const { id, outcome } = await submitManifest(this.services, request, body);
    await this.reconciler.follow(await this.toFollow(outcome));
    const shown = await this.shown(request, id, {}, 'full');
    const kind = outcome.events.length > 0 ? 'recorded' : 'standing';
    return this.answer(shown, kind, outcome);
  }

  /** A clerk accepts or refuses what waits; its hauler takes it back. */
  async decide(
    request: Request,
    id: string,
    decision: ManifestDecision,
    body: ManifestDecisionBody,
  ): Promise<Answer> {
    if (request.dryRun) {
      return this.preview(request, (manifests, asking) => manifests.decide(asking, id, decision, body));
    }
    const asked = await this.answered(request, id);
    const events = await decideOnManifest(this.services, request, asked, decision, body);
    await this.reconciler.follow(events.filter((event) => !this.reconciler.isFinished(event)));
    const shown = await this.shown(request, id, {}, 'full');
    // What is withdrawn or refused as it was asked is done; an acceptance that came out otherwise was refused.
    const { kind, body: answered } = await this.answer(shown, 'recorded', { replayed: false, events });
    return { kind: decision === 'acceptance' ? kind : 'recorded', body: answered };
  }

  async manifest(request: Request, id: string, query: CutQuery, explain: Explain): Promise<JsonObject> {
    await this.seen(request, id);
    return (await this.shown(request, id, await resolveCut(this.services, query), explain)).body;
  }

  /** Every event of its own stream, its load's among them; what was decided stands in the permit's. */
  async history(request: Request, id: string, query: HistoryQuery): Promise<JsonObject> {
    await this.seen(request, id);
    return historyOf(this.services, loadStream(id), query);
  }

  private async seen(request: Pick<Request, 'caller'>, id: string): Promise<Asked> {
    const load = await this.services.runner.read(loads, loadStream(id));
    mustSee(request.caller, load.manifest && load.jurisdiction, NO_MANIFEST);
    mustSeeOf(request.caller, [load.manifest?.hauler], NO_MANIFEST);
    const asked = await readAsked(this.services, id);
    if (!asked) throw new CodedError('not-found', NO_MANIFEST);
    return asked;
  }

  /** One whose process died before it was answered is answered first. */
  private async answered(request: Request, id: string): Promise<Asked> {
    const asked = await this.seen(request, id);
    const events = await this.services.store.readStream(loadStream(id));
    await this.reconciler.follow(events.filter((event) => !this.reconciler.isFinished(event)));
    return asked;
  }

  private async shown(request: Request, id: string, cut: Cut, explain: Explain) {
    const load = await foldAt(this.services, loads, loadStream(id), cut);
    const asked = await readAsked(this.services, id);
    if (!load.manifest || !asked) throw new CodedError('not-found', 'There was no such manifest then.');
    const stream = thingStream(asked.pack.jurisdiction, asked.manifest.subject);
    const own = await ownPermit(this.services, asked);
    const seen: SeenManifest = {
      load,
      thing: await foldAt(this.services, subjects, stream, cut),
      ...(own && { permit: await foldAt(this.services, permits, own.stream, cut) }),
    };
    const ms = cut.asOfMs ?? this.services.clock.now();
    const opened = await openedFields(this.services, request, loadStream(id), 'ManifestSubmitted');
    const ended = isEndedAtThing(seen, ms) ? await this.endedAt(seen.thing, id) : undefined;
    const body = shownManifest({ ...seen, ...(ended && { ended }) }, { ms, explain, opened });
    return { status: manifestStatus(seen, ms), body };
  }

  /** Between the thing's append and the permit's, whoever asks is told why from the first of them. */
  private async endedAt(
    { stream, revision }: SubjectState,
    manifest: string,
  ): Promise<EndedAtThing | undefined> {
    const events = await this.services.store.readStream(stream, { limit: revision + 1 });
    const about = ({ data, type }: RecordedEvent): boolean =>
      (type === 'AcceptanceWithdrawn' && data['manifest'] === manifest) ||
      endedByName(data).includes(manifest);
    const event = events.findLast(about);
    if (!event) return undefined;
    const { findings } = event.data as AcceptanceWithdrawn;
    const isIts = event.data['manifest'] === manifest;
    return {
      event: address(event),
      ms: occurredMs(event.metadata.occurred),
      findings: isIts ? findings.map(findingOf) : [],
    };
  }

  private async answer(
    { status, body }: Awaited<ReturnType<Manifests['shown']>>,
    kind: Answer['kind'],
    outcome: Pick<Outcome<LoadState>, 'replayed' | 'events'>,
  ): Promise<Answer> {
    const isNo = status === 'refused' || status === 'withdrawn';
    const at = await positionOf(this.services, outcome);
    return { kind: isNo ? 'refused' : kind, body: { ...body, ...at } };
  }

  /** A replay may have died before its consequences: they are finished before it is answered. */
  private async toFollow({ events, replayed, state }: Outcome<LoadState>): Promise<readonly RecordedEvent[]> {
    if (events.length > 0 && !replayed) return events;
    const all = await this.services.store.readStream(state.stream);
    return all.filter((event) => !this.reconciler.isFinished(event));
  }

  /** The answer that would be given, and every event that would be written for it. */
  private async preview(
    request: Request,
    ask: (manifests: Manifests, request: Request) => Promise<Answer>,
  ): Promise<Answer> {
    const { result, events } = await rehearse(this.services, request, (services, asking) =>
      ask(new Manifests(services, new Reconciler(services)), asking),
    );
    const { position: _position, ...body } = result.body;
    const shown = events.map((event) => shownEvent(event)) as readonly JsonValue[];
    return { kind: 'preview', body: { dryRun: true, ...body, events: shown } };
  }
}

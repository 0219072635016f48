import {
  findingOf,
  holderOf,
  isLive,
  PERMIT,
  phaseAt,
  phaseNameAt,
  type PermitDecision,
  type PermitState,
  type StoredFinding,
  type SubjectState,
} from '@headworks/domain';
import type { JsonObject } from '@headworks/kernel';
import { shownFinding, type Answer, type Explain } from './answers';
import type { Reconciler } from './automations/reconciler';
import { actOnPermit, recordPermitFacts } from './commands/permits/act-on-permit';
import { decideOnPermit, type DecisionBody } from './commands/permits/decide-on-permit';
import {
  fileApplication,
  renewPermit,
  type ApplicationBody,
  type RenewalBody,
} from './commands/permits/file-application';
import { holderState, permitSeen } from './commands/permits/on-permit';
import type { ActBody } from './commands/do-act';
import type { FactsBody } from './commands/record-facts';
import type { Request, Services } from './context';
import { idOf, permits, permitStream } from './models';
import { positionOf } from './position';
import { foldAt, resolveCut, settledPermitAt, type CutQuery } from './queries/cut';
import { historyOf, type HistoryQuery } from './queries/history';
import { shownPermitActs } from './queries/permit-acts';
import { shownPermit } from './queries/permits';
import { shownLedger } from './queries/ledger';
import { shownEvent } from './queries/views';
import type { Outcome } from './stream-runner';

/** All that can be asked of applications and permits, one at a time, for every door to them. */
export class Permits {
  constructor(
    private readonly services: Services,
    private readonly reconciler: Reconciler,
  ) {}

  /** Always put on file, with what is found; the answer of a repeated request is rebuilt from the log. */
  async fileApplication(request: Request, body: ApplicationBody): Promise<Answer> {
    const { id, outcome } = await fileApplication(this.services, request, body);
    return this.answer(request, id, outcome);
  }

  /** Files an application that would follow the permit. */
  async renew(request: Request, id: string, body: RenewalBody): Promise<Answer> {
    const filed = await renewPermit(this.services, request, id, body);
    return this.answer(request, filed.id, filed.outcome);
  }

  /** An approval that could not issue says what stands against the issue. */
  async decide(request: Request, id: string, decision: PermitDecision, body: DecisionBody): Promise<Answer> {
    const outcome = await decideOnPermit(this.services, request, id, decision, body);
    const answer = await this.answer(request, id, outcome);
    const isIssued = outcome.events.some(({ type }) => type === 'PermitIssued');
    if (decision !== 'approval' || isIssued || request.dryRun) return answer;
    const issuance = (await this.acts(request, id)).find((one) => one['decision'] === 'issuance');
    return issuance ? { ...answer, body: { ...answer.body, issuance } } : answer;
  }

  /** A refused act is recorded, and answered as refused: a decision that is refused is not. */
  async doAct(request: Request, id: string, act: string, body: ActBody): Promise<Answer> {
    const outcome = await actOnPermit(this.services, request, id, act, body);
    const answer = await this.answer(request, id, outcome);
    const asked = outcome.events.findLast(({ data }) => data['act'] === act);
    if (!asked) return answer;
    const shown = { ...answer.body, event: `${asked.stream}@${asked.revision}`, type: asked.type };
    return asked.type === 'ActRefused' && answer.kind !== 'preview'
      ? { kind: 'refused', body: shown }
      : { ...answer, body: shown };
  }

  /** Facts, corrections of them, and the annulment of a decision that was recorded in error. */
  async recordFacts(request: Request, id: string, body: FactsBody): Promise<Answer> {
    return this.answer(request, id, await recordPermitFacts(this.services, request, id, body));
  }

  /** As it stood at `asOf`, of what was known at `knownAt`; what the law has ended by then is shown ended. */
  async permit(request: Request, id: string, query: CutQuery, explain: Explain): Promise<JsonObject> {
    const { permit, holder, asOfMs } = await this.permitAt(request, id, query);
    return shownPermit(this.services, permit, holder, { ms: asOfMs, explain });
  }

  /** Every decision and act: may, may not, by whom, and what blocks it. */
  async acts(request: Request, id: string): Promise<readonly JsonObject[]> {
    const { permit, holder } = await this.permitAt(request, id, {});
    return shownPermitActs(this.services, permit, holder, request.caller);
  }

  async history(request: Request, id: string, query: HistoryQuery): Promise<JsonObject> {
    await permitSeen(this.services, request, id);
    return historyOf(this.services, permitStream(id), query);
  }

  /** What counts under the permit in a window, what manifests hold of it, and what is left of the plan. */
  async ledger(
    request: Request,
    { id, limit }: { readonly id: string; readonly limit: string },
    query: CutQuery & { on?: string },
  ): Promise<JsonObject> {
    const { permit, asOfMs } = await this.permitAt(request, id, query);
    return shownLedger(this.services, permit, { kind: PERMIT, limit }, query.on, asOfMs);
  }

  private async permitAt(
    request: Request,
    id: string,
    query: CutQuery,
  ): Promise<{ readonly permit: PermitState; readonly holder?: SubjectState; readonly asOfMs: number }> {
    const { jurisdiction } = await permitSeen(this.services, request, id);
    const cut = await resolveCut(this.services, query);
    const folded = await foldAt(this.services, permits, permitStream(id), cut);
    const asOfMs = cut.asOfMs ?? this.services.clock.now();
    const permit = settledPermitAt(this.services, { ...folded, jurisdiction }, asOfMs, cut);
    const who = holderOf(permit.file);
    return who
      ? { permit, holder: await holderState(this.services, jurisdiction, who), asOfMs }
      : { permit, asOfMs };
  }

  /** What was written, what follows from it, and how the permit stands after both. */
  private async answer(request: Request, id: string, outcome: Outcome<PermitState>): Promise<Answer> {
    const findings = findingsIn(outcome);
    if (request.dryRun) {
      const events = outcome.events.map((event) => shownEvent(event));
      const { ignored } = outcome;
      const body = { dryRun: true, id, events, findings, ...(ignored !== undefined && { ignored }) };
      return { kind: 'preview', body: { ...body, ...standing(outcome.state, request.receivedMs) } };
    }
    // The number of a permit is drawn by what follows from its issue: it stands in this answer already.
    const followed = await this.reconciler.follow(outcome.events);
    const permit = await this.services.runner.read(permits, permitStream(id));
    const touched = followed.filter(({ stream }) => stream.startsWith('violation-'));
    return {
      kind: outcome.events.length > 0 ? 'recorded' : 'standing',
      body: {
        id,
        ...standing(permit, request.receivedMs),
        events: outcome.events.map((event) => ({
          event: `${event.stream}@${event.revision}`,
          type: event.type,
        })),
        findings,
        violations: [...new Set(touched.map(({ stream }) => idOf(stream)))],
        ...(await positionOf(this.services, outcome)),
      },
    };
  }
}

function standing({ file }: PermitState, ms: number): JsonObject {
  const phase = phaseAt(file, ms);
  const issued = 'issued' in phase ? phase.issued : undefined;
  return {
    status: phaseNameAt(file, ms),
    live: isLive(file, ms),
    number: file.number?.number ?? null,
    valid: issued?.valid ?? null,
  };
}

/** Findings of what was decided; an approval that issues too has those of both. */
function findingsIn({ events }: Outcome<PermitState>): readonly JsonObject[] {
  return events.flatMap(({ data }) => {
    const { findings } = data;
    return Array.isArray(findings)
      ? (findings as readonly StoredFinding[]).map((finding) => shownFinding(findingOf(finding)))
      : [];
  });
}

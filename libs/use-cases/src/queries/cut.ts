import { occurredMs } from '@headworks/calendars';
import {
  settledPermit,
  settledSubject,
  type PermitState,
  type SubjectContext,
  type SubjectState,
} from '@headworks/domain';
import { CodedError, isoInstant, parseInstant, type Fault, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../context';
import type { Cut, LawInForce } from '../law-book';
import type { Folded, Model } from '../stream-runner';

export type { Cut };

/** What to look at: what had occurred by `asOf`, of what was known at `knownAt`. Neither: everything, now. */
export interface CutQuery {
  readonly asOf?: string;
  readonly knownAt?: string;
}

/** Resolves `knownAt` once a request, to a position at which every stream is then read. */
export async function resolveCut(services: Services, query: CutQuery): Promise<Cut> {
  const faults: Fault[] = [];
  const instant = (name: 'asOf' | 'knownAt'): number | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const parsed = parseInstant(text);
    if ('ms' in parsed) return parsed.ms;
    faults.push({ code: 'no-instant', detail: `${name}: ${parsed.why}` });
    return undefined;
  };
  const [asOfMs, knownMs] = [instant('asOf'), instant('knownAt')];
  if (faults.length > 0)
    throw new CodedError('invalid-request', 'The instant to look at is no instant.', faults);
  return {
    ...(asOfMs !== undefined && { asOfMs }),
    ...(knownMs !== undefined && {
      upTo: (await services.store.cutAt(new Date(knownMs).toISOString())) ?? null,
    }),
  };
}

/** The stream's events at the cut, in arrival order: what had occurred, of what was known. */
export async function eventsAt(
  services: Services,
  stream: string,
  cut: Cut,
): Promise<readonly RecordedEvent[]> {
  if (cut.upTo === null) return [];
  const events = await services.store.readStream(stream, cut.upTo === undefined ? {} : { upTo: cut.upTo });
  const { asOfMs } = cut;
  return asOfMs === undefined
    ? events
    : events.filter((event) => occurredMs(event.metadata.occurred) <= asOfMs);
}

export async function foldAt<S extends Folded>(
  services: Services,
  model: Model<S>,
  stream: string,
  cut: Cut,
): Promise<S> {
  if (cut.asOfMs === undefined && cut.upTo === undefined) return services.runner.read(model, stream);
  return (await eventsAt(services, stream, cut)).reduce(model.evolve, model.initial(stream));
}

/** What is due by the instant is settled in memory: no read shows as pending what the law has ended. */
export const settledAt = (
  services: Services,
  thing: SubjectState,
  nowMs: number,
  cut: Cut = {},
): SubjectState => settledSubject(thing, readingAt(services, nowMs, cut));

/** As `settledAt`, with the end of its days. */
export const settledPermitAt = (
  services: Services,
  permit: PermitState,
  nowMs: number,
  cut: Cut = {},
): PermitState => settledPermit(permit, readingAt(services, nowMs, cut));

/** The rules with the days that had been closed by then, of those that were known. */
export const lawAtCut = ({ book, rules }: Services, cut: Cut): LawInForce => book?.at(cut) ?? rules;

/** What a decider needs where nothing is decided: who reads leaves no trace. */
export function readingAt(services: Services, nowMs: number, cut: Cut = {}): SubjectContext {
  const at = isoInstant(nowMs);
  const envelope = {
    occurred: { at },
    recordedAt: at,
    actor: { id: 'headworks', roles: [] },
    correlationId: '',
    commandId: '',
  };
  return { law: lawAtCut(services, cut), nowMs, envelope };
}

import { occurredMs } from '@headworks/calendars';
import { address, type Finding, type QuantityJson, type RecordedEvent } from '@headworks/kernel';
import {
  findingOf,
  type Facts,
  type LoadCorrected,
  type LoadDischarged,
  type LoadJudged,
  type Papers,
  type Source,
  type ThingRef,
} from '../events';
import { sameThing } from '../same-thing';
import { evolveAsked, type AskedManifest } from '../manifest/asked';

/** A load as it stands now: what was recorded, with every correction in it. */
export interface LoadContent {
  readonly pack: string;
  readonly load: string;
  readonly subject: ThingRef;
  readonly hauler: ThingRef;
  readonly vehicle?: ThingRef;
  readonly ticket: string;
  readonly occurredMs: number;
  readonly finishedMs?: number;
  readonly quantity: QuantityJson;
  readonly facts: Facts;
  readonly sources: readonly Source[];
  readonly content: string;
  readonly permitId?: string;
  /** As the load said it; its manifest's stream is its own where there is one. */
  readonly manifestId?: string;
  readonly papers?: Papers;
  readonly distinct?: { readonly reason: string };
}

/** A clause that the load was once found to violate, on the thing it stood on then: its violation may need an end. */
export interface OnceViolated {
  readonly clause: string;
  readonly subject: ThingRef;
}

export interface LoadState {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly jurisdiction?: string;
  /** What was asked before it, in the same stream. */
  readonly manifest?: AskedManifest;
  readonly current?: LoadContent;
  /** Recorded in error as a whole: it counts nowhere. */
  readonly voided: boolean;
  /** Revision and address of the event that last changed the content: what a posting refers to. */
  readonly contentRevision: number;
  readonly contentEvent: string;
  readonly recordedAt: string;
  readonly findings: readonly Finding[];
  readonly onceViolated: readonly OnceViolated[];
  /** Things it has stood on, the present one last: a posting may have to leave the others. */
  readonly subjects: readonly ThingRef[];
  /** Permits it was recorded under, likewise. */
  readonly permits: readonly string[];
  readonly commands: ReadonlyMap<string, number>;
}

export const newLoad = (stream: string): LoadState => ({
  stream,
  revision: -1,
  lastRecordedAt: '',
  voided: false,
  contentRevision: -1,
  contentEvent: '',
  recordedAt: '',
  findings: [],
  onceViolated: [],
  subjects: [],
  permits: [],
  commands: new Map(),
});

export function evolveLoad(state: LoadState, event: RecordedEvent): LoadState {
  const { metadata } = event;
  const next: LoadState = {
    ...state,
    revision: event.revision,
    lastRecordedAt: metadata.recordedAt > state.lastRecordedAt ? metadata.recordedAt : state.lastRecordedAt,
    commands: new Map(state.commands).set(metadata.commandId, event.revision),
    ...(metadata.jurisdiction === undefined ? {} : { jurisdiction: metadata.jurisdiction }),
  };
  switch (event.type) {
    case 'LoadDischarged':
      return judged(discharged(next, event), (event.data as LoadDischarged).findings.map(findingOf));
    case 'LoadCorrected':
      return corrected(next, event);
    case 'LoadJudged':
      return judged(next, (event.data as LoadJudged).findings.map(findingOf));
    case 'ManifestSubmitted':
    case 'ManifestRefused': {
      const manifest = evolveAsked(next.manifest, event);
      return manifest ? { ...next, manifest } : next;
    }
    default:
      return next;
  }
}

function discharged(state: LoadState, event: RecordedEvent): LoadState {
  const data = event.data as LoadDischarged;
  const { pack, load, subject, hauler, vehicle, ticket, quantity, facts, sources, content, distinct } = data;
  const current: LoadContent = {
    pack,
    load,
    subject,
    hauler,
    ticket,
    occurredMs: occurredMs(event.metadata.occurred),
    quantity,
    facts,
    sources,
    content,
    ...(vehicle && { vehicle }),
    ...(data.finishedAt !== undefined && { finishedMs: Date.parse(data.finishedAt) }),
    ...(distinct && { distinct }),
    ...(data.permitId !== undefined && { permitId: data.permitId }),
    ...(data.manifestId !== undefined && { manifestId: data.manifestId }),
    ...(data.papers && { papers: data.papers }),
  };
  return {
    ...state,
    current,
    contentRevision: event.revision,
    contentEvent: address(event),
    recordedAt: event.metadata.recordedAt,
    subjects: [subject],
    permits: data.permitId === undefined ? [] : [data.permitId],
  };
}

function corrected(state: LoadState, event: RecordedEvent): LoadState {
  const { set, void: voided } = event.data as LoadCorrected;
  if (!state.current) return state;
  const { occurredAt, finishedAt, facts, subject, quantity, permitId } = set;
  const current: LoadContent = {
    ...state.current,
    ...(quantity && { quantity }),
    ...(subject && { subject }),
    ...(permitId !== undefined && { permitId }),
    ...(facts && { facts: { ...state.current.facts, ...facts } }),
    ...(occurredAt !== undefined && { occurredMs: Date.parse(occurredAt) }),
    ...(finishedAt !== undefined && { finishedMs: Date.parse(finishedAt) }),
  };
  const next: LoadState = {
    ...state,
    current,
    voided: state.voided || voided === true,
    contentRevision: event.revision,
    contentEvent: address(event),
    subjects: subject ? [...state.subjects.filter((s) => !sameThing(s, subject)), subject] : state.subjects,
    permits:
      permitId === undefined ? state.permits : [...state.permits.filter((one) => one !== permitId), permitId],
  };
  // Judged again it may be found as it was: what it violates, it then violates where it now stands.
  return subject ? judged(next, next.findings) : next;
}

function judged(state: LoadState, findings: readonly Finding[]): LoadState {
  const subject = state.current?.subject;
  if (!subject) return { ...state, findings };
  const added = findings
    .filter(({ status }) => status === 'violated')
    .filter(
      ({ clause }) => !state.onceViolated.some((o) => o.clause === clause && sameThing(o.subject, subject)),
    )
    .map(({ clause }) => ({ clause, subject }));
  return { ...state, findings, onceViolated: [...state.onceViolated, ...added] };
}

import type { JsonObject, RecordedEvent } from '@headworks/kernel';
import { address, PersistentMap } from '@headworks/kernel';
import { annulOfDuties, evolveDuties, noDuties, type DutiesState } from '../duties/state';
import { isAct } from '../event-types';
import type {
  ActDone,
  BroughtForward,
  FactsCorrected,
  FactsRecorded,
  LimitExceeded,
  LimitExceededWithdrawn,
  LoadPosted,
  PostingReversed,
  RecordedInError,
  SubjectRegistered,
  SubjectSuperseded,
} from '../events';
import { annulFacts, correctFacts, noFacts, recordFacts, type FactTimeline } from '../facts';
import { compareKeys, insertSorted, legalKey, type LegalKey } from '../legal-order';
import { evolveReservations, noReservations, type Reservations } from '../manifest/reservations';
import { addPosting, originOf, removePosting, type Posting, type Postings } from '../postings';

export interface Registration {
  readonly kind: string;
  readonly key: string;
  readonly name?: string;
  readonly geometry?: JsonObject;
  readonly event: string;
}

/** An act that was done on the thing, in legal order: who did it decides what same_as asks. */
export interface DoneAct {
  readonly act: string;
  readonly pack: string;
  readonly key: LegalKey;
  readonly event: string;
  readonly person?: string;
  readonly hauler?: string;
  readonly data: ActDone;
}

/** The predecessor's head, and each posting by its first event and the load's revision. */
export interface Carried {
  readonly revision: number;
  readonly postings: readonly string[];
}

export interface Exceeded {
  readonly event: string;
  /** The load's own instant: what is said of it later is dated there too. */
  readonly ms: number;
  readonly data: LimitExceeded;
}

/**
 * A thing the law looks at. There is no stored status: it is its facts with their intervals, the postings of loads on
 * it, the acts done on it, and what was decided from them.
 */
export interface SubjectState extends DutiesState {
  readonly stream: string;
  /** -1: no event yet. */
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly jurisdiction?: string;
  readonly registered?: Registration;
  readonly facts: FactTimeline;
  readonly acts: readonly DoneAct[];
  readonly postings: Postings;
  /** What manifests hold here until their loads come. */
  readonly reservations: Reservations;
  /** LimitExceeded that stand, by limit, clause and load. */
  readonly exceeded: PersistentMap<string, Exceeded>;
  readonly superseded?: { readonly data: SubjectSuperseded; readonly event: string };
  /** What was carried over last, by predecessor's stream. */
  readonly broughtForward: ReadonlyMap<string, Carried>;
  readonly annulled: ReadonlySet<string>;
  /** Commands already answered in this stream -> revision of their last event. */
  readonly commands: PersistentMap<string, number>;
}

export const newSubject = (stream: string): SubjectState => ({
  stream,
  revision: -1,
  lastRecordedAt: '',
  facts: noFacts,
  acts: [],
  postings: [],
  reservations: noReservations,
  exceeded: PersistentMap.empty(),
  ...noDuties,
  broughtForward: new Map(),
  annulled: new Set(),
  commands: PersistentMap.empty(),
});

export const exceededKey = (limit: string, clause: string, load: string): string =>
  `${limit}|${clause}|${load}`;

export function evolveSubject(state: SubjectState, event: RecordedEvent): SubjectState {
  const { metadata } = event;
  const next: SubjectState = {
    ...state,
    revision: event.revision,
    lastRecordedAt: metadata.recordedAt > state.lastRecordedAt ? metadata.recordedAt : state.lastRecordedAt,
    commands: state.commands.set(metadata.commandId, event.revision),
    reservations: evolveReservations(state.reservations, event),
    ...(metadata.jurisdiction === undefined ? {} : { jurisdiction: metadata.jurisdiction }),
  };
  return evolveDuties(isAct(event.type) ? evolveAct(next, event) : evolveFixed(next, event), event);
}

function evolveFixed(state: SubjectState, event: RecordedEvent): SubjectState {
  const at = { key: legalKey(event), event: address(event) };
  switch (event.type) {
    case 'SubjectRegistered': {
      const { facts, until, kind, key, name, geometry } = event.data as SubjectRegistered;
      const registered: Registration = {
        kind,
        key,
        event: at.event,
        ...(name === undefined ? {} : { name }),
        ...(geometry === undefined ? {} : { geometry }),
      };
      return {
        ...state,
        registered,
        facts: recordFacts(state.facts, { facts, ...(until && { until }), ...at }),
      };
    }
    case 'FactsRecorded': {
      const { facts, until } = event.data as FactsRecorded;
      return { ...state, facts: recordFacts(state.facts, { facts, ...(until && { until }), ...at }) };
    }
    case 'FactsCorrected': {
      const { corrects, facts } = event.data as FactsCorrected;
      return { ...state, facts: correctFacts(state.facts, corrects, facts, at.event) };
    }
    case 'RecordedInError':
      return annul(state, (event.data as RecordedInError).annuls);
    case 'LoadPosted':
      return { ...state, postings: post(state.postings, { data: postedData(event), ...at }) };
    case 'PostingReversed':
      return { ...state, postings: removePosting(state.postings, (event.data as PostingReversed).posting) };
    case 'LimitExceeded': {
      const data = event.data as LimitExceeded;
      const key = exceededKey(data.limit, data.clause, data.load);
      return { ...state, exceeded: state.exceeded.set(key, { event: at.event, ms: at.key.ms, data }) };
    }
    case 'LimitExceededWithdrawn': {
      const { limit, clause, load } = event.data as LimitExceededWithdrawn;
      return { ...state, exceeded: state.exceeded.delete(exceededKey(limit, clause, load)) };
    }
    case 'SubjectSuperseded':
      return { ...state, superseded: { data: event.data as SubjectSuperseded, event: at.event } };
    case 'BroughtForward':
      return bringForward(state, event.data as BroughtForward, at.event);
    default:
      // ActRefused and what other versions add: part of the history, nothing the thing is.
      return state;
  }
}

function evolveAct(state: SubjectState, event: RecordedEvent): SubjectState {
  const data = event.data as ActDone;
  const key = legalKey(event);
  const { by } = event.metadata;
  const done: DoneAct = {
    act: data.act,
    pack: data.pack,
    key,
    event: address(event),
    data,
    ...(by?.person === undefined ? {} : { person: by.person }),
  };
  const acts = insertSorted(state.acts, done, (a, b) => compareKeys(a.key, b.key));
  const { facts, until } = data;
  return {
    ...state,
    acts,
    facts: recordFacts(state.facts, { facts, ...(until && { until }), key, event: done.event }),
  };
}

/** What was recorded in error never held: its facts, its posting, its act, what it said of a duty. */
function annul(state: SubjectState, event: string): SubjectState {
  return {
    ...annulOfDuties(state, event),
    facts: annulFacts(state.facts, event),
    postings: removePosting(state.postings, event),
    acts: state.acts.filter((act) => act.event !== event),
    annulled: new Set(state.annulled).add(event),
  };
}

/** A posting made here counts in place of one that was brought from elsewhere: a load counts once. */
const post = (postings: Postings, posting: Posting): Postings =>
  addPosting(
    postings.filter(({ broughtFrom, data }) => broughtFrom === undefined || data.load !== posting.data.load),
    posting,
  );

/** What the event says of the load; what it says besides (duties, what is left to judge) is no part of the posting. */
function postedData(event: RecordedEvent): LoadPosted {
  const { duties: _duties, unjudged: _unjudged, ...data } = event.data;
  return data as LoadPosted;
}

/** Parcels that were split and merged again bring the same load by two ways: the first to bring it counts. */
function bringForward(state: SubjectState, data: BroughtForward, event: string): SubjectState {
  const kept = state.postings.filter((posting) => posting.broughtFrom !== data.from);
  const loads = new Set(kept.map((posting) => posting.data.load));
  const postings = data.postings.reduce<Postings>((all, posting, index) => {
    if (loads.has(posting.load)) return all;
    return addPosting(all, {
      data: posting,
      key: { ms: Date.parse(posting.occurredAt), recordedAt: '', revision: index },
      event: `${event}#${posting.posting}`,
      broughtFrom: data.from,
    });
  }, kept);
  const carried: Carried = {
    revision: data.fromRevision,
    postings: data.postings.map(({ posting, loadRevision }) => `${originOf(posting)} ${loadRevision}`),
  };
  return { ...state, postings, broughtForward: new Map(state.broughtForward).set(data.from, carried) };
}

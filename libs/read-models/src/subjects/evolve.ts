import {
  annulFacts,
  correctFacts,
  isAct,
  legalKey,
  recordFacts,
  type ActDone,
  type BroughtForward,
  type FactsCorrected,
  type FactsRecorded,
  type FactTimeline,
  type LoadCorrected,
  type LoadDischarged,
  type RecordedInError,
  type SubjectRegistered,
  type SubjectSuperseded,
  type ThingRef,
} from '@headworks/domain';
import { address, isoInstant, type RecordedEvent } from '@headworks/kernel';
import { idOfStream, keyColumn, streamOfThing } from '../thing';
import { flag, type View } from '../view';
import { subjectsTable, type SubjectCounts, type SubjectDoc, type SubjectRow } from './table';

/** Things the law looks at, registered or only known from the loads recorded on them. */
export const subjectsView: View<SubjectRow> = {
  ...subjectsTable,
  partsOf(event) {
    if (event.stream.startsWith('subject-')) return [event.stream];
    const named = thingNamedBy(event);
    return named ? [streamOfThing(event.metadata.jurisdiction ?? '', named)] : [];
  },
  evolve([row], event, part) {
    const before = row ?? newRow(part);
    const named = thingNamedBy(event);
    if (named) return [nameBy(before, event, named)];
    return [rowOf(before, event, counted(changed(before.doc, event), event))];
  },
};

const newRow = (stream: string): SubjectRow => ({
  id: idOfStream(stream),
  part: stream,
  jurisdiction: '',
  kind: '',
  key: '',
  name: null,
  registered: 0,
  superseded: 0,
  revision: -1,
  doc: {
    kind: '',
    key: '',
    timeline: {},
    acts: [],
    counts: { events: 0, postings: 0, refusals: 0, exceeded: 0 },
    brought: {},
  },
});

/** A load is recorded on a thing whether it is registered or not: it alone says what that thing is called. */
function thingNamedBy(event: RecordedEvent): ThingRef | undefined {
  if (event.type === 'LoadDischarged') return (event.data as LoadDischarged).subject;
  if (event.type === 'LoadCorrected') return (event.data as LoadCorrected).set.subject;
  return undefined;
}

/** Loads may spell a key in several ways. The smallest stands, so that it does not matter which came first. */
function nameBy(row: SubjectRow, event: RecordedEvent, { kind, key }: ThingRef): SubjectRow {
  const { doc } = row;
  if (doc.registeredBy !== undefined || (doc.key !== '' && doc.key <= key)) return row;
  return {
    ...row,
    jurisdiction: event.metadata.jurisdiction ?? row.jurisdiction,
    kind,
    key: keyColumn(key),
    doc: { ...doc, kind, key },
  };
}

function rowOf(row: SubjectRow, event: RecordedEvent, doc: SubjectDoc): SubjectRow {
  return {
    ...row,
    jurisdiction: event.metadata.jurisdiction ?? row.jurisdiction,
    kind: doc.kind,
    key: keyColumn(doc.key),
    name: doc.name ?? null,
    registered: flag(doc.registeredBy !== undefined),
    superseded: flag(doc.superseded !== undefined),
    revision: event.revision,
    doc,
  };
}

function counted(doc: SubjectDoc, event: RecordedEvent): SubjectDoc {
  const { recordedAt } = event.metadata;
  return {
    ...doc,
    counts: { ...doc.counts, events: doc.counts.events + 1 },
    lastActivity: { type: event.type, event: address(event), recordedAt },
  };
}

function changed(doc: SubjectDoc, event: RecordedEvent): SubjectDoc {
  if (isAct(event.type)) return acted(doc, event);
  switch (event.type) {
    case 'SubjectRegistered': {
      const { kind, key, name, geometry } = event.data as SubjectRegistered;
      const { name: _name, geometry: _geometry, ...rest } = recorded(doc, event);
      return {
        ...rest,
        kind,
        key,
        ...(name !== undefined && { name }),
        ...(geometry && { geometry }),
        registeredBy: address(event),
      };
    }
    case 'FactsRecorded':
      return recorded(doc, event);
    case 'FactsCorrected': {
      const { corrects, facts } = event.data as FactsCorrected;
      return withTimeline(doc, correctFacts(timelineOf(doc), corrects, facts, address(event)));
    }
    case 'RecordedInError': {
      const { annuls } = event.data as RecordedInError;
      const acts = doc.acts.filter((act) => act.event !== annuls);
      return withTimeline({ ...doc, acts }, annulFacts(timelineOf(doc), annuls));
    }
    case 'LoadPosted':
    case 'PostingReversed': {
      // Where the load stands that it is only judged by (a hauler, a place), it counts nowhere.
      const isCounted = event.data['as'] === undefined;
      return isCounted ? count(doc, { postings: event.type === 'LoadPosted' ? 1 : -1 }) : doc;
    }
    case 'BroughtForward':
      return broughtForward(doc, event.data as BroughtForward);
    case 'LimitExceeded':
      return count(doc, { exceeded: 1 });
    case 'LimitExceededWithdrawn':
      return count(doc, { exceeded: -1 });
    case 'ActRefused':
      return count(doc, { refusals: 1 });
    case 'SubjectSuperseded': {
      const { on, successors } = event.data as SubjectSuperseded;
      return { ...doc, superseded: { on, successors } };
    }
    default:
      // Duties have a view of their own; what later versions add shows as activity.
      return doc;
  }
}

function count(doc: SubjectDoc, more: Partial<SubjectCounts>): SubjectDoc {
  const { events, postings, refusals, exceeded } = doc.counts;
  return {
    ...doc,
    counts: {
      events,
      postings: postings + (more.postings ?? 0),
      refusals: refusals + (more.refusals ?? 0),
      exceeded: exceeded + (more.exceeded ?? 0),
    },
  };
}

function acted(doc: SubjectDoc, event: RecordedEvent): SubjectDoc {
  const { act, pack } = event.data as ActDone;
  const done = { act, pack, at: isoInstant(legalKey(event).ms), event: address(event) };
  return { ...recorded(doc, event), acts: [...doc.acts, done] };
}

function broughtForward(doc: SubjectDoc, { from, postings }: BroughtForward): SubjectDoc {
  const before = Object.hasOwn(doc.brought, from) ? (doc.brought[from] ?? 0) : 0;
  const next = count(doc, { postings: postings.length - before });
  return { ...next, brought: { ...doc.brought, [from]: postings.length } };
}

/** Facts that any event records: registrations, recordings and acts have them in one shape. */
function recorded(doc: SubjectDoc, event: RecordedEvent): SubjectDoc {
  const { facts, until } = event.data as FactsRecorded;
  const recording = { facts, ...(until && { until }), key: legalKey(event), event: address(event) };
  return withTimeline(doc, recordFacts(timelineOf(doc), recording));
}

export const timelineOf = (doc: SubjectDoc): FactTimeline => ({
  rows: new Map(Object.entries(doc.timeline)),
});

const withTimeline = (doc: SubjectDoc, timeline: FactTimeline): SubjectDoc => ({
  ...doc,
  timeline: Object.fromEntries(timeline.rows),
});

import { headOf, type OpenStore } from '@headworks/event-store';
import {
  eventId,
  nameId,
  subjectId,
  type ActedBy,
  type Actor,
  type JsonObject,
  type LateReason,
  type NewEvent,
  type Occurred,
  type RecordedEvent,
} from '@headworks/kernel';
import { evolveInto } from '../running/apply';
import type { View, ViewRow } from '../view';

export const TOWN = 'xx-north-town';
export const CITY = 'xx-south-city';
export const ZONES = new Map([
  [TOWN, 'America/Chicago'],
  [CITY, 'America/New_York'],
]);
export const PACK = 'north-law';
export const HAULER = { kind: 'hauler', key: 'h-1' };

/** A thing of the made-up law, and the stream it has. */
export const field = (key: string) => ({ kind: 'field', key });
export const streamOf = (key: string, jurisdiction = TOWN): string =>
  `subject-${subjectId(jurisdiction, 'field', key)}`;
export const loadId = (name: string): string => nameId('test-load', name);

/** An event as a test says it: what, in which stream, and when it happened. */
export interface Told {
  readonly stream: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly occurred: Occurred;
  readonly jurisdiction: string;
  readonly actor?: Actor;
  readonly by?: ActedBy;
  readonly late?: LateReason;
}

export function told(
  stream: string,
  type: string,
  data: JsonObject,
  at = '2027-07-03T20:00:00.000Z',
  jurisdiction = TOWN,
): Told {
  return { stream, type, data, occurred: { at }, jurisdiction };
}

/** A duty as an event opens it. */
export const opening = (duty: string, dueAt: string | null, more: object = {}) => ({
  duty,
  pack: PACK,
  version: '1',
  clause: 'C',
  binds: 'person',
  who: 'spreader',
  outcome: 'violation',
  startedBy: 'x@0',
  dueAt,
  ...more,
});

/** The same, recorded late. */
export const lately = (event: Told, late: LateReason): Told => ({ ...event, late });

/** As the log would hold them: numbered in their streams, recorded a second apart in the order told. */
export function recorded(events: readonly Told[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return events.map((event, index) => {
    const { stream } = event;
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const position = String(index + 1).padStart(16, '0');
    return { ...newEvent(event, revision), stream, revision, position, hash: '0'.repeat(64) };
  });
}

/** The time of recording follows from the place in the stream, so that it is the same however streams interleave. */
function newEvent(event: Told, revision: number): NewEvent {
  const { stream, type, data, occurred, jurisdiction, actor, by, late } = event;
  const commandId = nameId('test-command', stream, revision);
  const recordedAt = new Date(Date.UTC(2027, 8, 1) + revision * 1000).toISOString();
  return {
    id: eventId(commandId, stream, 0),
    type,
    data,
    metadata: {
      occurred,
      recordedAt,
      actor: actor ?? { id: 'tester', roles: [] },
      ...(by && { by }),
      jurisdiction,
      ...(late && { late }),
      correlationId: commandId,
      commandId,
      schema: 1,
    },
  };
}

/** Appends them one by one, each behind what its stream has; answers the token of the last. */
export async function append(store: OpenStore, events: readonly Told[]): Promise<string> {
  let token = '';
  for (const event of events) {
    const expected = headOf(await store.readStream(event.stream));
    const revision = expected === 'none' ? 0 : expected.revision + 1;
    const request = { stream: event.stream, expected, events: [newEvent(event, revision)] };
    const verdict = await store.append(request);
    if (!verdict.ok) throw new Error(`${event.stream} has moved; append in turn`);
    token = verdict.position;
  }
  return token;
}

/** The rows that a view makes of events. */
export function fold<Row extends ViewRow>(view: View<Row>, events: readonly Told[]): readonly Row[] {
  return foldRecorded(view, recorded(events));
}

export function foldRecorded<Row extends ViewRow>(
  view: View<Row>,
  events: readonly RecordedEvent[],
): readonly Row[] {
  const rows = new Map<string, readonly ViewRow[]>();
  for (const event of events) {
    evolveInto(view, rows, event);
    // As a database would give them back: a fold that leaned on what JSON can't say would show here.
    for (const [stream, some] of rows) rows.set(stream, JSON.parse(JSON.stringify(some)) as ViewRow[]);
  }
  const all = [...rows.values()].flat() as Row[];
  return all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

export const finding = (clause: string, status: string, reason?: string): JsonObject => ({
  clause,
  status,
  rows: [],
  cite: 'section 1',
  says: 'words',
  operands: [],
  missing: [],
  binds: 'person',
  ...(reason !== undefined && { reason }),
});

export const discharged = (name: string, key: string, more: JsonObject = {}, at?: string): Told =>
  told(
    `load-${loadId(name)}`,
    'LoadDischarged',
    {
      pack: PACK,
      load: 'spread',
      subject: field(key),
      hauler: HAULER,
      ticket: `T-${name}`,
      quantity: { value: '2500', unit: 'gal' },
      sources: [],
      facts: {},
      content: `hash of ${name}`,
      findings: [],
      ...more,
    },
    at,
  );

export const permitId = (name: string): string => nameId('test-permit', name);

/** An event of a permit's stream. */
export const ofPermit = (name: string, type: string, data: JsonObject = {}, at?: string): Told =>
  told(`permit-${permitId(name)}`, type, { findings: [], ...data }, at);

export const filed = (name: string, more: JsonObject = {}, at?: string): Told =>
  ofPermit(
    name,
    'ApplicationFiled',
    { pack: PACK, permitType: 'yearly', applicant: HAULER, facts: {}, ...more },
    at,
  );

export const issued = (name: string, more: JsonObject = {}, at?: string): Told =>
  ofPermit(
    name,
    'PermitIssued',
    {
      ...{ pack: PACK, permitType: 'yearly', holder: HAULER },
      ...{ valid: { from: '2027-01-01', until: '2027-12-31' }, zone: 'America/Chicago', then: 'expired' },
      ...more,
    },
    at,
  );

/** A manifest that asks for the load of the name, under the permit of the name. */
export const submitted = (name: string, permit: string, more: JsonObject = {}, at?: string): Told =>
  told(
    `load-${loadId(name)}`,
    'ManifestSubmitted',
    {
      ...{ pack: PACK, manifest: 'ask', permitId: permitId(permit), subject: field('A'), hauler: HAULER },
      ...{ ticket: `M-${name}`, plannedAt: '2027-07-03T21:00:00.000Z', until: '2027-07-04T05:00:00.000Z' },
      ...{ quantity: { value: '2500', unit: 'gal' }, sources: [], facts: {}, content: 'hash', findings: [] },
      ...more,
    },
    at,
  );

/** What the permit's stream says of the manifest of the name. */
export const said = (name: string, permit: string, type: string, more: JsonObject = {}, at?: string): Told =>
  ofPermit(
    permit,
    type,
    { manifest: loadId(name), until: '2027-07-04T05:00:00.000Z', missing: [], reservations: [], ...more },
    at,
  );

export const posted = (name: string, key: string, more: JsonObject = {}, at?: string): Told =>
  told(
    streamOf(key),
    'LoadPosted',
    {
      pack: PACK,
      load: loadId(name),
      loadRevision: 0,
      loadType: 'spread',
      limits: ['yearly'],
      quantity: { value: '2500', unit: 'gal' },
      hauler: HAULER,
      facts: {},
      rows: { yearly: { amount: { value: '2500', unit: 'gal' } } },
      ...more,
    },
    at,
  );

export const detected = (name: string, key: string, more: JsonObject = {}, at?: string): Told =>
  told(
    `violation-${nameId('test-violation', name)}`,
    'ViolationDetected',
    {
      pack: PACK,
      packVersion: '1',
      clause: 'A',
      cite: 'section 1',
      rows: ['N-1'],
      binds: 'person',
      responsible: HAULER,
      subject: field(key),
      loadId: loadId(name),
      occasion: loadId(name),
      lasting: false,
      zone: 'America/Chicago',
      finding: finding('A', 'violated'),
      ...more,
    },
    at,
  );

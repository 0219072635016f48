import fc from 'fast-check';
import { nameId } from '@headworks/kernel';
import {
  detected,
  discharged,
  field,
  filed,
  finding,
  issued,
  lately,
  loadId,
  ofPermit,
  opening,
  posted,
  said,
  streamOf,
  submitted,
  told,
  type Told,
} from './events.testing';

const KEYS = ['A', 'a', ' a', 'B', 'b'] as const;
const key = fc.constantFrom(...KEYS);
const name = fc.constantFrom('1', '2', '3', '4');
/** Around the turn of a year, so that windows and local days differ. */
const at = fc
  .integer({ min: 0, max: 20 })
  .map((hours) => new Date(Date.UTC(2027, 11, 31, 18) + hours * 1_800_000).toISOString());
const revision = fc.integer({ min: 0, max: 6 });
const status = fc.constantFrom('satisfied', 'violated', 'unknown');

/** What may follow in the stream of a thing. Annulled, reversed and replaced are earlier events of it, or none. */
const ofThing = (stream: string, own: string): fc.Arbitrary<Told> => {
  const duty = fc.constantFrom('1', '2').map((n) => nameId('duty', stream, n));
  const event = (type: string, data: fc.Arbitrary<object>) =>
    fc.tuple(data, at).map(([some, when]) => told(stream, type, { ...some }, when));
  const posting = fc.tuple(name, at).map(([n, when]) => posted(n, own, {}, when));
  const reversal = event(
    'PostingReversed',
    revision.map((r) => ({ posting: `${stream}@${r}` })),
  );
  return fc.oneof(
    // Often, so that windows empty again.
    { weight: 4, arbitrary: posting },
    { weight: 4, arbitrary: reversal },
    event(
      'FactsRecorded',
      status.map((depth) => ({ facts: { depth } })),
    ),
    event(
      'FactsCorrected',
      revision.map((r) => ({ corrects: `${stream}@${r}`, facts: { depth: 'none' } })),
    ),
    event(
      'RecordedInError',
      revision.map((r) => ({ annuls: `${stream}@${r}`, reason: '' })),
    ),
    event('SubjectRegistered', fc.constant({ ...field(own), facts: { slope: 1 } })),
    event('north-law.Seen', fc.constant({ act: 'see', pack: 'north-law', facts: { depth: 'seen' } })),
    event(
      'BroughtForward',
      fc.uniqueArray(name).map((names) => ({
        from: streamOf('old'),
        postings: names.map((n) => ({
          ...posted(n, own).data,
          posting: `old@${n}`,
          occurredAt: '2027-12-31T23:00:00.000Z',
        })),
      })),
    ),
    event(
      'FactsRecorded',
      fc.tuple(duty, at).map(([id, dueAt]) => ({
        facts: {},
        duties: { opened: [opening(id, dueAt)], closed: [] },
      })),
    ),
    event(
      'DutyMissed',
      fc.tuple(duty, at).map(([id, due]) => ({ ...opening(id, due), due: { at: due } })),
    ),
    event(
      'ConsequenceReversed',
      fc.tuple(duty, revision).map(([id, r]) => ({ duty: id, event: `${stream}@${r}`, why: 'met_in_time' })),
    ),
  );
};

const ofLoad = (n: string): fc.Arbitrary<Told> => {
  const stream = `load-${loadId(n)}`;
  return fc.oneof(
    fc
      .tuple(key, at)
      .map(([where, when]) => discharged(n, where, { findings: [finding('A', 'unknown')] }, when)),
    key.map((where) => told(stream, 'LoadCorrected', { reason: '', set: { subject: field(where) } })),
    at.map((occurredAt) => told(stream, 'LoadCorrected', { reason: '', set: { occurredAt } })),
    status.map((s) => told(stream, 'LoadJudged', { findings: [finding('A', s)], cause: 'x@1' })),
    fc.constant(told(stream, 'LoadCorrected', { reason: '', set: {}, void: true })),
    at.map((when) => submitted(n, '1', {}, when)),
    at.map((when) => discharged(n, 'A', { permitId: 'p', manifestId: loadId(n) }, when)),
    fc.constant(
      told(stream, 'ManifestRefused', { manifest: loadId(n), findings: [finding('C', 'violated')] }),
    ),
  );
};

const ofViolation = (n: string): fc.Arbitrary<Told> => {
  const { stream } = detected(n, 'A');
  return fc.oneof(
    fc.tuple(key, at).map(([where, when]) => detected(n, where, { lasting: true }, when)),
    at.map((when) => told(stream, 'ViolationAbated', { cause: 'x@1' }, when)),
    at.map((when) => told(stream, 'ViolationRelapsed', { cause: 'x@1' }, when)),
    at.map((when) => told(stream, 'ViolationWithdrawn', { why: 'moved' }, when)),
    revision.map((r) => told(stream, 'RecordedInError', { annuls: `${stream}@${r}`, reason: '' })),
  );
};

/** What may follow in the stream of a permit: its file, and what it says of the manifests of two loads. */
const ofPermitFile = (own: string): fc.Arbitrary<Told> => {
  const stream = `permit-${ofPermit(own, '').stream.slice('permit-'.length)}`;
  const manifest = fc.constantFrom('1', '2');
  const step = (type: string, data: object = {}) => at.map((when) => ofPermit(own, type, { ...data }, when));
  const saying = (type: string, data: object = {}) =>
    fc.tuple(manifest, at).map(([n, when]) => said(n, own, type, { ...data }, when));
  const ends = fc
    .uniqueArray(manifest)
    .map((names) => names.map((n) => ({ manifest: loadId(n), was: 'accepted' })));
  const ending = (type: string) =>
    fc.tuple(ends, at).map(([ended, when]) => ofPermit(own, type, { ends: ended, grounds: [] }, when));
  return fc.oneof(
    at.map((when) => filed(own, {}, when)),
    step('InformationRequested', { facts: ['depth'], reason: '' }),
    step('InformationReceived', { facts: { depth: '1 in' } }),
    step('ApplicationCompleted'),
    step('ApplicationApproved', { reason: '', sets: {}, waived: [] }),
    step('ApplicationApproved', {
      reason: '',
      sets: {},
      waived: [{ clause: 'A', power: 'P', reason: 'why' }],
    }),
    step('ApplicationDenied', { reason: '', grounds: [], notRenewed: true }),
    { weight: 3, arbitrary: at.map((when) => issued(own, {}, when)) },
    step('PermitNumbered', { permit: '', series: 'north-law/yearly/2027', number: 3 }),
    step('PermitRenewed', { by: 'another' }),
    step('PermitReinstated', { reason: '' }),
    ...['PermitSuspended', 'PermitRevoked', 'PermitExpired', 'PermitVoided'].map(ending),
    revision.map((r) => told(stream, 'RecordedInError', { annuls: `${stream}@${r}`, reason: '' })),
    revision.map((r) =>
      told(stream, 'ConsequenceReversed', { event: `${stream}@${r}`, why: 'decided_before' }),
    ),
    fc.tuple(manifest, at).map(([n, when]) => ({ ...posted(n, 'A', {}, when), stream })),
    saying('ManifestPending', { missing: ['depth'] }),
    { weight: 3, arbitrary: saying('ManifestAccepted') },
    saying('ManifestRefused', { findings: [finding('A', 'violated')] }),
    saying('AcceptanceWithdrawn', { why: 'restricted', ended: 'x@1', findings: [finding('B', 'violated')] }),
  );
};

/** Any of them may be recorded late. */
const inTimeOrLate = (one: fc.Arbitrary<Told>): fc.Arbitrary<Told> =>
  fc
    .tuple(one, fc.boolean())
    .map(([event, late]) => (late ? lately(event, { reason: 'paper', evidence: 'sheet 7' }) : event));

const several = (one: fc.Arbitrary<Told>): fc.Arbitrary<readonly Told[]> =>
  fc.array(inTimeOrLate(one), { maxLength: 12 });

/** Streams of several kinds, each with its events in order. */
export const streams: fc.Arbitrary<readonly (readonly Told[])[]> = fc.tuple(
  several(ofThing(streamOf('A'), 'A')),
  several(ofThing(streamOf('B'), 'b')),
  several(ofLoad('1')),
  several(ofLoad('2')),
  several(ofViolation('1')),
  several(ofPermitFile('1')),
);

/** One order of all events that keeps each stream's own; `picks` say whose turn it is. */
export function interleave(all: readonly (readonly Told[])[], picks: readonly number[]): readonly Told[] {
  const waiting = all.map((events) => [...events]).filter((events) => events.length > 0);
  const order: Told[] = [];
  for (let turn = 0; waiting.length > 0; turn++) {
    const index = (picks[turn % Math.max(1, picks.length)] ?? 0) % waiting.length;
    const event = waiting[index]?.shift();
    if (event) order.push(event);
    if (waiting[index]?.length === 0) waiting.splice(index, 1);
  }
  return order;
}

export const picks = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 40 });

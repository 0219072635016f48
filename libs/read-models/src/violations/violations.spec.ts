import { detected, fold, loadId, streamOf, told, TOWN } from '../testing/events.testing';
import { violationsView } from './evolve';

const only = (...events: Parameters<typeof fold>[1]) => fold(violationsView, events)[0];
const start = '2027-07-04T03:00:00.000Z';
const lasting = detected('1', 'a', { lasting: true, duty: 'd-1' }, start);
const { stream } = lasting;
const abated = (at: string) => told(stream, 'ViolationAbated', { cause: 'x@1' }, at);
const withdrawn = told(stream, 'ViolationWithdrawn', { why: 'met_in_time' }, start);

it('stands in one row from the local day it began', () => {
  expect(only(lasting)).toMatchObject({
    id: stream.slice('violation-'.length),
    jurisdiction: TOWN,
    pack: 'north-law',
    clause: 'A',
    subject_key: 'A',
    subject_id: streamOf('A').slice('subject-'.length),
    responsible_kind: 'hauler',
    responsible_key: 'H-1',
    load_id: loadId('1'),
    duty: 'd-1',
    status: 'open',
    detected_at: start,
    from_date: '2027-07-03',
    recorded_at: '2027-09-01T00:00:00.000Z',
    doc: { turns: [] },
  });
});

it('is abated, relapses, and is open again where the cure was recorded in error', () => {
  const cure = abated('2027-07-06T12:00:00.000Z');
  expect(only(lasting, cure)).toMatchObject({ status: 'abated', doc: { turns: [{ kind: 'abated' }] } });
  const relapsed = told(stream, 'ViolationRelapsed', { cause: 'x@2' }, '2027-07-08T12:00:00.000Z');
  expect(only(lasting, cure, relapsed)).toMatchObject({ status: 'open', doc: { turns: [{}, {}] } });
  const annulled = told(stream, 'RecordedInError', { annuls: `${stream}@1`, reason: 'no cure' });
  expect(only(lasting, cure, annulled)).toMatchObject({ status: 'open', doc: { turns: [] } });
});

it('is withdrawn, and begins afresh where it is detected again', () => {
  expect(only(lasting, withdrawn)).toMatchObject({
    status: 'withdrawn',
    doc: { withdrawn: { why: 'met_in_time', event: `${stream}@1` } },
  });
  const again = detected('1', 'a', { lasting: true }, '2027-07-05T12:00:00.000Z');
  const row = only(lasting, abated('2027-07-06T12:00:00.000Z'), withdrawn, again);
  expect(row).toMatchObject({ status: 'open', from_date: '2027-07-05', duty: null, doc: { turns: [] } });
  expect(row?.doc.withdrawn).toBeUndefined();
});

it('needs a detection', () => {
  expect(fold(violationsView, [withdrawn])).toEqual([]);
});

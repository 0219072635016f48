import { localDate } from '@headworks/kernel';
import { discharged, fold, lately, loadId, streamOf, told } from '../testing/events.testing';
import { lateView } from './evolve';

const stream = streamOf('A');
const AT = '2027-07-03T20:00:00.000Z';
const LATE = { reason: 'was away', evidence: 'book 3' };
const noted = () => told(stream, 'FactsRecorded', { facts: { depth: 'none' } }, AT);

it('has a row of a late event, with who recorded it, why, and on what evidence', () => {
  const by = { body: 'board', person: 'ada', evidence: 'minutes 4' };
  const late = { ...lately(noted(), LATE), by, actor: { id: 'key-1', roles: ['clerk'] } };
  expect(fold(lateView, [noted(), late])).toEqual([
    {
      id: `${stream}@1`,
      part: `${stream}@1`,
      jurisdiction: late.jurisdiction,
      event_type: 'FactsRecorded',
      stream,
      stream_kind: 'subject',
      actor: 'key-1',
      occurred_at: AT,
      recorded_at: '2027-09-01T00:00:01.000Z',
      doc: { ...LATE, roles: ['clerk'], by },
    },
  ]);
});

it('has none of what was recorded in time', () => {
  expect(fold(lateView, [noted(), discharged('1', 'A')])).toEqual([]);
});

it('has one an event, whatever the stream is of', () => {
  const load = `load-${loadId('1')}`;
  const events = [lately(discharged('1', 'A'), LATE), lately(noted(), LATE), lately(noted(), LATE)];
  const rows = fold(lateView, events).map(({ id, stream_kind }) => [id, stream_kind]);
  expect(rows).toEqual([
    [`${load}@0`, 'load'],
    [`${stream}@0`, 'subject'],
    [`${stream}@1`, 'subject'],
  ]);
});

it('puts what is dated by the day at the end of it, as legal order does', () => {
  const day = { date: localDate('2027-07-03'), zone: 'America/Chicago' };
  const [row] = fold(lateView, [{ ...lately(noted(), LATE), occurred: day }]);
  expect(row?.occurred_at).toBe('2027-07-04T04:59:59.999Z');
});

it('keeps the row of an event that is annulled later', () => {
  const annulled = told(stream, 'RecordedInError', { annuls: `${stream}@0`, reason: 'another field' });
  const once = fold(lateView, [lately(noted(), LATE)]);
  expect(once).toHaveLength(1);
  expect(fold(lateView, [lately(noted(), LATE), annulled])).toEqual(once);
});

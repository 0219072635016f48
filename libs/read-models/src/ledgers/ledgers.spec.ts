import {
  CITY,
  field,
  fold,
  loadId,
  PACK,
  posted,
  streamOf,
  told,
  TOWN,
  ZONES,
} from '../testing/events.testing';
import { ViewFault } from '../running/apply';
import { ledgersView } from './evolve';

const view = ledgersView(ZONES);
const stream = streamOf('A');
const shown = (...events: Parameters<typeof fold>[1]) =>
  fold(view, events)
    .map(({ limit_name, window_name, posting_count, doc }) => ({
      limit: limit_name,
      window: window_name,
      count: posting_count,
      loads: doc.postings.map(({ load }) => load),
    }))
    .toSorted((a, b) => (`${a.limit}${a.window}` < `${b.limit}${b.window}` ? -1 : 1));

it('puts a posting into the row of each of its limits, with what the limit gained', () => {
  const event = posted('1', 'A', { limits: ['yearly', 'spring'] });
  expect(fold(view, [event])).toHaveLength(2);
  expect(fold(view, [event]).find((row) => row.limit_name === 'yearly')).toMatchObject({
    stream,
    jurisdiction: TOWN,
    pack: PACK,
    window_name: '2027',
    posting_count: 1,
    doc: {
      postings: [
        {
          posting: `${stream}@0`,
          load: loadId('1'),
          on: '2027-07-03',
          quantity: { value: '2500', unit: 'gal' },
          row: { amount: { value: '2500', unit: 'gal' } },
        },
      ],
    },
  });
});

it('cuts the year by the local date of the jurisdiction', () => {
  const [last, next] = ['2028-01-01T05:59:59.999Z', '2028-01-01T06:00:00.000Z'];
  expect(shown(posted('1', 'A', {}, last), posted('2', 'A', {}, next))).toEqual([
    { limit: 'yearly', window: '2027', count: 1, loads: [loadId('1')] },
    { limit: 'yearly', window: '2028', count: 1, loads: [loadId('2')] },
  ]);
  const elsewhere = { ...posted('1', 'A', {}, last), jurisdiction: CITY };
  expect(shown(elsewhere)).toMatchObject([{ window: '2028' }]);
});

it('keeps postings in legal order', () => {
  const row = shown(
    posted('1', 'A', {}, '2027-07-03T10:00:00.000Z'),
    posted('2', 'A', {}, '2027-07-01T10:00:00.000Z'),
    posted('3', 'A', {}, '2027-07-02T10:00:00.000Z'),
  )[0];
  expect(row?.loads).toEqual(['2', '3', '1'].map(loadId));
});

it('takes out what was reversed or recorded in error, and the row with the last of it', () => {
  const both = [posted('1', 'A'), posted('2', 'A')];
  const reversed = told(stream, 'PostingReversed', {
    posting: `${stream}@0`,
    load: loadId('1'),
    loadRevision: 1,
  });
  const annulled = told(stream, 'RecordedInError', { annuls: `${stream}@1`, reason: '' });
  expect(shown(...both, reversed)).toMatchObject([{ count: 1, loads: [loadId('2')] }]);
  expect(shown(...both, annulled)).toMatchObject([{ count: 1, loads: [loadId('1')] }]);
  expect(shown(...both, reversed, annulled)).toEqual([]);
});

it('replaces what a predecessor brought forward before, and nothing else', () => {
  const old = streamOf('old');
  const brought = (fromRevision: number, ...names: readonly string[]) =>
    told(stream, 'BroughtForward', {
      from: old,
      fromRevision,
      postings: names.map((name) => ({
        ...posted(name, 'old').data,
        posting: `${old}@${name}`,
        occurredAt: '2027-05-01T10:00:00.000Z',
      })),
    });
  expect(shown(posted('9', 'A'), brought(1, '1', '2'), brought(2, '2', '3'))).toMatchObject([
    { count: 3, loads: ['2', '3', '9'].map(loadId) },
  ]);
  expect(shown(posted('9', 'A'), brought(1, '1'), brought(2))).toMatchObject([{ count: 1 }]);
});

it('refuses to guess the day where no zone is known, and takes what asks for none', () => {
  const unknown = { ...posted('1', 'A'), jurisdiction: 'xx-nowhere' };
  expect(() => fold(view, [unknown])).toThrow(ViewFault);
  expect(() => fold(view, [unknown])).toThrow(
    `The view 'ledgers' can't take in ${stream}@0 (no pack of 'xx-nowhere' is loaded that says its zone).`,
  );
  const annulled = {
    ...told('violation-1', 'RecordedInError', { annuls: 'x@1' }),
    jurisdiction: 'xx-nowhere',
  };
  expect(fold(view, [annulled, told(stream, 'SubjectRegistered', { ...field('A'), facts: {} })])).toEqual([]);
});

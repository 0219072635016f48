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
/** Ledgers by limit and window, with their loads. */
const shown = (...events: Parameters<typeof fold>[1]) => {
  const ledgers = new Map<string, readonly string[]>();
  for (const { limit_name, window_name, doc } of fold(view, events)) {
    const name = `${limit_name} ${window_name}`;
    ledgers.set(name, [...(ledgers.get(name) ?? []), doc.load].toSorted());
  }
  return Object.fromEntries(ledgers);
};

it('puts a posting into the row of each of its limits, with what the limit gained', () => {
  const event = posted('1', 'A', { limits: ['yearly', 'spring'] });
  expect(fold(view, [event])).toHaveLength(2);
  expect(fold(view, [event]).find((row) => row.limit_name === 'yearly')).toMatchObject({
    stream,
    jurisdiction: TOWN,
    pack: PACK,
    window_name: '2027',
    doc: {
      posting: `${stream}@0`,
      load: loadId('1'),
      on: '2027-07-03',
      quantity: { value: '2500', unit: 'gal' },
      row: { amount: { value: '2500', unit: 'gal' } },
    },
  });
});

it('cuts the year by the local date of the jurisdiction', () => {
  const [last, next] = ['2028-01-01T05:59:59.999Z', '2028-01-01T06:00:00.000Z'];
  expect(shown(posted('1', 'A', {}, last), posted('2', 'A', {}, next))).toEqual({
    'yearly 2027': [loadId('1')],
    'yearly 2028': [loadId('2')],
  });
  const elsewhere = { ...posted('1', 'A', {}, last), jurisdiction: CITY };
  expect(shown(elsewhere)).toEqual({ 'yearly 2028': [loadId('1')] });
});

it('takes out what was reversed or recorded in error', () => {
  const both = [posted('1', 'A'), posted('2', 'A')];
  const reversed = told(stream, 'PostingReversed', {
    posting: `${stream}@0`,
    load: loadId('1'),
    loadRevision: 1,
  });
  const annulled = told(stream, 'RecordedInError', { annuls: `${stream}@1`, reason: '' });
  expect(shown(...both, reversed)).toEqual({ 'yearly 2027': [loadId('2')] });
  expect(shown(...both, annulled)).toEqual({ 'yearly 2027': [loadId('1')] });
  expect(shown(...both, reversed, annulled)).toEqual({});
  const anothers = told(streamOf('B'), 'RecordedInError', { annuls: `${stream}@0`, reason: '' });
  expect(shown(...both, anothers)).toEqual(shown(...both));
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
  expect(shown(posted('9', 'A'), brought(1, '1', '2'), brought(2, '2', '3'))).toEqual({
    'yearly 2027': ['2', '3', '9'].map(loadId).toSorted(),
  });
  expect(shown(posted('9', 'A'), brought(1, '1'), brought(2))).toEqual({ 'yearly 2027': [loadId('9')] });
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

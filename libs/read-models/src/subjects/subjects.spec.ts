import { discharged, field, fold, posted, streamOf, TOWN, told } from '../testing/events.testing';
import { subjectsView } from './evolve';

const stream = streamOf('A 1');
const registered = told(
  stream,
  'SubjectRegistered',
  { ...field('a 1'), name: 'Back forty', facts: { slope: '4 %' } },
  '2027-06-01T12:00:00.000Z',
);
const facts = (more: object, at: string, until?: object) =>
  told(stream, 'FactsRecorded', { facts: { ...more }, ...(until && { until: { ...until } }) }, at);

const only = (...events: Parameters<typeof fold>[1]) => fold(subjectsView, events)[0];
const values = (row: ReturnType<typeof only>, fact: string) =>
  (row?.doc.timeline[fact] ?? []).map(({ json, saidBy }) => [json, saidBy]);

describe('a registered thing', () => {
  it('stands in one row, under its normalised key', () => {
    expect(only(registered)).toMatchObject({
      id: stream.slice('subject-'.length),
      part: stream,
      jurisdiction: TOWN,
      kind: 'field',
      key: 'A 1',
      name: 'Back forty',
      registered: 1,
      superseded: 0,
      revision: 0,
      doc: { key: 'a 1', registeredBy: `${stream}@0`, counts: { events: 1, postings: 0 } },
    });
  });

  it('keeps its facts in legal order, whatever order they arrived in', () => {
    const row = only(
      registered,
      facts({ slope: '6 %' }, '2027-06-20T12:00:00.000Z'),
      facts({ slope: '5 %' }, '2027-06-10T12:00:00.000Z'),
    );
    expect(values(row, 'slope')).toEqual([
      ['4 %', `${stream}@0`],
      ['5 %', `${stream}@2`],
      ['6 %', `${stream}@1`],
    ]);
  });

  it('shows a correction from the instant that it corrects, and nothing of what was recorded in error', () => {
    const row = only(
      registered,
      facts({ slope: '6 %' }, '2027-06-20T12:00:00.000Z'),
      told(stream, 'FactsCorrected', { corrects: `${stream}@0`, facts: { slope: '3 %' }, reason: 'typo' }),
      told(stream, 'RecordedInError', { annuls: `${stream}@1`, reason: 'other field' }),
    );
    expect(values(row, 'slope')).toEqual([['3 %', `${stream}@2`]]);
    expect(row?.doc.timeline['slope']?.[0]?.key.ms).toBe(Date.parse('2027-06-01T12:00:00.000Z'));
  });

  it('lists the acts that stand, with the facts they recorded', () => {
    const act = told(stream, 'north-law.SlopeSeen', {
      act: 'see',
      pack: 'north-law',
      facts: { slope: '7 %' },
      starts: [],
      ends: [],
      findings: [],
    });
    expect(only(registered, act)?.doc.acts).toEqual([
      { act: 'see', pack: 'north-law', at: '2027-07-03T20:00:00.000Z', event: `${stream}@1` },
    ]);
    const annulled = only(
      registered,
      act,
      told(stream, 'RecordedInError', { annuls: `${stream}@1`, reason: '' }),
    );
    expect(annulled?.doc.acts).toEqual([]);
    expect(values(annulled, 'slope')).toHaveLength(1);
  });

  it('counts what stands: postings, loads over a limit, refusals', () => {
    const over = { pack: 'north-law', limit: 'yearly', clause: 'A', load: 'x', posting: 'y', finding: {} };
    const row = only(
      registered,
      posted('1', 'A 1'),
      posted('2', 'A 1'),
      told(stream, 'LimitExceeded', over),
      told(stream, 'PostingReversed', { posting: `${stream}@1`, load: 'x', loadRevision: 1 }),
      told(stream, 'LimitExceededWithdrawn', { ...over, exceeded: `${stream}@3` }),
      told(stream, 'ActRefused', { act: 'see', pack: 'north-law', facts: {}, findings: [] }),
    );
    expect(row?.doc.counts).toEqual({ events: 7, postings: 1, exceeded: 0, refusals: 1 });
    expect(row?.doc.lastActivity).toMatchObject({ type: 'ActRefused', event: `${stream}@6` });
  });

  it('counts what was brought forward in place of what was before', () => {
    const brought = (count: number, fromRevision: number) =>
      told(stream, 'BroughtForward', {
        from: streamOf('old'),
        fromRevision,
        postings: Array.from({ length: count }, (_, i) => ({ posting: `${streamOf('old')}@${i}` })),
      });
    expect(only(registered, posted('1', 'A 1'), brought(3, 5), brought(2, 6))?.doc.counts.postings).toBe(3);
  });

  it('is superseded by its successors', () => {
    const successors = [{ kind: 'field', key: 'A 2', share: '50 %' }];
    const row = only(
      registered,
      told(stream, 'SubjectSuperseded', { successors, on: '2027-08-01', reason: 'split' }),
    );
    expect(row).toMatchObject({ superseded: 1, doc: { superseded: { on: '2027-08-01', successors } } });
  });
});

describe('a thing that nobody registered', () => {
  it('is called what the loads on it call it, the smallest spelling whichever came first', () => {
    const loads = [discharged('1', 'a  1'), discharged('2', 'A 1'), posted('1', 'A 1')];
    const row = only(...loads);
    expect(row).toMatchObject({ part: stream, kind: 'field', key: 'A 1', registered: 0, revision: 0 });
    expect(row?.doc.key).toBe('A 1');
    expect(only(...loads.toReversed())).toEqual(row);
  });

  it('keeps the name it was registered under', () => {
    expect(only(discharged('1', 'A 1'), registered)).toEqual(only(registered, discharged('1', 'A 1')));
    expect(only(discharged('1', 'A 1'), registered)?.doc.key).toBe('a 1');
  });

  it('is also known by a correction that moved a load there', () => {
    const moved = told('load-1', 'LoadCorrected', { reason: 'wrong field', set: { subject: field('B') } });
    expect(fold(subjectsView, [moved])).toMatchObject([{ part: streamOf('B'), revision: -1 }]);
  });
});

it('holds no sealed value, wherever a pack has one', () => {
  const sealed = { person: 'p', alg: 'A256GCM', iv: 'iv', ct: 'ct' };
  const row = only(
    told(stream, 'SubjectRegistered', { ...field('A 1'), facts: { owner: sealed, slope: 1 } }),
  );
  expect(JSON.stringify(row)).not.toContain('A256GCM');
  expect(Object.keys(row?.doc.timeline ?? {})).toEqual(['slope']);
});

import { fold, HAULER, opening, permitId, streamOf, told, type Told } from '../testing/events.testing';
import { dutiesView } from './evolve';
import { NEVER } from './table';

const stream = streamOf('A');
const DUE = '2027-07-06T20:00:00.000Z';
const opened = (duty = 'd-1', dueAt: string | null = '2027-07-06T15:00:00-05:00', more: object = {}) =>
  opening(duty, dueAt, { dueOn: '2027-07-06', ...more });

/** Any event of a thing may say what it opened and closed. */
const changing = (
  opens: readonly ReturnType<typeof opened>[],
  closes: readonly { duty: string; how: string }[] = [],
): Told => told(stream, 'LoadPosted', { duties: { opened: opens, closed: closes } });
const missed = (duty = 'd-1', more: object = {}) =>
  told(
    stream,
    'DutyMissed',
    {
      duty,
      pack: 'north-law',
      clause: 'C',
      startedBy: `${stream}@0`,
      load: 'x',
      startedAt: '2027-07-03T20:00:00.000Z',
      due: { date: '2027-07-06', at: DUE, elapsedAt: null },
      outcome: 'violation',
      responsible: HAULER,
      binds: 'person',
      who: 'spreader',
      finding: {},
      ...more,
    },
    DUE,
  );
const reversed = (event: string, why: string) =>
  told(stream, 'ConsequenceReversed', { event, duty: 'd-1', why }, DUE);

const only = (...events: readonly Told[]) => fold(dutiesView, events)[0];

it('opens a row at the statutory instant, in UTC', () => {
  expect(only(changing([opened()]))).toMatchObject({
    id: 'd-1',
    stream,
    clause: 'C',
    due_at: DUE,
    status: 'open',
    doc: { openedBy: `${stream}@0` },
  });
});

it('moves the instant where the duty is opened again with another', () => {
  const later = opened('d-1', '2027-07-07T20:00:00.000Z');
  expect(only(changing([opened()]), changing([later]))).toMatchObject({
    due_at: later.dueAt,
    status: 'open',
  });
});

it('counts up when it comes to be due on another day or ends, and not when it is told again', () => {
  const sequence = (...events: readonly Told[]) => only(changing([opened()]), ...events)?.doc.sequence;
  const later = opened('d-1', '2027-07-07T20:00:00.000Z');
  expect(sequence()).toBe(0);
  expect(sequence(changing([opened()]))).toBe(0);
  expect(sequence(changing([later]))).toBe(1);
  expect(sequence(changing([later]), missed())).toBe(2);
  expect(sequence(changing([], [{ duty: 'd-1', how: 'met' }]))).toBe(1);
  expect(only(changing([opened()]))).toMatchObject({ missed: '' });
  expect(only(changing([opened()]), missed())).toMatchObject({ missed: `${stream}@1` });
});

it.each(['met', 'met_late', 'void'])('closes as %s', (how) => {
  expect(only(changing([opened()]), changing([], [{ duty: 'd-1', how }]))).toMatchObject({
    status: how,
    doc: { closedBy: `${stream}@1` },
  });
});

it('closes as missed, with the consequence', () => {
  expect(only(changing([opened()]), missed())).toMatchObject({
    status: 'missed',
    doc: { missed: `${stream}@1`, outcome: 'violation', responsible: HAULER },
  });
});

it('has a row also where a duty was missed before anything opened it', () => {
  expect(only(missed())).toMatchObject({ status: 'missed', due_at: DUE });
});

it.each([
  ['met_in_time', 'met'],
  ['waived', 'waived'],
  ['no_longer_due', 'void'],
])('shows a consequence reversed because %s as %s', (why, how) => {
  expect(only(changing([opened()]), missed(), reversed(`${stream}@1`, why))).toMatchObject({
    status: how,
    doc: { reversedBy: `${stream}@2` },
  });
});

it('leaves what a reversal of another consequence does not concern', () => {
  const events = [changing([opened()]), missed()];
  expect(only(...events, reversed('other@7', 'met_in_time'))).toEqual(only(...events));
});

it('opens again after a reversal, and is missed again', () => {
  const events = [
    changing([opened()]),
    missed(),
    reversed(`${stream}@1`, 'no_longer_due'),
    changing([opened()]),
  ];
  expect(only(...events)).toMatchObject({ status: 'open' });
  expect(only(...events)?.doc.closedBy).toBeUndefined();
  const again = only(...events, missed());
  expect(again).toMatchObject({ status: 'missed', doc: { missed: `${stream}@4` } });
  expect(again?.doc.reversedBy).toBeUndefined();
});

it('takes what an event opens and misses in one', () => {
  const event = missed('d-1', { duties: { opened: [opened('d-2')], closed: [] } });
  expect(fold(dutiesView, [changing([opened()]), event])).toMatchObject([
    { id: 'd-1', status: 'missed' },
    { id: 'd-2', status: 'open' },
  ]);
});

it('ignores the end of a duty that it does not know', () => {
  expect(fold(dutiesView, [changing([], [{ duty: 'd-9', how: 'met' }])])).toEqual([]);
});

it('says what met it and when, also where it was missed before', () => {
  const met = { duty: 'd-1', how: 'met_late', metBy: `${stream}@2`, metAt: DUE };
  const row = only(changing([opened()]), missed(), changing([], [met]));
  expect(row).toMatchObject({
    status: 'met_late',
    doc: { missed: `${stream}@1`, metBy: `${stream}@2`, metAt: DUE },
  });
  // What met it turned out to be an error.
  const again = only(
    changing([opened()]),
    missed(),
    changing([], [met]),
    changing([], [{ duty: 'd-1', how: 'missed' }]),
  );
  expect(again).toMatchObject({ status: 'missed' });
  expect(again?.doc.metBy).toBeUndefined();
});

it('is due never while its clock stands still, and again once it runs', () => {
  const stands = opened('d-1', null, { pausedSince: '2027-07-04T00:00:00.000Z' });
  expect(only(changing([opened()]), changing([stands]))).toMatchObject({
    status: 'paused',
    due_at: NEVER,
    doc: { due: null, pausedSince: '2027-07-04T00:00:00.000Z' },
  });
  const row = only(changing([opened()]), changing([stands]), changing([opened()]));
  expect(row).toMatchObject({ status: 'open', due_at: DUE });
  expect(row?.doc.pausedSince).toBeUndefined();
});

it("is owed to the applicant by an office in a permit's file, to the public on a thing, to the authority by a person", () => {
  const open = (home: string, binds: string) => {
    const event = told(home, 'FactsRecorded', {
      duties: { opened: [opened('d', DUE, { binds })], closed: [] },
    });
    return fold(dutiesView, [event])[0]?.owed_to;
  };
  expect([open(`permit-${permitId('1')}`, 'office'), open(stream, 'office'), open(stream, 'person')]).toEqual(
    ['applicant', 'public', 'authority'],
  );
});

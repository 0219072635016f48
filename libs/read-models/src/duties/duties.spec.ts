import { fold, HAULER, streamOf, told, type Told } from '../testing/events.testing';
import { dutiesView } from './evolve';

const stream = streamOf('A');
const DUE = '2027-07-06T20:00:00.000Z';
const opened = (duty = 'd-1', dueAt = '2027-07-06T15:00:00-05:00') => ({ duty, clause: 'C', dueAt });

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
    state: 'open',
    how: null,
    doc: { openedBy: `${stream}@0` },
  });
});

it('moves the instant where the duty is opened again with another', () => {
  const later = opened('d-1', '2027-07-07T20:00:00.000Z');
  expect(only(changing([opened()]), changing([later]))).toMatchObject({ due_at: later.dueAt, state: 'open' });
});

it.each(['met', 'met_late', 'void'])('closes as %s', (how) => {
  expect(only(changing([opened()]), changing([], [{ duty: 'd-1', how }]))).toMatchObject({
    state: 'closed',
    how,
    doc: { closedBy: `${stream}@1` },
  });
});

it('closes as missed, with the consequence', () => {
  expect(only(changing([opened()]), missed())).toMatchObject({
    state: 'closed',
    how: 'missed',
    doc: { missed: { event: `${stream}@1`, outcome: 'violation', responsible: HAULER } },
  });
});

it('has a row also where a duty was missed before anything opened it', () => {
  expect(only(missed())).toMatchObject({ state: 'closed', how: 'missed', due_at: DUE });
});

it.each([
  ['met_in_time', 'met'],
  ['no_longer_due', 'void'],
])('shows a consequence reversed because %s as %s', (why, how) => {
  expect(only(changing([opened()]), missed(), reversed(`${stream}@1`, why))).toMatchObject({
    state: 'closed',
    how,
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
  expect(only(...events)).toMatchObject({ state: 'open', how: null });
  expect(only(...events)?.doc.closedBy).toBeUndefined();
  const again = only(...events, missed());
  expect(again).toMatchObject({ state: 'closed', how: 'missed', doc: { missed: { event: `${stream}@4` } } });
  expect(again?.doc.reversedBy).toBeUndefined();
});

it('takes what an event opens and misses in one', () => {
  const event = missed('d-1', { duties: { opened: [opened('d-2')], closed: [] } });
  expect(fold(dutiesView, [changing([opened()]), event])).toMatchObject([
    { id: 'd-1', state: 'closed', how: 'missed' },
    { id: 'd-2', state: 'open' },
  ]);
});

it('ignores the end of a duty that it does not know', () => {
  expect(fold(dutiesView, [changing([], [{ duty: 'd-9', how: 'met' }])])).toEqual([]);
});

import type { DomainEvent } from '@headworks/kernel';
import { toNewEvent } from '../draft';
import { decideViolation, violationId, type Breach } from './violation.decide';
import {
  evolveViolation,
  intervalsOf,
  newViolation,
  violationDays,
  violationStatus,
  type ViolationState,
} from './violation';

type Stands = Extract<Breach, { stands: true }>;
const DATA: Stands['data'] = {
  pack: 'p',
  packVersion: '1',
  clause: 'fence',
  cite: 'par. 5',
  rows: [],
  binds: 'person',
  responsible: { kind: 'hauler', key: 'H1' },
  subject: { kind: 'meadow', key: 'M1' },
  loadId: 'a',
  occasion: 'a',
  lasting: true,
  zone: 'America/Chicago',
  finding: { status: 'violated' },
};
const breach = (from: string, cured?: string, data: Partial<Stands['data']> = {}): Breach => ({
  stands: true,
  data: { ...DATA, ...data },
  fromMs: Date.parse(from),
  ...(cured !== undefined && { curedMs: Date.parse(cured) }),
  cause: 'load-a@0',
});
const gone: Breach = { stands: false, why: 'load_voided', cause: 'load-a@1' };

let commands = 0;
function keep(state: ViolationState, events: readonly DomainEvent[]): ViolationState {
  const commandId = `command-${++commands}`;
  return events.reduce((carried, event, index) => {
    const made = toNewEvent(carried.stream, index, event, {
      occurred: { at: '2027-12-31T00:00:00.000Z' },
      recordedAt: '2027-12-31T00:00:00.000Z',
      actor: { id: 'headworks', roles: [] },
      correlationId: 'c',
      commandId,
    });
    return evolveViolation(carried, {
      ...made,
      stream: carried.stream,
      revision: carried.revision + 1,
      position: '',
      hash: '',
    });
  }, state);
}
/** Brings the violation to agree with one breach after the other. */
function course(...breaches: readonly Breach[]): ViolationState {
  return breaches.reduce(
    (state, one) => keep(state, decideViolation(one, state).events),
    newViolation('violation-1'),
  );
}
const types = (state: ViolationState, one: Breach) =>
  decideViolation(one, state).events.map(({ type }) => type);
const days = (state: ViolationState, now: string) => violationDays(state, Date.parse(now));

describe('a violation', () => {
  it('is detected once, dated when it began', () => {
    const first = decideViolation(breach('2027-07-05T15:00:00Z'), newViolation('violation-1'));
    expect(first.events).toMatchObject([
      { type: 'ViolationDetected', occurred: { at: '2027-07-05T15:00:00.000Z' }, causedBy: 'load-a@0' },
    ]);
    const state = course(breach('2027-07-05T15:00:00Z'));
    expect(types(state, breach('2027-07-05T15:00:00Z'))).toEqual([]);
    expect(violationStatus(state)).toBe('open');
  });

  it('that never stood is not withdrawn; one that does not stand any more is, once', () => {
    expect(types(newViolation('violation-1'), gone)).toEqual([]);
    const state = course(breach('2027-07-05T15:00:00Z'), gone);
    expect(violationStatus(state)).toBe('withdrawn');
    expect(types(state, gone)).toEqual([]);
    expect(days(state, '2027-09-01T00:00:00Z')).toBe(0);
  });

  it('that stands again after all starts afresh', () => {
    const state = course(
      breach('2027-07-05T15:00:00Z', '2027-07-07T15:00:00Z'),
      gone,
      breach('2027-07-06T15:00:00Z'),
    );
    expect(violationStatus(state)).toBe('open');
    expect(state.turns).toEqual([]);
    expect(days(state, '2027-07-06T16:00:00Z')).toBe(1);
  });

  it.each([
    ['began_at_another_instant', breach('2027-07-04T15:00:00Z')],
    [
      'another_load_is_responsible',
      breach('2027-07-05T15:00:00Z', undefined, { responsible: { kind: 'hauler', key: 'H2' } }),
    ],
    ['another_load_is_responsible', breach('2027-07-05T15:00:00Z', undefined, { loadId: 'b' })],
    ['judged_under_another_text', breach('2027-07-05T15:00:00Z', undefined, { lasting: false })],
  ])('is withdrawn and detected anew where %s', (why, other) => {
    const { events } = decideViolation(other, course(breach('2027-07-05T15:00:00Z')));
    expect(events.map(({ type }) => type)).toEqual(['ViolationWithdrawn', 'ViolationDetected']);
    expect(events[0]).toMatchObject({ data: { why }, occurred: { at: '2027-07-05T15:00:00.000Z' } });
  });

  it('is one a law, clause, thing and occasion', () => {
    expect(violationId('p', 'c', 't', 'o')).toBe(violationId('p', 'c', 't', 'o'));
    expect(
      new Set([
        violationId('p', 'c', 't', 'o'),
        violationId('q', 'c', 't', 'o'),
        violationId('p', 'ct', '', 'o'),
      ]).size,
    ).toBe(3);
  });
});

describe('a cure', () => {
  const began = '2027-07-05T15:00:00Z';

  it('abates it, also where both are found at once', () => {
    expect(types(course(breach(began)), breach(began, '2027-07-07T15:00:00Z'))).toEqual(['ViolationAbated']);
    expect(types(newViolation('v'), breach(began, '2027-07-07T15:00:00Z'))).toEqual([
      'ViolationDetected',
      'ViolationAbated',
    ]);
    expect(violationStatus(course(breach(began, '2027-07-07T15:00:00Z')))).toBe('abated');
  });

  it('that was none, or at another instant, was recorded in error', () => {
    const cured = course(breach(began, '2027-07-07T15:00:00Z'));
    expect(types(cured, breach(began))).toEqual(['RecordedInError']);
    expect(types(cured, breach(began, '2027-07-06T15:00:00Z'))).toEqual([
      'RecordedInError',
      'ViolationAbated',
    ]);
    const later = course(breach(began, '2027-07-07T15:00:00Z'), breach(began, '2027-07-06T15:00:00Z'));
    expect(intervalsOf(later)).toEqual([
      { fromMs: Date.parse(began), untilMs: Date.parse('2027-07-06T15:00:00Z') },
    ]);
    expect(violationStatus(course(breach(began, '2027-07-07T15:00:00Z'), breach(began)))).toBe('open');
  });

  it('is nothing to what counts one day', () => {
    const state = course(breach(began, '2027-07-09T15:00:00Z', { lasting: false }));
    expect(violationStatus(state)).toBe('open');
    expect(days(state, '2027-08-01T00:00:00Z')).toBe(1);
  });
});

describe('days', () => {
  it.each([
    ['the first day counts', '2027-07-05T15:00:00Z', undefined, '2027-07-05T15:00:00Z', 1],
    ['none before it began', '2027-07-05T15:00:00Z', undefined, '2027-07-05T14:59:59.999Z', 0],
    [
      'the last moment of the local day is still that day',
      '2027-07-05T15:00:00Z',
      undefined,
      '2027-07-06T04:59:59.999Z',
      1,
    ],
    ['local midnight is the next', '2027-07-05T15:00:00Z', undefined, '2027-07-06T05:00:00.000Z', 2],
    ['the date of cure is out', '2027-07-05T15:00:00Z', '2027-07-08T15:00:00Z', '2027-08-01T00:00:00Z', 3],
    [
      'cured on the first date: one',
      '2027-07-05T15:00:00Z',
      '2027-07-05T15:00:01Z',
      '2027-08-01T00:00:00Z',
      1,
    ],
    [
      'cured at the first moment of the next date: one',
      '2027-07-05T15:00:00Z',
      '2027-07-06T05:00:00Z',
      '2027-08-01T00:00:00Z',
      1,
    ],
    [
      'begun at the last moment of a date',
      '2027-07-06T04:59:59.999Z',
      '2027-07-06T05:00:00.000Z',
      '2027-08-01T00:00:00Z',
      1,
    ],
    [
      'over the short day of spring',
      '2027-03-13T20:00:00Z',
      '2027-03-16T20:00:00Z',
      '2027-08-01T00:00:00Z',
      3,
    ],
    [
      'over the long day of autumn',
      '2027-11-06T20:00:00Z',
      '2027-11-09T20:00:00Z',
      '2027-12-01T00:00:00Z',
      3,
    ],
    ['over the new year', '2027-12-31T20:00:00Z', '2028-01-02T20:00:00Z', '2028-02-01T00:00:00Z', 2],
    [
      'a cure to come does not end it yet',
      '2027-07-05T15:00:00Z',
      '2027-07-08T15:00:00Z',
      '2027-07-06T15:00:00Z',
      2,
    ],
  ])('%s', (_, from, cured, now, expected) => {
    expect(days(course(breach(from, cured)), now)).toBe(expected);
  });

  const relapsed = (...turns: readonly (readonly ['ViolationAbated' | 'ViolationRelapsed', string])[]) =>
    keep(
      course(breach('2027-07-05T15:00:00Z')),
      turns.map(([type, at]) => ({ type, data: { cause: 'x' }, occurred: { at } })),
    );

  it('a relapse counts on; a date that two stretches share counts once', () => {
    const state = relapsed(
      ['ViolationAbated', '2027-07-05T18:00:00.000Z'],
      ['ViolationRelapsed', '2027-07-05T20:00:00.000Z'],
      ['ViolationAbated', '2027-07-07T15:00:00.000Z'],
      ['ViolationRelapsed', '2027-07-07T18:00:00.000Z'],
    );
    expect(intervalsOf(state)).toHaveLength(3);
    expect(violationStatus(state)).toBe('open');
    // July 5 (twice), 6, then 7 of the relapse, and 8.
    expect(days(state, '2027-07-08T18:00:00Z')).toBe(4);
  });

  it('days between cure and relapse do not count, in whatever order they were recorded', () => {
    const turns = [
      ['ViolationRelapsed', '2027-07-20T15:00:00.000Z'],
      ['ViolationAbated', '2027-07-21T15:00:00.000Z'],
      ['ViolationAbated', '2027-07-06T15:00:00.000Z'],
    ] as const;
    expect(days(relapsed(...turns), '2027-08-01T00:00:00Z')).toBe(2);
    expect(days(relapsed(...turns.toReversed()), '2027-08-01T00:00:00Z')).toBe(2);
  });
});

import {
  canonicalText,
  CodedError,
  type DomainEvent,
  type Finding,
  type RecordedEvent,
} from '@headworks/kernel';
import { toNewEvent, type Envelope } from '../draft';
import { PACK, packOn, Thing } from '../testing/thing.testing';
import { judgeLoad, sameVerdicts } from './judge-load';
import { sameThing } from '../same-thing';
import { evolveLoad, newLoad, type LoadState } from './load';
import { decideLoad, type LoadCommand } from './load.decide';

const NOW = '2027-07-05T15:00:00.000Z';
type Discharge = Extract<LoadCommand, { type: 'discharge' }>;

const DATA: Discharge['data'] = {
  pack: PACK,
  load: 'tipping',
  subject: { kind: 'meadow', key: 'M1' },
  hauler: { kind: 'hauler', key: 'H1' },
  ticket: 'T-1',
  quantity: { value: '10', unit: 'gal' },
  sources: [{ wasteType: 'must', quantity: { value: '10', unit: 'gal' } }],
  facts: { make: 'wet', brook_distance: { value: '40', unit: 'ft' } },
  content: 'abc',
};
const finding = (clause: string, status: Finding['status'], more: Partial<Finding> = {}): Finding => ({
  clause,
  rows: [],
  cite: 'par. 1',
  says: 'It is so.',
  status,
  operands: [],
  missing: [],
  binds: 'person',
  ...more,
});

let commands = 0;
/** Appends what was decided, as a store reads it back. */
function keep(state: LoadState, events: readonly DomainEvent[], occurred = NOW): LoadState {
  const envelope: Envelope = {
    occurred: { at: occurred },
    recordedAt: NOW,
    actor: { id: 'somebody', roles: [] },
    jurisdiction: 'xx-fernhollow',
    correlationId: 'c',
    commandId: `command-${++commands}`,
  };
  return events.reduce((carried, event, index) => {
    const made = toNewEvent(carried.stream, index, event, envelope);
    const recorded = {
      ...made,
      stream: carried.stream,
      revision: carried.revision + 1,
      position: '',
      hash: '',
    };
    const text = canonicalText(recorded as unknown as DomainEvent['data']);
    return evolveLoad(carried, JSON.parse(text) as RecordedEvent);
  }, state);
}
const decide = (command: LoadCommand, state: LoadState) => decideLoad(command, state);
const discharge = (
  data: Partial<Discharge['data']> = {},
  findings: readonly Finding[] = [],
): LoadCommand => ({
  type: 'discharge',
  data: { ...DATA, ...data },
  findings,
});
const recorded = (findings: readonly Finding[] = []) =>
  keep(newLoad('load-1'), decide(discharge({}, findings), newLoad('load-1')).events);

describe('a load', () => {
  it('that was dumped was dumped: it is recorded whatever the law finds', () => {
    const { events } = decide(discharge({}, [finding('brook', 'violated')]), newLoad('load-1'));
    expect(events).toMatchObject([
      {
        type: 'LoadDischarged',
        data: { ticket: 'T-1', findings: [{ clause: 'brook', status: 'violated' }] },
      },
    ]);
    // Text is rendered on request, never stored.
    expect(JSON.stringify(events)).not.toContain('"text"');
  });

  it('with the same ticket and content again stands already', () => {
    expect(decide(discharge(), recorded())).toMatchObject({ events: [], ignored: expect.any(String) });
  });

  it('with the same ticket and other content is another load: what differs is named, and only that', () => {
    const refused = (data: Partial<Discharge['data']>): readonly string[] => {
      try {
        decide(discharge({ ...data, content: 'other' }), recorded());
      } catch (error) {
        return (error as CodedError).details['differs'] as readonly string[];
      }
      throw new Error('not refused');
    };
    expect(refused({ quantity: { unit: 'gal', value: '11' } })).toEqual(['quantity']);
    expect(refused({ facts: { brook_distance: { unit: 'ft', value: '40' }, make: 'wet' } })).toEqual([
      'occurredAt',
    ]);
    expect(refused({ subject: { kind: 'meadow', key: 'M2' }, pack: 'other' })).toEqual(['pack', 'subject']);
  });

  it('corrected, is about the same instant and caused by what it corrects', () => {
    const set = { quantity: { value: '9', unit: 'gal' }, subject: { kind: 'meadow', key: 'M2' } };
    const { events } = decide({ type: 'correct', data: { reason: 'misread', set } }, recorded());
    expect(events).toMatchObject([{ type: 'LoadCorrected', occurred: { at: NOW }, causedBy: 'load-1@0' }]);
    const state = keep(recorded(), events);
    expect(state).toMatchObject({
      contentRevision: 1,
      current: { quantity: { value: '9' }, subject: { key: 'M2' } },
      subjects: [{ key: 'M1' }, { key: 'M2' }],
    });
  });

  it('keeps the facts that a correction does not name', () => {
    const correction: LoadCommand = {
      type: 'correct',
      data: { reason: 'misread', set: { facts: { make: 'dry' } } },
    };
    const state = keep(recorded(), decide(correction, recorded()).events);
    expect(state.current?.facts).toEqual({ make: 'dry', brook_distance: { value: '40', unit: 'ft' } });
  });

  it('that is void counts nowhere and can not be corrected; one that is not there can not either', () => {
    const voided = keep(
      recorded(),
      decide({ type: 'correct', data: { reason: 'never was', void: true, set: {} } }, recorded()).events,
    );
    expect(voided.voided).toBe(true);
    const again: LoadCommand = { type: 'correct', data: { reason: 'x', set: {} } };
    expect(() => decide(again, voided)).toThrow(/ticket of its own/);
    expect(() => decide(again, newLoad('load-2'))).toThrow(CodedError);
  });
});

describe('judging again', () => {
  const judge = (findings: readonly Finding[], state: LoadState) =>
    decide({ type: 'judge', findings, cause: 'subject-1@4' }, state);

  it('is an event where the verdict changed', () => {
    const state = recorded([
      finding('brook', 'unknown', { reason: 'fact_missing', missing: ['brook_distance'] }),
    ]);
    const { events } = judge([finding('brook', 'violated')], state);
    expect(events).toMatchObject([{ type: 'LoadJudged', causedBy: 'subject-1@4', occurred: { at: NOW } }]);
    expect(keep(state, events).onceViolated).toEqual([{ clause: 'brook', subject: DATA.subject }]);
    expect(
      judge([finding('brook', 'unknown', { reason: 'fact_missing', missing: ['brook_distance'] })], state)
        .events,
    ).toEqual([]);
  });

  it('is an event where what the load or the thing said changed, and not where only the ledger did', () => {
    const said = (value: string, source: 'payload' | 'ledger', event: string) => [
      finding('rate', 'satisfied', { operands: [{ fact: 'rate', value, from: { source, event } }] }),
    ];
    const state = recorded(said('1', 'payload', 'load-1@0'));
    expect(judge(said('1', 'payload', 'load-1@7'), state).events).toEqual([]);
    expect(judge(said('2', 'payload', 'load-1@0'), state).events).toHaveLength(1);
    const ledger = recorded(said('1', 'ledger', 'subject-1@3'));
    expect(judge(said('2', 'ledger', 'subject-1@9'), ledger).events).toEqual([]);
  });

  it('reads quantities the same in whatever order their parts stand', () => {
    const of = (value: object) => [
      finding('brook', 'satisfied', {
        operands: [{ fact: 'd', value: { ...value }, from: { source: 'payload' } }],
      }),
    ];
    expect(sameVerdicts(of({ unit: 'ft', value: '40' }), of({ value: '40', unit: 'ft' }))).toBe(true);
    expect(sameVerdicts(of({ unit: 'ft', value: '40' }), of({ value: '41', unit: 'ft' }))).toBe(false);
    expect(sameVerdicts(of({ unit: 'ft', value: '40' }), [])).toBe(false);
  });
});

describe('findings on a load', () => {
  const pack = packOn('2027-07-05');
  const def = pack.loads.get('tipping');
  if (!def) throw new Error('no load');
  const findings = (thing: Thing, id: string | undefined, at = NOW, facts = {}) =>
    Object.fromEntries(
      judgeLoad(
        pack,
        def,
        {
          occurredMs: Date.parse(at),
          quantity: DATA.quantity,
          hauler: DATA.hauler,
          facts: { make: 'wet', ...facts },
        },
        id,
        { thing: thing.state },
      ).map((f) => [f.clause, f.status]),
    );

  it("a fact sent with it goes before the thing's own; what nobody said is unknown", () => {
    const thing = new Thing();
    thing.facts({ brook_distance: { value: '10', unit: 'ft' } }, { now: '2027-07-01T00:00:00.000Z' });
    expect(findings(thing, undefined)['brook']).toBe('violated');
    expect(findings(thing, undefined, NOW, { brook_distance: { value: '90', unit: 'ft' } })['brook']).toBe(
      'satisfied',
    );
    expect(findings(thing, undefined)['fence']).toBe('unknown');
    expect(findings(thing, undefined)['rake']).toBe('unknown');
  });

  it('are the same before it is posted and after', () => {
    const thing = new Thing();
    thing.facts(
      { meadow_area: { value: '1', unit: 'acre' }, fenced: true },
      { now: '2027-01-01T00:00:00.000Z' },
    );
    thing.post({ load: 'x', at: '2027-07-05T14:00:00Z', gallons: '95' }, { now: NOW });
    const before = findings(thing, 'new');
    expect(before).toMatchObject({
      rate: 'violated',
      once: 'satisfied',
      whole: 'violated',
      week: 'satisfied',
    });
    thing.post({ load: 'new', at: NOW, gallons: '10' }, { now: NOW });
    expect(findings(thing, 'new')).toEqual(before);
  });

  it('see only what was so when it happened', () => {
    const thing = new Thing();
    thing.post({ load: 'later', at: '2027-07-09T14:00:00Z' }, { now: '2027-07-09T15:00:00.000Z' });
    thing.facts({ fenced: true }, { now: '2027-07-09T15:00:00.000Z' });
    expect(findings(thing, undefined)).toMatchObject({ once: 'satisfied', fence: 'unknown' });
  });
});

it('a thing is known by its key as it is compared', () => {
  expect(sameThing({ kind: 'meadow', key: ' m 1' }, { kind: 'meadow', key: 'M  1' })).toBe(true);
  expect(sameThing({ kind: 'meadow', key: 'M1' }, { kind: 'hauler', key: 'M1' })).toBe(false);
});

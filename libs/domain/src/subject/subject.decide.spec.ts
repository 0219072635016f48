import { CodedError } from '@headworks/kernel';
import { factAt } from '../facts';
import type { BroughtForward } from '../events';
import { over, PACK, packOn, Thing, typesOf } from '../testing/thing.testing';
import { subjectSource } from './subject-facts';

const NOW = '2027-07-05T15:00:00.000Z';
const valueAt = (thing: Thing, fact: string, iso: string) =>
  factAt(thing.state.facts, fact, Date.parse(iso))?.json;
const register = (thing: Thing, facts = {}) =>
  thing.when({ type: 'register', kind: 'meadow', key: 'M1', facts, pack: PACK }, { now: NOW });

describe('registering', () => {
  it('opens the thing with what is known of it', () => {
    const thing = new Thing();
    expect(typesOf(register(thing, { fenced: true }))).toEqual(['SubjectRegistered']);
    expect(thing.state.registered).toMatchObject({ kind: 'meadow', key: 'M1', event: `${thing.stream}@0` });
    expect(valueAt(thing, 'fenced', NOW)).toBe(true);
  });

  it('is done once; facts come by themselves afterwards', () => {
    const thing = new Thing();
    register(thing);
    expect(() => register(thing)).toThrow(CodedError);
    expect(() => register(thing)).toThrow(/record facts on it instead/);
  });

  it('follows loads that came before it', () => {
    const thing = new Thing();
    thing.post({ load: 'a', at: '2027-07-04T15:00:00Z', gallons: '500' }, { now: NOW });
    const events = thing.when(
      {
        type: 'register',
        kind: 'meadow',
        key: 'M1',
        facts: { meadow_area: { value: '1', unit: 'acre' } },
        pack: PACK,
      },
      { now: NOW, occurred: '2027-07-01T15:00:00Z' },
    );
    expect(typesOf(events)).toEqual(['SubjectRegistered', 'LimitExceeded']);
  });
});

describe('facts', () => {
  it('hold from when they were so, not from when they were told', () => {
    const thing = new Thing();
    thing.facts({ fenced: true }, { now: NOW, occurred: '2027-07-03T00:00:00Z' });
    thing.facts({ fenced: false }, { now: NOW, occurred: '2027-07-01T00:00:00Z' });
    expect(valueAt(thing, 'fenced', '2027-07-02T00:00:00Z')).toBe(false);
    expect(valueAt(thing, 'fenced', '2027-07-04T00:00:00Z')).toBe(true);
    expect(valueAt(thing, 'fenced', '2027-06-30T00:00:00Z')).toBeUndefined();
  });

  it('that hold for a day are unknown on the next', () => {
    const thing = new Thing();
    thing.act('visit', { soggy: true }, { now: '2027-07-05T23:00:00.000Z' });
    expect(valueAt(thing, 'soggy', '2027-07-06T04:59:59.999Z')).toBe(true);
    expect(valueAt(thing, 'soggy', '2027-07-06T05:00:00.000Z')).toBeUndefined();
    expect(valueAt(thing, 'visited_on', '2027-07-09T05:00:00.000Z')).toBe('2027-07-05');
  });

  it('are recorded before any version was in force too', () => {
    const thing = new Thing();
    expect(typesOf(thing.facts({ fenced: true }, { now: NOW, occurred: '1960-01-01T00:00:00Z' }))).toEqual([
      'FactsRecorded',
    ]);
  });

  it('are corrected where they were said; what was not said there can not be', () => {
    const thing = new Thing();
    thing.facts({ fenced: true }, { now: NOW });
    const correct = (corrects: string, facts: object) =>
      thing.when({ type: 'correct-facts', corrects, facts: { ...facts }, reason: 'misread' });
    expect(() => correct(`${thing.stream}@0`, { rake: 'fork' })).toThrow(/did not record/);
    expect(() => correct(`${thing.stream}@7`, { fenced: false })).toThrow(/did not record/);
    const [event] = correct(`${thing.stream}@0`, { fenced: false });
    expect(event).toMatchObject({ occurred: { at: NOW }, causedBy: `${thing.stream}@0` });
    expect(valueAt(thing, 'fenced', NOW)).toBe(false);
    correct(`${thing.stream}@0`, { fenced: true });
    expect(factAt(thing.state.facts, 'fenced', Date.parse(NOW))).toMatchObject({
      json: true,
      recordedBy: `${thing.stream}@0`,
      saidBy: `${thing.stream}@2`,
    });
  });

  it('recorded in error never held, and what held before holds again', () => {
    const thing = new Thing();
    thing.facts({ fenced: true }, { now: NOW, occurred: '2027-07-01T00:00:00Z' });
    thing.facts({ fenced: false }, { now: NOW });
    const annuls = `${thing.stream}@1`;
    expect(typesOf(thing.when({ type: 'annul', annuls, reason: 'wrong meadow' }))).toEqual([
      'RecordedInError',
    ]);
    expect(valueAt(thing, 'fenced', NOW)).toBe(true);
    expect(thing.when({ type: 'annul', annuls, reason: 'again' })).toEqual([]);
    const other = () => thing.when({ type: 'annul', annuls: `${thing.stream}@2`, reason: 'no' });
    expect(other).toThrow(/nothing that can be annulled/);
  });
});

describe('what is not on file', () => {
  const ask = (thing: Thing, fact: string) =>
    subjectSource(thing.state, packOn('2027-07-05'), 'meadow', Date.parse(NOW))(fact);

  it('of an act that dates itself was not done; of anything else nobody knows', () => {
    const thing = new Thing();
    thing.facts({ fenced: true }, { now: NOW });
    expect(ask(thing, 'leave_for')).toEqual({
      json: null,
      from: { source: 'subject', event: `${thing.stream}@0` },
    });
    // `gate_open` is optional and of an act, but `shut_gate` alone gives nothing; opening it dates itself.
    expect(ask(thing, 'gate_open')?.json).toBeNull();
    expect(ask(thing, 'brook_distance')).toBeUndefined();
    expect(ask(thing, 'soggy')).toBeUndefined();
    expect(ask(thing, 'covered')).toBeUndefined();
  });

  it('is asked of the head that was read, or of no head at all', () => {
    expect(ask(new Thing(), 'leave_for')).toEqual({ json: null, from: { source: 'subject' } });
  });
});

describe('a thing that is superseded', () => {
  const end = (thing: Thing) =>
    thing.when(
      { type: 'supersede', successors: [{ kind: 'meadow', key: 'M2' }], on: '2027-07-01', reason: 'split' },
      { now: NOW },
    );
  const brought = (
    from: string,
    fromRevision: number,
    loads: readonly string[],
    gallons = '60',
  ): BroughtForward => ({
    from,
    fromRevision,
    postings: loads.map((load) => ({
      pack: PACK,
      load,
      loadRevision: 0,
      loadType: 'tipping',
      limits: ['meadow_year', 'meadow_week'],
      quantity: { value: gallons, unit: 'gal' },
      hauler: { kind: 'hauler', key: 'H1' },
      facts: { make: 'wet', pomace: { value: gallons, unit: 'gal' }, tipped_on: '2027-06-01' },
      rows: { meadow_year: { on: '2027-06-01', gallons: { value: gallons, unit: 'gal' } }, meadow_week: {} },
      posting: `${from}@${loads.indexOf(load)}`,
      occurredAt: '2027-06-01T15:00:00.000Z',
    })),
  });
  const carry = (thing: Thing, data: BroughtForward) =>
    thing.when({ type: 'bring-forward', data }, { now: NOW });

  function successor(): Thing {
    const thing = new Thing('subject-meadow-2');
    thing.facts({ meadow_area: { value: '1', unit: 'acre' } }, { now: '2027-01-01T06:00:00.000Z' });
    thing.post({ load: 'own', at: '2027-07-02T15:00:00.000Z', gallons: '60' }, { now: NOW });
    return thing;
  }

  it('ends once', () => {
    const thing = new Thing();
    expect(typesOf(end(thing))).toEqual(['SubjectSuperseded']);
    expect(() => end(thing)).toThrow(/superseded already/);
  });

  it('its successors take over what counts: nothing is reset', () => {
    const thing = successor();
    expect(over(thing.state)).toEqual([]);
    const events = carry(thing, brought('subject-old', 3, ['x']));
    expect(typesOf(events)).toEqual(['BroughtForward', 'LimitExceeded', 'LimitExceeded']);
    // What was brought is judged where it was made; its duty is met or missed there.
    expect(over(thing.state)).toEqual(['once own', 'rate own']);
    expect([...thing.state.openDuties.values()]).toHaveLength(0);
  });

  it('a later word of the predecessor replaces the earlier, an older one is ignored', () => {
    const thing = successor();
    carry(thing, brought('subject-old', 3, ['x', 'y']));
    expect(carry(thing, brought('subject-old', 2, []))).toEqual([]);
    expect(typesOf(carry(thing, brought('subject-old', 4, [])))).toEqual([
      'BroughtForward',
      'LimitExceededWithdrawn',
      'LimitExceededWithdrawn',
    ]);
    expect(over(thing.state)).toEqual([]);
  });

  it('nothing new is no event, so that things which succeed each other in a circle come to rest', () => {
    const thing = successor();
    expect(carry(thing, brought('subject-old', 2, []))).toEqual([]);
    carry(thing, brought('subject-old', 3, ['x']));
    expect(carry(thing, brought('subject-old', 9, ['x']))).toEqual([]);
  });

  it('a load that comes by two ways counts once, and one that stands here counts here', () => {
    const thing = successor();
    carry(thing, brought('subject-left', 3, ['x']));
    carry(thing, brought('subject-right', 3, ['x', 'own']));
    expect(thing.state.postings.map(({ data }) => data.load)).toEqual(['x', 'own']);
    // Moved here by a correction before its old place let go of it.
    thing.post({ load: 'x', at: '2027-06-01T15:00:00.000Z', gallons: '1' });
    expect(thing.state.postings.filter(({ data }) => data.load === 'x')).toHaveLength(1);
  });

  it('is over no limit by a load that left, though another brought it back', () => {
    const thing = successor();
    thing.post({ load: 'x', at: '2027-06-01T15:00:00.000Z', gallons: '160' });
    expect(over(thing.state)).toContain('rate x');
    thing.leave('x');
    carry(thing, brought('subject-old', 3, ['x'], '160'));
    expect(over(thing.state)).toEqual(['once own', 'rate own']);
  });
});

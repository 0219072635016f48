import { ASH, dataOf, over, PACK, Thing, typesOf } from '../testing/thing.testing';
import { MOST_EVENTS } from './context';

/** A meadow of one acre: 100 gallons a year. Its week takes 600. */
function meadow(acres = '1'): Thing {
  const thing = new Thing();
  thing.facts({ meadow_area: { value: acres, unit: 'acre' } }, { now: '2027-01-01T06:00:00.000Z' });
  return thing;
}

describe('a load in a limit', () => {
  it('is posted with what the clauses of its limits and duties ask of it', () => {
    const [posted] = meadow().post({
      load: 'a',
      at: '2027-07-05T15:00:00Z',
      gallons: '40',
      facts: { brook_distance: { value: '90', unit: 'ft' } },
    });
    expect(posted).toMatchObject({
      type: 'LoadPosted',
      occurred: { at: '2027-07-05T15:00:00.000Z' },
      causedBy: 'load-a@0',
      law: { pack: PACK, version: '1' },
      data: {
        load: 'a',
        loadRevision: 0,
        facts: { make: 'wet', tipped_on: '2027-07-05' },
        rows: {
          meadow_year: { on: '2027-07-05', gallons: { value: '40', unit: 'gal' } },
          meadow_week: { gallons: { value: '40', unit: 'gal' } },
        },
      },
    });
    // A clause that is judged in the load's own stream needs nothing here.
    expect(posted?.data['facts']).not.toHaveProperty('brook_distance');
  });

  it('is recorded over the limit, and found to be', () => {
    const thing = meadow();
    expect(typesOf(thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '100' }))).toEqual([
      'LoadPosted',
    ]);
    const events = thing.post({ load: 'b', at: '2027-07-05T16:00:00Z', gallons: '0.01' });
    expect(typesOf(events)).toEqual(['LoadPosted', 'LimitExceeded']);
    expect(events[1]).toMatchObject({
      occurred: { at: '2027-07-05T16:00:00.000Z' },
      data: {
        limit: 'meadow_year',
        clause: 'rate',
        load: 'b',
        finding: { status: 'violated', clause: 'rate' },
      },
    });
    const finding = events[1]?.data['finding'] as { operands: readonly { fact: string; from?: unknown }[] };
    expect(finding.operands.find(({ fact }) => fact === 'rate')?.from).toMatchObject({
      source: 'ledger',
      count: 1,
    });
  });

  it('the earlier load that arrives later puts the later one over', () => {
    const thing = meadow();
    thing.post({ load: 'late', at: '2027-07-05T18:00:00Z', gallons: '60' });
    const events = thing.post({ load: 'early', at: '2027-07-05T15:00:00Z', gallons: '60' });
    expect(over(thing.state)).toEqual(['rate late']);
    expect(events.at(-1)).toMatchObject({
      type: 'LimitExceeded',
      data: { load: 'late' },
      occurred: { at: '2027-07-05T18:00:00.000Z' },
    });
  });

  it('a correction puts it over, and another takes it out again', () => {
    const thing = meadow();
    thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '50' });
    thing.post({ load: 'b', at: '2027-07-05T16:00:00Z', gallons: '50' });
    const up = thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '51', revision: 1 });
    expect(typesOf(up)).toEqual(['PostingReversed', 'LoadPosted', 'LimitExceeded']);
    expect(over(thing.state)).toEqual(['rate b']);
    const down = thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '50', revision: 2 });
    expect(typesOf(down)).toEqual(['PostingReversed', 'LoadPosted', 'LimitExceededWithdrawn']);
    expect(dataOf(down, 'LimitExceededWithdrawn')).toMatchObject({
      load: 'b',
      finding: { status: 'satisfied' },
    });
    expect(over(thing.state)).toEqual([]);
  });

  it('a load that is gone is over nothing, and later ones are judged without it', () => {
    const thing = meadow();
    thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '150' });
    thing.post({ load: 'b', at: '2027-07-05T16:00:00Z', gallons: '50' });
    expect(over(thing.state)).toEqual(['rate a', 'rate b']);
    expect(typesOf(thing.leave('a'))).toEqual([
      'PostingReversed',
      'LimitExceededWithdrawn',
      'LimitExceededWithdrawn',
    ]);
    expect(over(thing.state)).toEqual([]);
    expect(thing.leave('a', 2)).toEqual([]);
    expect(thing.leave('never')).toEqual([]);
  });

  it('an older word of a load does not replace a newer one', () => {
    const thing = meadow();
    thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '20', revision: 3 });
    expect(thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '10', revision: 2 })).toEqual([]);
    expect(thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '10', revision: 3 })).toEqual([]);
  });
});

describe('windows', () => {
  it('a week runs from Monday to Sunday, across the new year', () => {
    const thing = meadow('100');
    thing.post(
      { load: 'wed', at: '2026-12-30T18:00:00Z', gallons: '500' },
      { now: '2027-02-01T00:00:00.000Z' },
    );
    // Sunday, still the week of December 28; the calendar year is another one.
    thing.post({ load: 'sun', at: '2027-01-03T18:00:00Z', gallons: '101' });
    thing.post({ load: 'mon', at: '2027-01-04T18:00:00Z', gallons: '600' });
    expect(over(thing.state)).toEqual(['week sun']);
  });

  it('a load moved to another week is judged there, and both weeks anew', () => {
    const thing = meadow('100');
    thing.post(
      { load: 'a', at: '2027-03-01T18:00:00Z', gallons: '400' },
      { now: '2027-09-01T00:00:00.000Z' },
    );
    thing.post({ load: 'b', at: '2027-03-02T18:00:00Z', gallons: '400' });
    thing.post({ load: 'c', at: '2027-08-02T18:00:00Z', gallons: '400' });
    thing.post({ load: 'd', at: '2027-08-03T18:00:00Z', gallons: '100' });
    expect(over(thing.state).filter((one) => one.startsWith('week'))).toEqual(['week b']);
    thing.post({ load: 'a', at: '2027-08-03T19:00:00Z', gallons: '400', revision: 1 });
    expect(over(thing.state).filter((one) => one.startsWith('week'))).toEqual(['week a']);
  });

  it('what stood over at one instant and stands over at another says so anew', () => {
    const thing = meadow('100');
    thing.post(
      { load: 'a', at: '2027-03-01T18:00:00Z', gallons: '700' },
      { now: '2027-09-01T00:00:00.000Z' },
    );
    const events = thing.post({ load: 'a', at: '2027-08-02T18:00:00Z', gallons: '700', revision: 1 });
    expect(typesOf(events).filter((type) => type.startsWith('Limit'))).toEqual([
      'LimitExceededWithdrawn',
      'LimitExceeded',
    ]);
    expect([...thing.state.exceeded.values()].map(({ ms }) => new Date(ms).toISOString())).toEqual([
      '2027-08-02T18:00:00.000Z',
    ]);
  });

  it('a load is judged by the version of its own day', () => {
    const thing = meadow('100');
    const at = ['2027-03-01', '2027-04-01', '2028-03-01', '2028-04-03', '2028-05-01'];
    at.forEach((day) =>
      thing.post({ load: day, at: `${day}T18:00:00Z` }, { now: '2028-09-01T00:00:00.000Z' }),
    );
    // One use a year until 2027, two from 2028 on.
    expect(over(thing.state)).toEqual(['once 2027-04-01', 'once 2028-05-01']);
  });

  it('two laws that call a limit alike count each its own loads', () => {
    const thing = meadow();
    thing.post({ load: 'ash', at: '2027-07-05T15:00:00Z', gallons: '490', pack: ASH });
    thing.post({ load: 'wet', at: '2027-07-05T16:00:00Z', gallons: '100' });
    expect(over(thing.state)).toEqual([]);
    thing.post({ load: 'more ash', at: '2027-07-05T17:00:00Z', gallons: '11', pack: ASH });
    expect(over(thing.state)).toEqual(['rate more ash']);
  });
});

describe('campaigns', () => {
  it('loads inside the clock of the first are one use; one past it is the second', () => {
    const thing = meadow('100');
    thing.post({ load: 'first', at: '2027-07-05T13:00:00Z' });
    thing.post({ load: 'last moment', at: '2027-07-06T01:00:00Z' });
    expect(over(thing.state)).toEqual([]);
    thing.post({ load: 'past', at: '2027-07-06T01:00:00.001Z' });
    expect(over(thing.state)).toEqual(['once past']);
  });

  it('a Sunday does not run the clock down', () => {
    const thing = meadow('100');
    thing.post({ load: 'sat', at: '2027-07-03T20:00:00Z' });
    thing.post({ load: 'mon', at: '2027-07-05T08:00:00Z' });
    expect(over(thing.state)).toEqual([]);
    thing.post({ load: 'mon later', at: '2027-07-05T08:00:00.001Z' });
    expect(over(thing.state)).toEqual(['once mon later']);
  });

  it('an earlier first load that arrives late moves every clock behind it', () => {
    const thing = meadow('100');
    thing.post({ load: 'b', at: '2027-07-06T00:00:00Z' });
    thing.post({ load: 'c', at: '2027-07-06T11:00:00Z' });
    expect(over(thing.state)).toEqual([]);
    thing.post({ load: 'a', at: '2027-07-05T13:00:00Z' });
    expect(over(thing.state)).toEqual(['once c']);
    thing.leave('a');
    expect(over(thing.state)).toEqual([]);
  });
});

describe('facts of the thing', () => {
  it('a fact reaches every later load, in whatever window', () => {
    const thing = new Thing();
    thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '500' });
    expect(over(thing.state)).toEqual([]);
    const events = thing.facts(
      { meadow_area: { value: '4', unit: 'acre' } },
      { now: '2027-08-01T00:00:00.000Z', occurred: '2025-01-01T06:00:00.000Z' },
    );
    // The load's own duty fell due in between: that is settled before the fact is recorded.
    expect(typesOf(events)).toEqual(['DutyMissed', 'FactsRecorded', 'LimitExceeded']);
    expect(over(thing.state)).toEqual(['rate a']);
  });

  it('also where nothing but the window joins the loads of a limit', () => {
    const thing = new Thing();
    thing.post({ load: 'ash', at: '2027-07-05T15:00:00Z', gallons: '100', pack: ASH });
    expect(over(thing.state)).toEqual([]);
    thing.when(
      { type: 'record-facts', kind: 'meadow', pack: ASH, facts: { ash_tested: false } },
      { now: '2027-08-01T00:00:00.000Z', occurred: '2025-01-01T06:00:00.000Z' },
    );
    expect(over(thing.state)).toEqual(['tested ash']);
  });

  it('a fact recorded later than a load does not judge it', () => {
    const thing = new Thing();
    thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '500' });
    thing.facts({ meadow_area: { value: '4', unit: 'acre' } }, { now: '2027-08-01T00:00:00.000Z' });
    expect(over(thing.state)).toEqual([]);
  });

  it('corrected, it judges all loads since what it corrects; annulled, nobody knows', () => {
    const thing = meadow('10');
    thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '500' });
    const corrects = `${thing.stream}@0`;
    const facts = { meadow_area: { value: '4', unit: 'acre' } };
    thing.when({ type: 'correct-facts', corrects, facts, reason: 'survey' });
    expect(over(thing.state)).toEqual(['rate a']);
    const annulled = thing.when({ type: 'annul', annuls: corrects, reason: 'another meadow' });
    expect(dataOf(annulled, 'LimitExceededWithdrawn')).toMatchObject({ finding: { status: 'unknown' } });
  });
});

describe('what one append can not hold', () => {
  it('is left to the next, by name, until all is judged', () => {
    const thing = meadow('1000');
    const loads = Array.from({ length: MOST_EVENTS + 20 }, (_, i) => `load-${String(i).padStart(3, '0')}`);
    loads.forEach((load, i) =>
      thing.post({ load, at: new Date(Date.UTC(2027, 6, 5, 15, 0, i)).toISOString(), gallons: '1' }),
    );
    expect(over(thing.state)).toEqual([]);
    const facts = { meadow_area: { value: '0.001', unit: 'acre' } };
    const cut = thing.when({ type: 'correct-facts', corrects: `${thing.stream}@0`, facts, reason: 'survey' });
    expect(cut.length).toBeLessThan(256);
    expect(cut.at(-1)?.data['unjudged']).toMatchObject({ limits: ['meadow_year'] });
    const { unjudged } = (cut.at(-1)?.data ?? {}) as { unjudged?: { since: string; limits: string[] } };
    const { since = '', limits = [] } = unjudged ?? {};
    const rest = thing.when({ type: 'judge-rest', since, limits });
    expect(rest.at(-1)?.data).not.toHaveProperty('unjudged');
    expect(over(thing.state).filter((one) => one.startsWith('rate'))).toHaveLength(loads.length);
    expect(thing.when({ type: 'judge-rest', since, limits })).toEqual([]);
  });
});

it('the state carried along is the state that the log folds to', () => {
  const thing = meadow();
  thing.post({ load: 'a', at: '2027-07-05T15:00:00Z', gallons: '80' });
  thing.post({ load: 'b', at: '2027-07-05T14:00:00Z', gallons: '80' });
  thing.post({ load: 'b', at: '2027-07-05T14:30:00Z', gallons: '30', revision: 1 });
  thing.settle('2027-07-08T00:00:00.000Z');
  thing.leave('a', 1);
  expect(thing.refold()).toEqual(thing.state);
});

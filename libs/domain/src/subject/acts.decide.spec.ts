import type { DomainEvent } from '@headworks/kernel';
import { PACK, packOn, Thing, typesOf } from '../testing/thing.testing';
import { actFindings } from './acts.decide';

const DAY = '2027-07-05T15:00:00.000Z';
const statuses = (event: DomainEvent | undefined) =>
  ((event?.data['findings'] ?? []) as { clause: string; status: string }[]).map(
    (f) => `${f.clause} ${f.status}`,
  );

function visited(): Thing {
  const thing = new Thing();
  thing.act('visit', { soggy: false }, { now: DAY });
  return thing;
}

describe('an act', () => {
  it('says itself what it recorded, gave and ended, under which text, and by whom', () => {
    const [visit] = new Thing().act('visit', { soggy: false }, { now: DAY });
    expect(visit).toMatchObject({
      type: `${PACK}.MeadowVisited`,
      by: { person: 'ada' },
      law: { pack: PACK, version: '1' },
      data: {
        act: 'visit',
        pack: PACK,
        facts: { soggy: false, visited_on: '2027-07-05' },
        // A reading of the ground holds for its local day: here until midnight in Chicago.
        until: { soggy: '2027-07-06T05:00:00.000Z' },
        starts: [],
        ends: [],
      },
    });
    const [worked] = new Thing().act('fork_in', { rake: 'fork' }, { now: DAY });
    expect(worked?.data).toMatchObject({ ends: ['rake'], facts: { raked_at: DAY } });
  });

  it('is refused with all that stands against it, and the refusal is recorded', () => {
    const thing = new Thing();
    const [refused] = thing.act('give_leave', {}, { now: DAY });
    expect(refused).toMatchObject({ type: 'ActRefused', by: { person: 'ada' }, law: { pack: PACK } });
    expect(statuses(refused)).toEqual(['leave.visit violated', 'act:give_leave.by violated']);
    expect(thing.state.acts).toEqual([]);
    expect(thing.state.facts.rows.size).toBe(0);
  });

  it('needs what it needs on its own day', () => {
    const thing = visited();
    const next = thing.act('give_leave', {}, { now: '2027-07-06T15:00:00.000Z' });
    expect(statuses(next[0])).toEqual(['leave.visit violated', 'act:give_leave.by violated']);
    const same = visited().act('give_leave', {}, { now: DAY });
    expect(typesOf(same)).toEqual([`${PACK}.LeaveGiven`]);
  });

  it('that nobody knows of is a misuse', () => {
    expect(() => new Thing().act('dance', {}, { now: DAY })).toThrow("has no act 'dance'");
  });
});

describe('the same person, another person', () => {
  it('who visited gives leave; another does not', () => {
    const other = visited().act('give_leave', {}, { now: DAY, by: { person: 'bo' } });
    expect(statuses(other[0])).toEqual(['act:give_leave.by violated']);
    expect(typesOf(visited().act('give_leave', {}, { now: DAY }))).toEqual([`${PACK}.LeaveGiven`]);
  });

  it('nobody named is unknown, and what is unknown does not pass', () => {
    const [refused] = visited().act('give_leave', {}, { now: DAY, by: {} });
    expect(refused?.type).toBe('ActRefused');
    expect(refused?.data['findings']).toMatchObject([{ status: 'unknown', missing: ['by.person'] }]);
  });

  it('who gave leave does not countersign it; before any leave there is nobody to be the same as', () => {
    const thing = visited();
    expect(typesOf(thing.act('countersign', { sealed_by: 'x' }, { now: DAY }))).toEqual([
      `${PACK}.LeaveCountersigned`,
    ]);
    thing.act('give_leave', {}, { now: DAY });
    const [refused] = thing.act('countersign', { sealed_by: 'x' }, { now: DAY });
    expect(statuses(refused)).toEqual(['act:countersign.by violated']);
    const bo = thing.act('countersign', { sealed_by: 'x' }, { now: DAY, by: { person: 'bo' } });
    expect(typesOf(bo)).toEqual([`${PACK}.LeaveCountersigned`]);
  });

  it('a visit that was recorded in error is none', () => {
    const thing = visited();
    thing.when({ type: 'annul', annuls: `${thing.stream}@0`, reason: 'another meadow' });
    expect(typesOf(thing.act('give_leave', {}, { now: DAY }))).toEqual(['ActRefused']);
  });
});

describe('once, and undone', () => {
  const open = (thing: Thing, now: string, occurred = now) =>
    typesOf(thing.act('open_gate', { gate_open: true }, { now, occurred }))[0];
  const shut = (thing: Thing, now: string, occurred = now) =>
    typesOf(thing.act('shut_gate', { gate_open: false }, { now, occurred }))[0];

  it('is done once until another act undoes it', () => {
    const thing = new Thing();
    expect(open(thing, '2027-07-05T10:00:00.000Z')).toBe(`${PACK}.GateOpened`);
    expect(open(thing, '2027-07-05T11:00:00.000Z')).toBe('ActRefused');
    expect(shut(thing, '2027-07-05T12:00:00.000Z')).toBe(`${PACK}.GateShut`);
    expect(open(thing, '2027-07-05T13:00:00.000Z')).toBe(`${PACK}.GateOpened`);
  });

  it('in the order of the law, whichever was recorded first', () => {
    const thing = new Thing();
    open(thing, '2027-07-05T10:00:00.000Z');
    expect(open(thing, '2027-07-05T11:00:00.000Z', '2027-07-05T09:00:00.000Z')).toBe('ActRefused');
    shut(thing, '2027-07-05T12:00:00.000Z', '2027-07-05T09:30:00.000Z');
    expect(open(thing, '2027-07-05T13:00:00.000Z', '2027-07-05T09:00:00.000Z')).toBe(`${PACK}.GateOpened`);
  });

  it('the state machine of the law is its facts: `when` is a finding like the others', () => {
    const thing = new Thing();
    open(thing, '2027-07-05T10:00:00.000Z');
    const [refused] = thing.act('open_gate', { gate_open: true }, { now: '2027-07-05T11:00:00.000Z' });
    expect(statuses(refused)).toContain('act:open_gate.once violated');
  });

  it('what may be done is asked without doing it', () => {
    const pack = packOn('2027-07-05');
    const act = pack.acts.get('open_gate');
    if (!act) throw new Error('no act');
    const ask = (thing: Thing) =>
      actFindings(thing.state, pack, act, {
        facts: {},
        by: { person: 'ada' },
        ms: Date.parse('2027-07-05T11:00:00Z'),
      }).map((f) => `${f.clause} ${f.status}`);
    const thing = new Thing();
    expect(ask(thing)).toEqual(['act:open_gate satisfied', 'act:open_gate.once satisfied']);
    open(thing, '2027-07-05T10:00:00.000Z');
    expect(ask(thing)).toEqual(['act:open_gate violated', 'act:open_gate.once violated']);
  });
});

describe('an act that is judged', () => {
  const watch = (facts: DomainEvent['data'], thing = new Thing('subject-hauler-1')) =>
    thing.when(
      { type: 'do-act', kind: 'hauler', pack: PACK, act: 'watch_cart', facts, by: { person: 'ada' } },
      { now: DAY },
    );

  it('is recorded whatever its assessment finds, with what it found', () => {
    const [seen] = watch({ covered: false });
    expect(seen).toMatchObject({
      type: `${PACK}.CartSeen`,
      data: { judged: { assessment: 'carting', findings: [{ clause: 'cart.cover', status: 'violated' }] } },
    });
    expect(watch({ covered: true })[0]?.data['judged']).toMatchObject({
      findings: [{ status: 'satisfied' }],
    });
  });

  it('stands on the facts of the thing at its instant', () => {
    const thing = new Thing('subject-hauler-1');
    thing.when(
      {
        type: 'do-act',
        kind: 'hauler',
        pack: PACK,
        act: 'grant_pass',
        facts: { pass_from: '2027-07-01' },
        by: { person: 'ada' },
      },
      { now: '2027-07-01T15:00:00.000Z' },
    );
    expect(watch({ covered: false }, thing)[0]?.data['judged']).toMatchObject({
      findings: [{ status: 'satisfied' }],
    });
  });
});

import { join } from 'node:path';
import { loadRules } from '@headworks/rules-engine';
import { Thing, typesOf, type When } from '../testing/thing.testing';
import { subjectSource } from './subject-facts';

const RULES = loadRules(join(__dirname, '../../../../test/fixtures/sixth'));
const PACK = 'fernhollow-marl';

class Field extends Thing {
  override readonly law = RULES;

  does(act: string, facts: Readonly<Record<string, string>>, told: When): string | undefined {
    const { by = { person: 'ada' } } = told;
    return typesOf(this.when({ type: 'do-act', kind: 'field', pack: PACK, act, facts, by }, told))[0];
  }

  close(road: string, until: string, now: string): string | undefined {
    return this.does('close_road', { closed_road: road, closed_until: until }, { now });
  }

  /** What is on file at the instant. */
  at(fact: string, at: string): unknown {
    const pack = RULES.packs.get(PACK)?.[0];
    if (!pack) throw new Error('no pack');
    return subjectSource(this.state, pack, 'field', Date.parse(at))(fact)?.json;
  }
}

describe('what an act is about', () => {
  it('is done once for each such thing, until it is undone for that one', () => {
    const field = new Field();
    expect(field.close('Mill Lane', '2027-07-31', '2027-07-05T10:00:00.000Z')).toBe(`${PACK}.RoadClosed`);
    expect(field.close('Brook Lane', '2027-07-31', '2027-07-05T11:00:00.000Z')).toBe(`${PACK}.RoadClosed`);
    expect(field.close('Mill Lane', '2027-07-31', '2027-07-05T12:00:00.000Z')).toBe('ActRefused');
    const open = (road: string, now: string, person = 'ada') =>
      field.does('open_road', { closed_road: road }, { now, by: { person } });
    expect(open('Brook Lane', '2027-07-06T10:00:00.000Z')).toBe(`${PACK}.RoadOpened`);
    expect(field.close('Mill Lane', '2027-07-31', '2027-07-06T11:00:00.000Z')).toBe('ActRefused');
    expect(open('Mill Lane', '2027-07-06T12:00:00.000Z')).toBe(`${PACK}.RoadOpened`);
    expect(field.close('Mill Lane', '2027-07-31', '2027-07-06T13:00:00.000Z')).toBe(`${PACK}.RoadClosed`);
  });

  it('is what the persons of an act are looked up for', () => {
    const field = new Field();
    field.close('Mill Lane', '2027-07-31', '2027-07-05T10:00:00.000Z');
    const open = (road: string, person: string) =>
      field.does('open_road', { closed_road: road }, { now: '2027-07-06T10:00:00.000Z', by: { person } });
    expect(open('Mill Lane', 'ben')).toBe('ActRefused');
    expect(open('Brook Lane', 'ada')).toBe('ActRefused');
    expect(open('Mill Lane', 'ada')).toBe(`${PACK}.RoadOpened`);
  });

  it('stands in the event', () => {
    const field = new Field();
    field.close('Mill Lane', '2027-07-31', '2027-07-05T10:00:00.000Z');
    expect(field.log.at(-1)?.data).toMatchObject({ scope: { closed_road: 'Mill Lane' } });
  });
});

describe('until when an act holds', () => {
  it('is a day that it records, that day in', () => {
    const field = new Field();
    const waiver = { waived_by_owner: '7 Mill Lane', waiver_ends: '2027-07-31' };
    field.does('waive', waiver, { now: '2027-07-05T10:00:00.000Z' });
    // Midnight in Chicago is 05:00 UTC.
    expect(field.log.at(-1)?.data).toMatchObject({
      until: { waived_by_owner: '2027-08-01T05:00:00.000Z', waiver_on: '2027-08-01T05:00:00.000Z' },
    });
    expect(field.at('waived_by_owner', '2027-08-01T04:59:59.999Z')).toBe('7 Mill Lane');
    // The act dates itself, so what it records is none again, and not unknown.
    expect(field.at('waived_by_owner', '2027-08-01T05:00:00.000Z')).toBeNull();
  });

  it('ends what was done once', () => {
    const field = new Field();
    field.close('Mill Lane', '2027-07-06', '2027-07-05T10:00:00.000Z');
    expect(field.close('Mill Lane', '2027-07-31', '2027-07-06T10:00:00.000Z')).toBe('ActRefused');
    expect(field.close('Mill Lane', '2027-07-31', '2027-07-07T10:00:00.000Z')).toBe(`${PACK}.RoadClosed`);
  });
});

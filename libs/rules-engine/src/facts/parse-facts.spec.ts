import { loadDemo, clause, removeRulesDirs } from '../testing/rules-dir.testing';

afterAll(removeRulesDirs);

const pack = loadDemo(
  `
  gap: { type: length, unit: ft, label: Gap }
  rate: { type: volume/area, unit: gal/acre, label: Rate }
  fine: { type: money, label: Fine }
  coats: { type: count, label: Coats }
  colour: { type: choice, of: [red, green], label: Colour }
  dry: { type: bool, label: Dry }
  until: { type: date, optional: yes, label: Until }
  begun_at: { type: instant, label: Begun }
  worker: { type: reference, to: painter, label: Worker }
  tags: { type: set, of: [a, b], label: Tags }
  licensed: { type: set, to: painter, label: Licensed }
  shut_days: { type: set, of: date, optional: yes, label: Shut days }
  owner_name: { type: text, personal: yes, label: Owner }
  earlier: { type: series, label: Earlier, fields: { on: { type: date }, paint: { type: volume, unit: gal } } }`,
  clause('C', 'require: { all: [{ fact: gap, more_than: 6 ft }, { fact: paint, at_most: 9 gal }] }'),
  {
    derived: 'derived: { paint: { label: Paint, sum_of: { series: earlier, field: paint } } }\n',
    subjects:
      'subjects: { painter: { label: Painter, key: licence, facts: [gap, rate, fine, coats, colour, dry, until, begun_at, worker, tags, licensed, shut_days, owner_name] } }\n',
  },
);
const all = [...pack.facts.keys()];
const parse = (input: unknown, allowed: Iterable<string> = all) => pack.parseFacts(input, allowed, '/facts');

describe('facts from outside', () => {
  it.each([
    ['gap', '612 ft', { value: '612', unit: 'ft' }],
    ['gap', { value: '0612.500', unit: 'in' }, { value: '612.5', unit: 'in' }],
    ['gap', { value: 7, unit: 'yd' }, { value: '7', unit: 'yd' }],
    ['gap', '600.00000000000000000001 ft', { value: '600.00000000000000000001', unit: 'ft' }],
    ['rate', '20000 gal/acre', { value: '20000', unit: 'gal/acre' }],
    ['fine', '$50.5', { value: '50.5', unit: 'USD' }],
    ['fine', '-3 USD', { value: '-3', unit: 'USD' }],
    ['coats', 2, 2],
    ['coats', '2', 2],
    ['colour', 'red', 'red'],
    ['dry', false, false],
    ['until', '2028-02-29', '2028-02-29'],
    ['until', null, null],
    ['begun_at', '2027-07-03T15:00:00-05:00', '2027-07-03T20:00:00.000Z'],
    ['worker', '  ab  12 ', 'AB 12'],
    ['tags', ['b', 'a'], ['b', 'a']],
    ['licensed', ['x1'], ['X1']],
    ['shut_days', ['2027-12-24', '2027-07-05'], ['2027-12-24', '2027-07-05']],
    ['shut_days', [], []],
    ['shut_days', null, null],
    ['owner_name', 'Ada', 'Ada'],
    [
      'earlier',
      [{ on: '2027-01-01', paint: '3 gal' }, { paint: null }],
      [{ on: '2027-01-01', paint: { value: '3', unit: 'gal' } }, { paint: null }],
    ],
  ])('%s: %j is stored as %j', (name, input, json) => {
    expect(parse({ [name]: input })).toEqual({ facts: { [name]: json }, faults: [] });
  });

  it.each([
    ['gap', 612, 'missing-unit', "'gap' needs a unit: 612 has none", 'write it as "612 ft"'],
    ['gap', '612', 'missing-unit', "'gap' needs a unit: 612 has none", 'write it as "612 ft"'],
    [
      'gap',
      '612 gal',
      'wrong-unit',
      "'gap' is a length (ft), but '612 gal' is a volume (gal)",
      'give it in ft',
    ],
    [
      'gap',
      { value: '612', unit: 'gal' },
      'wrong-unit',
      "'gap' is a length (ft), but '612 gal' is a volume (gal)",
      'give it in ft',
    ],
    ['gap', '1,200 ft', 'not-a-quantity', "'gap': '1,200' has a comma in it", 'write 1200'],
    ['gap', '6 foot', 'not-a-quantity', "'gap': 'foot' is no unit we know", "did you mean 'ft'?"],
    ['gap', '-6 ft', 'negative', "'gap' can't be less than nothing", undefined],
    [
      'gap',
      [],
      'not-a-quantity',
      "'gap': it is no quantity",
      'write it as "612 ft" or {"value":"612","unit":"ft"}',
    ],
    [
      'gap',
      true,
      'not-a-quantity',
      "'gap': it is no quantity",
      'write it as "612 ft" or {"value":"612","unit":"ft"}',
    ],
    [
      'gap',
      { value: '6', unit: 'ft', __proto: 1 },
      'not-a-quantity',
      "'gap': '__proto' has no place in a quantity",
      'write it as "612 ft" or {"value":"612","unit":"ft"}',
    ],
    [
      'gap',
      null,
      'not-optional',
      "'gap' can't be none: null means that it is known not to have happened",
      'leave it out where it is not known',
    ],
    [
      'coats',
      1.5,
      'not-a-count',
      "'coats' is a count, but here stands '1.5'",
      'write a whole number, such as 2',
    ],
    [
      'coats',
      -1,
      'not-a-count',
      "'coats' is a count, but here stands '-1'",
      'write a whole number, such as 2',
    ],
    [
      'colour',
      'gren',
      'not-a-choice',
      "'colour' is one of red, green, but here stands 'gren'",
      "did you mean 'green'?",
    ],
    [
      'colour',
      7,
      'not-a-choice',
      "'colour' is one of red, green, but here stands '7'",
      'use one of red, green',
    ],
    ['dry', 'yes', 'wrong-type', "'dry' is a yes or no, but here stands 'yes'", 'write true or false'],
    ['dry', 1, 'wrong-type', "'dry' is a yes or no, but here stands '1'", 'write true or false'],
    ['until', '2026-02-30', 'no-date', "'until': '2026-02-30' is no date", 'write it as "2027-07-03"'],
    [
      'until',
      '2026-02-03T10:00:00Z',
      'no-date',
      "'until': '2026-02-03T10:00:00Z' is no date",
      'give the day alone, as "2027-07-03"',
    ],
    [
      'until',
      20260203,
      'wrong-type',
      "'until' is a date, but here stands '20260203'",
      'write it as "2027-07-03"',
    ],
    [
      'begun_at',
      '2027-07-03T15:00:00',
      'no-instant',
      "'begun_at': '2027-07-03T15:00:00' has no offset: write it as 2027-07-03T15:00:00-05:00 or in UTC as 2027-07-03T15:00:00Z",
      'give date, time and offset',
    ],
    [
      'begun_at',
      '2027-02-30T15:00:00Z',
      'no-instant',
      "'begun_at': '2027-02-30' is no date",
      'give date, time and offset',
    ],
    [
      'begun_at',
      {},
      'wrong-type',
      "'begun_at' is a time, but here stands an object",
      'write it as "2027-07-03T15:00:00-05:00"',
    ],
    ['worker', ' ', 'empty-text', "'worker' is empty", 'leave it out where it is not known'],
    [
      'worker',
      ['x'],
      'wrong-type',
      "'worker' is a reference to a painter, but here stands a list",
      'write a text',
    ],
    [
      'owner_name',
      'a\0b',
      'not-storable',
      "'owner_name': the text holds a NUL character",
      'take the character out',
    ],
    [
      'owner_name',
      '\ud800',
      'not-storable',
      "'owner_name': the text holds half of a surrogate pair",
      'take the character out',
    ],
    ['owner_name', 'x'.repeat(4001), 'too-long', "'owner_name' has 4001 characters", 'write at most 4000'],
    ['tags', 'a', 'wrong-type', "'tags' is a set, but here stands 'a'", 'write a list, such as ["a", "b"]'],
    [
      'shut_days',
      '2027-07-05',
      'wrong-type',
      "'shut_days' is a set, but here stands '2027-07-05'",
      'write a list, such as ["2027-07-05"]',
    ],
    ['earlier', {}, 'wrong-type', "'earlier' is a series, but here stands an object", 'write a list of rows'],
  ])('%s: %j is refused as %s', (name, input, code, detail, hint) => {
    const { facts, faults } = parse({ [name]: input });
    expect(facts).toEqual({});
    expect(faults).toEqual([
      { pointer: `/facts/${name}`, code, detail, ...(hint === undefined ? {} : { hint }) },
    ]);
  });

  it('refuses names it does not know, and names that have no place here', () => {
    const { faults } = parse({ gapp: '6 ft', dry: true, rate: 1, 'a/b~c': 1 }, ['gap', 'dry']);
    expect(faults).toEqual([
      {
        pointer: '/facts/gapp',
        code: 'unknown-fact',
        detail: "there is no fact 'gapp'",
        hint: "did you mean 'gap'?",
      },
      {
        pointer: '/facts/rate',
        code: 'fact-not-allowed',
        detail: "'rate' has no place here",
        hint: 'one of gap, dry',
      },
      {
        pointer: '/facts/a~1b~0c',
        code: 'unknown-fact',
        detail: "there is no fact 'a/b~c'",
        hint: 'one of gap, dry',
      },
    ]);
    expect(parse({ gap: '6 ft' }, []).faults[0]?.hint).toBe('no fact may be given here');
  });

  it('refuses what could reach a prototype', () => {
    const { facts, faults } = parse(JSON.parse('{"__proto__": {"gap": "6 ft"}, "constructor": 1}'));
    expect(faults.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/facts/__proto__', 'unknown-fact'],
      ['/facts/constructor', 'unknown-fact'],
    ]);
    expect(Object.getPrototypeOf(facts)).toBe(Object.prototype);
    const row = parse(JSON.parse('{"earlier": [{"__proto__": 1}]}'));
    expect(row.faults[0]).toMatchObject({ pointer: '/facts/earlier/0/__proto__', code: 'unknown-field' });
  });

  it.each([
    [null, 'null'],
    [[], 'a list'],
    ['x', "'x'"],
    [7, "'7'"],
  ])('refuses %j for an object', (input, shown) => {
    expect(parse(input)).toEqual({
      facts: {},
      faults: [
        {
          pointer: '/facts',
          code: 'not-an-object',
          detail: `facts are an object, but here stands ${shown}`,
          hint: 'write {"name": value, ...}',
        },
      ],
    });
  });

  it('points below a value, and lists everything at once', () => {
    const { faults } = parse({
      tags: ['a', 'c', 'a'],
      licensed: ['x', 'X'],
      shut_days: ['2027-02-30', '2027-07-05', '2027-07-05'],
      earlier: [{ on: '2027-13-01' }, 7, { pain: '3 gal' }],
      gap: 1,
    });
    expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/facts/tags/1 not-a-choice',
      '/facts/licensed/1 doubled',
      '/facts/shut_days/0 no-date',
      '/facts/earlier/0/on no-date',
      '/facts/earlier/1 wrong-type',
      '/facts/earlier/2/pain unknown-field',
      '/facts/gap missing-unit',
    ]);
  });
});

describe('schema of facts', () => {
  it('shows a form what to ask', () => {
    expect(
      pack.factSchema(['gap', 'colour', 'until', 'coats', 'shut_days', 'owner_name'], ['gap']),
    ).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['gap'],
      properties: {
        gap: { title: 'Gap', examples: ['612 ft'] },
        colour: { enum: ['red', 'green'] },
        until: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        coats: { type: 'integer', minimum: 0 },
        shut_days: {
          anyOf: [
            { type: 'array', uniqueItems: true, items: { type: 'string', format: 'date' } },
            { type: 'null' },
          ],
        },
        owner_name: { description: 'Personal: sealed in the log.' },
      },
    });
  });
});

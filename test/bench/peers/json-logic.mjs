import jsonLogic from 'json-logic-js';

// json-logic compares with JavaScript's own `<` and takes null for 0, so truths are numbers (false 0, unknown 1,
// true 2), and each test asks first whether there is a value. It has no names for what was worked out: derived values
// are expressions of their own, whose results are laid beside the facts.
const v = (name) => ({ var: name });
const is = (a, b) => ({ '===': [a, b] });
const choose = (...parts) => ({ if: parts });
const test = (name, condition) => choose(is(v(name), null), 1, condition, 2, 0);
const more = (name, limit) => test(name, { '>': [v(name), limit] });
const least = (name, limit) => test(name, { '>=': [v(name), limit] });
const most = (name, limit) => test(name, { '<=': [v(name), limit] });
const yes = (name) => test(name, is(v(name), true));
const no = (name) => test(name, is(v(name), false));
const and = (...list) => ({ min: list });
const or = (...list) => ({ max: list });
const not = (truth) => ({ '-': [2, truth] });
const missing = (...names) => ({ or: names.map((one) => is(v(one), null)) });
const where = (applies, good) => choose(is(v(applies), 1), 1, is(v(applies), 0), 2, good);
/** Violated 1, unknown 2, satisfied 0: what a truth says of a clause. */
const codeOf = (truth) => ({ '%': [{ '+': [truth, 1] }, 3] });
const verdict = (applies, good) => choose(is(v(applies), 0), 3, is(v(applies), 1), 2, codeOf(good));

const DAY = { '%': [v('spread_date'), 10_000] };
/** Floor of the year: a remainder is all that the language has. */
const yearOf = (date) => ({ '-': [date, { '%': [date, 10_000] }] });
const DRY = {
  '/': [{ '*': [v('dry_mass'), 2000] }, { '/': [{ '*': [8.34, v('total_solids')] }, 100] }],
};
const RATE_MET = most('rate', 20_000);

const DERIVED = {
  sludge: choose(
    missing('waste_type'),
    1,
    is(v('waste_type'), 'household_septage'),
    yes('septage_in_scope'),
    is(v('waste_type'), 'municipal_sewage_sludge'),
    not(and(yes('nr_204_applies'), yes('treated_at_approved_plant'), yes('stabilized_at_approved_plant'))),
    is(v('waste_type'), 'farm_manure'),
    0,
    2,
  ),
  wet: test('form', is(v('form'), 'wet')),
  dried: test('form', is(v('form'), 'dried')),
  wet_sludge: and(v('sludge'), v('wet')),
  season: test('spread_date', { or: [{ '>=': [DAY, 1031] }, { '<=': [DAY, 430] }] }),
  year: choose(missing('spread_date'), null, yearOf(v('spread_date'))),
  load: choose(
    missing('form'),
    null,
    is(v('form'), 'wet'),
    v('wet_volume'),
    missing('dry_mass', 'total_solids'),
    null,
    DRY,
  ),
  // `reduce` sees nothing but its own two values: the year of each spreading is told by the filter, which has none
  // of the outer names either, so each spreading carries the year of the load beside its own.
  rate: choose(missing('load', 'earlier_spreadings', 'spread_date', 'spread_area'), null, {
    '/': [
      {
        reduce: [
          v('earlier_spreadings'),
          {
            '+': [
              v('accumulator'),
              choose(is(yearOf(v('current.on')), v('current.load_year')), v('current.gal'), 0),
            ],
          },
          v('load'),
        ],
      },
      v('spread_area'),
    ],
  }),
  done: choose(
    missing('incorporation_method'),
    null,
    is(v('incorporation_method'), 'knifed_in'),
    v('incorporated_at'),
    0,
  ),
  permit: choose(
    is(v('daily_permit_for'), 0),
    0,
    missing('daily_permit_for', 'spread_date'),
    1,
    is(v('daily_permit_for'), v('spread_date')),
    2,
    0,
  ),
  thin: test('frost_depth', { '<': [v('frost_depth'), 2] }),
};
const NAMED = choose(
  missing('state_permit_holders'),
  1,
  is(v('state_permit_holders.0'), null),
  0,
  missing('spreader'),
  1,
  { in: [v('spreader'), v('state_permit_holders')] },
  2,
  0,
);
const EXCUSED = choose(
  is(and(v('thin'), v('permit')), 0),
  0,
  and(
    v('thin'),
    v('permit'),
    more('distance_to_residence', 600),
    more('distance_to_community_well', 1000),
    most('use_number', 1),
    where('wet', RATE_MET),
    where('dried', RATE_MET),
    no('saturated'),
    or(most('frost_depth', 0), and(v('season'), v('permit'), v('thin'))),
    NAMED,
    yes('complies_with_other_law'),
    more('distance_to_drainageway', 600),
    least('distance_to_private_well', 600),
    no('contamination_risk'),
    least('distance_to_waterway', 600),
    no('soil_health_hazard'),
    no('nuisance'),
    no('land_treatment_harm'),
    yes('beneficial_properties'),
  ),
);
const CLAUSES = [
  choose(
    is(v('sludge'), 0),
    3,
    is(v('sludge'), 1),
    2,
    is(v('season'), 0),
    0,
    codeOf(or(not(v('season')), EXCUSED)),
  ),
  verdict('sludge', more('distance_to_residence', 600)),
  verdict('sludge', more('distance_to_community_well', 1000)),
  verdict('sludge', most('use_number', 1)),
  verdict('wet_sludge', RATE_MET),
  choose(
    is(v('wet_sludge'), 0),
    3,
    { or: [is(v('wet_sludge'), 1), missing('first_spread_at', 'done')] },
    2,
    { '<': [v('done'), v('first_spread_at')] },
    choose({ '>': [v('now'), v('due_at')] }, 1, 2),
    { '<=': [v('done'), v('due_at')] },
    0,
    1,
  ),
];
const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'];

export const name = 'json-logic-js';

export function open() {
  const derived = Object.entries(DERIVED);
  return {
    encode: (plain) => {
      const load_year = plain.spread_date - (plain.spread_date % 10_000);
      const earlier = plain.earlier_spreadings?.map((one) => ({ ...one, load_year }));
      return earlier ? { ...plain, earlier_spreadings: earlier } : plain;
    },
    judge(facts) {
      const data = { ...facts };
      for (const [key, expression] of derived) data[key] = jsonLogic.apply(expression, data);
      return CLAUSES.map((clause) => STATUS[jsonLogic.apply(clause, data)]);
    },
  };
}

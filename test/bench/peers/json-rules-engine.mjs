import jre from 'json-rules-engine';

const { Engine } = jre;

// Each clause is three rules: when it does not apply, when it is violated, when it is satisfied. Where none of them
// fires it is unknown. A missing fact makes every condition on it false, so what is written out is both the condition
// and its opposite, each in terms that a missing fact can't fulfil.
const fact = (name, operator, value) => ({ fact: name, operator, value });
const all = (...conditions) => ({ all: conditions });
const any = (...conditions) => ({ any: conditions });

/** A test as a pair: what makes it certainly true, and what makes it certainly false. */
const test = (name, yes, no, value) => ({ yes: fact(name, yes, value), no: fact(name, no, value) });
const more = (name, value) => test(name, 'greaterThan', 'lessThanInclusive', value);
const least = (name, value) => test(name, 'greaterThanInclusive', 'lessThan', value);
const most = (name, value) => test(name, 'lessThanInclusive', 'greaterThan', value);
const less = (name, value) => test(name, 'lessThan', 'greaterThanInclusive', value);
const yes = (name) => ({ yes: fact(name, 'equal', true), no: fact(name, 'equal', false) });
const text = (name, value) => ({ yes: fact(name, 'equal', value), no: fact(name, 'isOtherText', value) });
const not = (one) => ({ yes: one.no, no: one.yes });
/** Asked before its neighbours, which are left alone where it settles the matter; else the engine asks all of them. */
const first = (one) => ({ yes: { ...one.yes, priority: 10 }, no: { ...one.no, priority: 10 } });
const and = (...tests) => ({ yes: all(...tests.map((t) => t.yes)), no: any(...tests.map((t) => t.no)) });
const or = (...tests) => ({ yes: any(...tests.map((t) => t.yes)), no: all(...tests.map((t) => t.no)) });

const sludge = yes('is_sludge');
const wet = text('form', 'wet');
const season = { yes: fact('spread_date', 'inSeason', true), no: fact('spread_date', 'inSeason', false) };
const permit = {
  yes: fact('daily_permit_for', 'sameDay', { fact: 'spread_date' }),
  no: any(
    fact('daily_permit_for', 'equal', 0),
    fact('daily_permit_for', 'otherDay', { fact: 'spread_date' }),
  ),
};
const thin = less('frost_depth', 2);
const rate = most('application_rate', 20_000);
const named = {
  yes: fact('spreader', 'oneOf', { fact: 'state_permit_holders' }),
  no: any(
    fact('state_permit_holders', 'isEmpty', true),
    fact('spreader', 'noneOf', { fact: 'state_permit_holders' }),
  ),
};
/** A term of the season's exception that has a condition of its own: known not to apply, or known to, and kept. */
const where = (applies, good) => ({
  yes: any(applies.no, all(applies.yes, good.yes)),
  no: all(applies.yes, good.no),
});

const excused = and(
  first(thin),
  first(permit),
  more('distance_to_residence', 600),
  more('distance_to_community_well', 1000),
  most('use_number', 1),
  where(wet, rate),
  where(not(wet), rate),
  not(yes('saturated')),
  or(not(more('frost_depth', 0)), and(season, permit, thin)),
  named,
  yes('complies_with_other_law'),
  more('distance_to_drainageway', 600),
  least('distance_to_private_well', 600),
  not(yes('contamination_risk')),
  least('distance_to_waterway', 600),
  not(yes('soil_health_hazard')),
  not(yes('nuisance')),
  not(yes('land_treatment_harm')),
  yes('beneficial_properties'),
);

const late = fact('knifed_in_at', 'greaterThan', { fact: 'due_at' });
const begun = fact('knifed_in_at', 'greaterThanInclusive', { fact: 'first_spread_at' });
const notDone = fact('knifed_in_at', 'lessThan', { fact: 'first_spread_at' });
const CLAUSES = [
  { applies: sludge, good: or(first(not(season)), excused) },
  { applies: sludge, good: more('distance_to_residence', 600) },
  { applies: sludge, good: more('distance_to_community_well', 1000) },
  { applies: sludge, good: most('use_number', 1) },
  { applies: and(sludge, wet), good: rate },
  {
    applies: and(sludge, wet),
    good: {
      yes: all(begun, fact('knifed_in_at', 'lessThanInclusive', { fact: 'due_at' })),
      no: any(all(begun, late), all(notDone, fact('now', 'greaterThan', { fact: 'due_at' }))),
    },
  },
];

export const name = 'json-rules-engine';

export function open() {
  const engine = new Engine([], { allowUndefinedFacts: true });
  engine.addOperator('isOtherText', (value, other) => typeof value === 'string' && value !== other);
  engine.addOperator('isEmpty', (value) => Array.isArray(value) && value.length === 0);
  engine.addOperator('oneOf', (value, list) => typeof value === 'string' && list?.includes(value) === true);
  engine.addOperator(
    'noneOf',
    (value, list) => typeof value === 'string' && Array.isArray(list) && !list.includes(value),
  );
  engine.addOperator('sameDay', (day, other) => Boolean(day) && day === other);
  engine.addOperator('otherDay', (day, other) => Boolean(day) && other !== undefined && day !== other);
  engine.addOperator('inSeason', (day, inside) => {
    if (typeof day !== 'number') return false;
    return (day % 10_000 >= 1031 || day % 10_000 <= 430) === inside;
  });
  engine.addFact('is_sludge', isSludge);
  engine.addFact('application_rate', applicationRate);
  engine.addFact('knifed_in_at', knifedInAt);
  CLAUSES.forEach(({ applies, good }, index) => {
    const rule = (status, conditions) =>
      engine.addRule({ conditions, event: { type: status, params: { index } } });
    const scope = first(applies);
    rule('not_applicable', any(scope.no));
    rule('violated', all(scope.yes, good.no));
    rule('satisfied', all(scope.yes, good.yes));
  });
  return {
    encode: (plain) => plain,
    async judge(facts) {
      const found = new Array(CLAUSES.length).fill('unknown');
      const { events } = await engine.run(facts);
      for (const { type, params } of events) found[params.index] = type;
      return found;
    },
  };
}

// The engine has conditions and no formulas: derived values are functions beside the rules.
async function isSludge(_params, almanac) {
  const type = await almanac.factValue('waste_type');
  if (type === undefined) return undefined;
  if (type === 'household_septage') return almanac.factValue('septage_in_scope');
  if (type !== 'municipal_sewage_sludge') return type !== 'farm_manure';
  const three = [
    await almanac.factValue('nr_204_applies'),
    await almanac.factValue('treated_at_approved_plant'),
    await almanac.factValue('stabilized_at_approved_plant'),
  ];
  if (three.includes(false)) return true;
  return three.includes(undefined) ? undefined : false;
}

async function applicationRate(_params, almanac) {
  const form = await almanac.factValue('form');
  const earlier = await almanac.factValue('earlier_spreadings');
  const date = await almanac.factValue('spread_date');
  const area = await almanac.factValue('spread_area');
  if (form === undefined || !earlier || date === undefined || area === undefined) return undefined;
  const dry = async () =>
    ((await almanac.factValue('dry_mass')) * 2000) /
    ((8.34 * (await almanac.factValue('total_solids'))) / 100);
  const load = form === 'wet' ? await almanac.factValue('wet_volume') : await dry();
  const year = Math.floor(date / 10_000);
  const sum = earlier.reduce((s, { on, gal }) => (Math.floor(on / 10_000) === year ? s + gal : s), load);
  return Number.isNaN(sum) ? undefined : sum / area;
}

async function knifedInAt(_params, almanac) {
  const method = await almanac.factValue('incorporation_method');
  if (method === undefined) return undefined;
  return method === 'knifed_in' ? almanac.factValue('incorporated_at') : 0;
}

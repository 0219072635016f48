import { Environment } from '@marcbachmann/cel-js';

// Typed CEL. A missing fact is no variable at all: reading it is an error, and CEL's own && and || take an error for
// unknown. So an expression that can't be evaluated says `unknown`, which is how the language wants it.
const DOUBLES = [
  'wet_volume',
  'dry_mass',
  'total_solids',
  'spread_area',
  'use_number',
  'frost_depth',
  'distance_to_residence',
  'distance_to_community_well',
  'distance_to_drainageway',
  'distance_to_private_well',
  'distance_to_waterway',
  'first_spread_at',
  'due_at',
  'incorporated_at',
  'now',
  'application_rate',
  'knifed_in_at',
];
const STRINGS = ['waste_type', 'form', 'spread_date', 'daily_permit_for', 'incorporation_method', 'spreader'];
const BOOLS = [
  'nr_204_applies',
  'treated_at_approved_plant',
  'stabilized_at_approved_plant',
  'septage_in_scope',
  'saturated',
  'complies_with_other_law',
  'contamination_risk',
  'soil_health_hazard',
  'nuisance',
  'land_treatment_harm',
  'beneficial_properties',
  'is_sludge',
  'in_season',
];

const DERIVED = {
  is_sludge: `
    waste_type == "household_septage" ? septage_in_scope :
    waste_type == "municipal_sewage_sludge"
      ? !(nr_204_applies && treated_at_approved_plant && stabilized_at_approved_plant)
      : waste_type != "farm_manure"`,
  in_season: 'spread_date.substring(5) >= "10-31" || spread_date.substring(5) <= "04-30"',
  // The year of the load counts even where there was no load before it: asked first, so that it must be known.
  application_rate: `
    ((spread_date == "" ? 0.0 : sum(earlier_spreadings.filter(s, s.on.substring(0, 4) == spread_date.substring(0, 4)).map(s, s.gal)))
      + (form == "wet" ? wet_volume : dry_mass * 2000.0 / (8.34 * total_solids / 100.0))) / spread_area`,
  knifed_in_at: 'incorporation_method == "knifed_in" ? incorporated_at : 0.0',
};

const PERMIT = 'daily_permit_for != "" && daily_permit_for == spread_date';
/** What par. A calls every other term: each is met, or does not apply. */
const TERMS = [
  'distance_to_residence > 600.0',
  'distance_to_community_well > 1000.0',
  'use_number <= 1.0',
  // Either form has the same figure; which one applies must still be known.
  '(form == "wet" ? application_rate <= 20000.0 : application_rate <= 20000.0)',
  '!saturated',
  `(!(frost_depth > 0.0) || (in_season && ${PERMIT} && frost_depth < 2.0))`,
  '(size(state_permit_holders) > 0 && spreader in state_permit_holders)',
  'complies_with_other_law',
  'distance_to_drainageway > 600.0',
  'distance_to_private_well >= 600.0',
  '!contamination_risk',
  'distance_to_waterway >= 600.0',
  '!soil_health_hazard',
  '!nuisance',
  '!land_treatment_harm',
  'beneficial_properties',
];

// 0 satisfied, 1 violated, 2 unknown, 3 not applicable
const clause = (applies, good) => `${applies} ? (${good} ? 0 : 1) : 3`;
const EXPRESSIONS = [
  clause('is_sludge', `!in_season || (frost_depth < 2.0 && ${PERMIT} && ${TERMS.join(' && ')})`),
  clause('is_sludge', 'distance_to_residence > 600.0'),
  clause('is_sludge', 'distance_to_community_well > 1000.0'),
  clause('is_sludge', 'use_number <= 1.0'),
  clause('is_sludge && form == "wet"', 'application_rate <= 20000.0'),
  `is_sludge && form == "wet"
    ? (knifed_in_at < first_spread_at ? (now > due_at ? 1 : 2) : (knifed_in_at <= due_at ? 0 : 1))
    : 3`,
];
const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'];

export const name = '@marcbachmann/cel-js';

export function open() {
  const env = new Environment();
  for (const one of DOUBLES) env.registerVariable(one, 'double');
  for (const one of STRINGS) env.registerVariable(one, 'string');
  for (const one of BOOLS) env.registerVariable(one, 'bool');
  env.registerVariable('state_permit_holders', 'list<string>');
  env.registerVariable('earlier_spreadings', 'list<map<string, dyn>>');
  env.registerFunction('sum(list<dyn>): double', (list) => list.reduce((sum, one) => sum + one, 0));
  const derived = Object.entries(DERIVED).map(([key, text]) => [key, env.parse(text)]);
  const clauses = EXPRESSIONS.map((text) => env.parse(text));

  // Derived values are worked out once and handed to the clauses: the language has no names of its own for them.
  function judge(facts) {
    const context = { ...facts };
    for (const [key, evaluate] of derived) {
      try {
        context[key] = evaluate(context);
      } catch {
        // Unknown: it stays no variable.
      }
    }
    return clauses.map((evaluate) => {
      try {
        return STATUS[Number(evaluate(context))];
      } catch {
        return 'unknown';
      }
    });
  }
  return { encode, judge };
}

const iso = (day) => (day === 0 ? '' : String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'));

/** CEL has texts and doubles, and no whole number but a bigint: dates are handed over as the texts they are. */
function encode(plain) {
  const facts = { ...plain };
  for (const key of ['spread_date', 'daily_permit_for']) if (key in facts) facts[key] = iso(facts[key]);
  if (facts.earlier_spreadings) {
    facts.earlier_spreadings = facts.earlier_spreadings.map(({ on, gal }) => ({ on: iso(on), gal }));
  }
  return facts;
}

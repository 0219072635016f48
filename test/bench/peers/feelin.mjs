import { evaluate } from 'feelin';

// FEEL has three-valued logic of its own: null is unknown, and `false and null` is false. Only `=` is two-valued, so
// each equality asks first whether there is a value. The whole is one context expression, parsed at each evaluation:
// feelin has no form for an expression that was parsed before.
const eq = (name, value) => `(if ${name} = null then null else ${name} = ${value})`;
const yes = (name) => eq(name, 'true');
const no = (name) => eq(name, 'false');
const PERMIT =
  '(if daily_permit_for = 0 then false else if daily_permit_for = null or spread_date = null then null else daily_permit_for = spread_date)';
const NAMED =
  '(if state_permit_holders = null then null else if count(state_permit_holders) = 0 then false else if spreader = null then null else list contains(state_permit_holders, spreader))';
/** Known not to apply, or known to and kept. */
const where = (applies, good) => `(if ${applies} = null then null else if ${applies} then ${good} else true)`;

const TERMS = [
  'distance_to_residence > 600',
  'distance_to_community_well > 1000',
  'use_number <= 1',
  where('wet', 'application_rate <= 20000'),
  where('dried', 'application_rate <= 20000'),
  no('saturated'),
  `(frost_depth <= 0 or (in_season and permit and frost_depth < 2))`,
  NAMED,
  yes('complies_with_other_law'),
  'distance_to_drainageway > 600',
  'distance_to_private_well >= 600',
  no('contamination_risk'),
  'distance_to_waterway >= 600',
  no('soil_health_hazard'),
  no('nuisance'),
  no('land_treatment_harm'),
  yes('beneficial_properties'),
];

// 0 satisfied, 1 violated, 2 unknown, 3 not applicable
const verdict = (applies, good) =>
  `if ${applies} = null then 2 else if not(${applies}) then 3 else if (${good}) = null then 2 else if (${good}) then 0 else 1`;

const SOURCE = `{
  is_sludge: if waste_type = null then null
    else if waste_type = "household_septage" then septage_in_scope
    else if waste_type = "municipal_sewage_sludge"
      then not(nr_204_applies and treated_at_approved_plant and stabilized_at_approved_plant)
    else waste_type != "farm_manure",
  wet: ${eq('form', '"wet"')},
  dried: ${eq('form', '"dried"')},
  wet_sludge: is_sludge and wet,
  in_season: if spread_date = null then null
    else modulo(spread_date, 10000) >= 1031 or modulo(spread_date, 10000) <= 430,
  permit: ${PERMIT},
  load: if form = null then null else if wet then wet_volume
    else if dry_mass = null or total_solids = null then null else dry_mass * 2000 / (8.34 * total_solids / 100),
  application_rate: if load = null or earlier_spreadings = null or spread_date = null or spread_area = null then null
    else (sum(concatenate([load],
      for s in earlier_spreadings return if floor(s.on / 10000) = floor(spread_date / 10000) then s.gal else 0
    ))) / spread_area,
  knifed_in_at: if incorporation_method = null then null
    else if incorporation_method = "knifed_in" then incorporated_at else 0,
  excused: frost_depth < 2 and permit and ${TERMS.join(' and ')},
  a: if is_sludge = null then 2 else if not(is_sludge) then 3 else if in_season = false then 0
    else if in_season = null and excused = true then 0 else if in_season = null or excused = null
      then (if in_season = true and excused = false then 1 else 2)
    else if excused then 0 else 1,
  residence: ${verdict('is_sludge', 'distance_to_residence > 600')},
  well: ${verdict('is_sludge', 'distance_to_community_well > 1000')},
  use: ${verdict('is_sludge', 'use_number <= 1')},
  amount: ${verdict('wet_sludge', 'application_rate <= 20000')},
  deadline: if wet_sludge = null then 2 else if not(wet_sludge) then 3
    else if first_spread_at = null or knifed_in_at = null then 2
    else if knifed_in_at < first_spread_at then (if now_ms > due_at then 1 else 2)
    else if knifed_in_at <= due_at then 0 else 1
}`;
const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'];

export const name = 'feelin';

/** `names`: all facts there may be. A missing one is null: without the name feelin would warn of each. */
export function open({ names }) {
  const nothing = Object.fromEntries(names.map((one) => [one, null]));
  return {
    // `now` is a function of the language.
    encode: ({ now, ...plain }) => ({ ...nothing, ...plain, now_ms: now }),
    judge(facts) {
      const { a, residence, well, use, amount, deadline } = evaluate(SOURCE, facts).value;
      return [a, residence, well, use, amount, deadline].map((code) => STATUS[code]);
    },
  };
}

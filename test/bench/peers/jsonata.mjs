import jsonata from 'jsonata';

// JSONata takes a missing value for false in `and` and `or`, and drops it from comparisons, so truths are numbers
// (false 0, unknown 1, true 2). A block names its values, which are worked out once.
const test = (name, text) => `($exists(${name}) ? (${text} ? 2 : 0) : 1)`;
const more = (name, limit) => test(name, `${name} > ${limit}`);
const least = (name, limit) => test(name, `${name} >= ${limit}`);
const yes = (name) => test(name, `${name} = true`);
const no = (name) => test(name, `${name} = false`);
const and = (...list) => `$min([${list.join(', ')}])`;
const or = (...list) => `$max([${list.join(', ')}])`;
const where = (applies, good) => `(${applies} = 1 ? 1 : ${applies} = 0 ? 2 : ${good})`;
const verdict = (applies, good) =>
  `(${applies} = 0 ? 3 : ${applies} = 1 ? 2 : ($good := ${good}; $good = 1 ? 2 : $good = 2 ? 0 : 1))`;

const RATE_MET = test('$rate', '$rate <= 20000');
const SOURCE = `(
  $sludge := $exists(waste_type)
    ? (waste_type = "household_septage" ? ${yes('septage_in_scope')}
      : waste_type = "municipal_sewage_sludge"
        ? 2 - ${and(yes('nr_204_applies'), yes('treated_at_approved_plant'), yes('stabilized_at_approved_plant'))}
      : waste_type = "farm_manure" ? 0 : 2)
    : 1;
  $wet := ${test('form', 'form = "wet"')};
  $dried := ${test('form', 'form = "dried"')};
  $wetSludge := ${and('$sludge', '$wet')};
  $season := ${test('spread_date', '(spread_date % 10000 >= 1031 or spread_date % 10000 <= 430)')};
  $load := form = "wet" ? wet_volume
    : form = "dried" and $exists(dry_mass) and $exists(total_solids) ? dry_mass * 2000 / (8.34 * total_solids / 100);
  $year := $floor(spread_date / 10000);
  $rate := $exists($load) and $exists(earlier_spreadings) and $exists(spread_date) and $exists(spread_area)
    ? ($load + $sum([earlier_spreadings[$floor(on / 10000) = $year].gal])) / spread_area;
  $excused := function() {(
    $thin := ${test('frost_depth', 'frost_depth < 2')};
    $permit := daily_permit_for = 0 ? 0 : $exists(daily_permit_for) and $exists(spread_date)
      ? (daily_permit_for = spread_date ? 2 : 0) : 1;
    $named := $exists(state_permit_holders)
      ? ($count(state_permit_holders) = 0 ? 0 : ${test('spreader', 'spreader in state_permit_holders')}) : 1;
    ${and('$thin', '$permit')} = 0 ? 0 : ${and(
      '$thin',
      '$permit',
      more('distance_to_residence', 600),
      more('distance_to_community_well', 1000),
      test('use_number', 'use_number <= 1'),
      where('$wet', RATE_MET),
      where('$dried', RATE_MET),
      no('saturated'),
      or(test('frost_depth', 'frost_depth <= 0'), and('$season', '$permit', '$thin')),
      '$named',
      yes('complies_with_other_law'),
      more('distance_to_drainageway', 600),
      least('distance_to_private_well', 600),
      no('contamination_risk'),
      least('distance_to_waterway', 600),
      no('soil_health_hazard'),
      no('nuisance'),
      no('land_treatment_harm'),
      yes('beneficial_properties'),
    )}
  )};
  $done := incorporation_method = "knifed_in" ? incorporated_at : $exists(incorporation_method) ? 0;
  [
    $sludge = 0 ? 3 : $sludge = 1 ? 2 : $season = 0 ? 0
      : ($free := ${or('2 - $season', '$excused()')}; $free = 2 ? 0 : $free = 1 ? 2 : 1),
    ${verdict('$sludge', more('distance_to_residence', 600))},
    ${verdict('$sludge', more('distance_to_community_well', 1000))},
    ${verdict('$sludge', test('use_number', 'use_number <= 1'))},
    ${verdict('$wetSludge', RATE_MET)},
    $wetSludge = 0 ? 3 : $wetSludge = 1 or $not($exists(first_spread_at)) or $not($exists($done)) ? 2
      : $done < first_spread_at ? (now > due_at ? 1 : 2) : $done <= due_at ? 0 : 1
  ]
)`;
const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'];

export const name = 'jsonata';

export function open() {
  const expression = jsonata(SOURCE);
  return {
    encode: (plain) => plain,
    judge: async (facts) => (await expression.evaluate(facts)).map((code) => STATUS[code]),
  };
}

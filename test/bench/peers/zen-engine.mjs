import zen from '@gorules/zen-engine';

// JDM: one expression node of a decision graph. Its logic is two-valued and null compares with nothing, so truths are
// numbers (false 0, unknown 1, true 2): `and` is the least of them, `or` the greatest.
const test = (name, text) => `(${name} == null ? 1 : ${text} ? 2 : 0)`;
const more = (name, limit) => test(name, `${name} > ${limit}`);
const least = (name, limit) => test(name, `${name} >= ${limit}`);
const yes = (name) => test(name, `${name} == true`);
const no = (name) => test(name, `${name} == false`);
const and = (...list) => `min([${list.join(', ')}])`;
const or = (...list) => `max([${list.join(', ')}])`;
const where = (applies, good) => `(${applies} == 1 ? 1 : ${applies} == 0 ? 2 : ${good})`;
const verdict = (applies, good) =>
  `${applies} == 0 ? 3 : ${applies} == 1 ? 2 : ${good} == 1 ? 2 : ${good} == 2 ? 0 : 1`;

const RATE_MET = test('$.rate', '$.rate <= 20000');
const FROST_MET = or(test('frost_depth', 'frost_depth <= 0'), and('$.season', '$.permit', '$.thin'));
const EXPRESSIONS = {
  sludge: `waste_type == null ? 1
    : waste_type == "household_septage" ? ${yes('septage_in_scope')}
    : waste_type == "municipal_sewage_sludge"
      ? 2 - ${and(yes('nr_204_applies'), yes('treated_at_approved_plant'), yes('stabilized_at_approved_plant'))}
    : waste_type == "farm_manure" ? 0 : 2`,
  wet: test('form', 'form == "wet"'),
  dried: test('form', 'form == "dried"'),
  season: test('spread_date', '(spread_date % 10000 >= 1031 or spread_date % 10000 <= 430)'),
  permit: `daily_permit_for == 0 ? 0 : daily_permit_for == null or spread_date == null ? 1
    : daily_permit_for == spread_date ? 2 : 0`,
  thin: test('frost_depth', 'frost_depth < 2'),
  load: `form == null ? null : form == "wet" ? wet_volume
    : dry_mass == null or total_solids == null ? null : dry_mass * 2000 / (8.34 * total_solids / 100)`,
  rate: `$.load == null or earlier_spreadings == null or spread_date == null or spread_area == null ? null
    : ($.load + (len(earlier_spreadings) == 0 ? 0
      : sum(map(earlier_spreadings, floor(#.on / 10000) == floor(spread_date / 10000) ? #.gal : 0)))) / spread_area`,
  done: 'incorporation_method == null ? null : incorporation_method == "knifed_in" ? incorporated_at : 0',
  named: `state_permit_holders == null ? 1 : len(state_permit_holders) == 0 ? 0
    : spreader == null ? 1 : spreader in state_permit_holders ? 2 : 0`,
  excused: `$.season == 0 ? 1 : ${and('$.thin', '$.permit')} == 0 ? 0 : ${and(
    '$.thin',
    '$.permit',
    more('distance_to_residence', 600),
    more('distance_to_community_well', 1000),
    test('use_number', 'use_number <= 1'),
    where('$.wet', RATE_MET),
    where('$.dried', RATE_MET),
    no('saturated'),
    FROST_MET,
    '$.named',
    yes('complies_with_other_law'),
    more('distance_to_drainageway', 600),
    least('distance_to_private_well', 600),
    no('contamination_risk'),
    least('distance_to_waterway', 600),
    no('soil_health_hazard'),
    no('nuisance'),
    no('land_treatment_harm'),
    yes('beneficial_properties'),
  )}`,
  wetSludge: and('$.sludge', '$.wet'),
  a: `$.sludge == 0 ? 3 : $.sludge == 1 ? 2 : ${or('2 - $.season', '$.excused')} == 2 ? 0
    : ${or('2 - $.season', '$.excused')} == 1 ? 2 : 1`,
  residence: verdict('$.sludge', more('distance_to_residence', 600)),
  well: verdict('$.sludge', more('distance_to_community_well', 1000)),
  use: verdict('$.sludge', test('use_number', 'use_number <= 1')),
  amount: verdict('$.wetSludge', RATE_MET),
  deadline: `$.wetSludge == 0 ? 3 : $.wetSludge == 1 or first_spread_at == null or $.done == null ? 2
    : $.done < first_spread_at ? (now > due_at ? 1 : 2) : $.done <= due_at ? 0 : 1`,
};
const GRAPH = {
  nodes: [
    { id: 'in', name: 'in', type: 'inputNode' },
    {
      id: 'judge',
      name: 'judge',
      type: 'expressionNode',
      content: {
        expressions: Object.entries(EXPRESSIONS).map(([key, value]) => ({ id: key, key, value })),
      },
    },
    { id: 'out', name: 'out', type: 'outputNode' },
  ],
  edges: [
    { id: 'e1', sourceId: 'in', targetId: 'judge', type: 'edge' },
    { id: 'e2', sourceId: 'judge', targetId: 'out', type: 'edge' },
  ],
};
const STATUS = ['satisfied', 'violated', 'unknown', 'not_applicable'];

export const name = '@gorules/zen-engine';

export function open() {
  const engine = new zen.ZenEngine();
  const decision = engine.createDecision(new zen.ZenDecisionContent(Buffer.from(JSON.stringify(GRAPH))));
  return {
    encode: (plain) => plain,
    async judge(facts) {
      const { a, residence, well, use, amount, deadline } = (await decision.evaluate(facts)).result;
      return [a, residence, well, use, amount, deadline].map((code) => STATUS[code]);
    },
    close: () => engine.dispose(),
  };
}

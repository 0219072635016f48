import { periodText } from '@headworks/calendars';
import type { Condition, Elsewhere, FoldOp, Formula, Leaf, Rows } from '../model/ir';
import type { PackModel } from '../resolve/pack';

/** A leaf as it is written, and as it stands negated. */
const LEAF_WORDS: Readonly<Record<Leaf['by'], readonly [string, string]>> = {
  at_least: ['is at least', 'is less than'],
  at_most: ['is at most', 'is more than'],
  more_than: ['is more than', 'is at most'],
  less_than: ['is less than', 'is at least'],
  equals: ['is', 'is not'],
  is_one_of: ['is one of', 'is none of'],
  none_of: ['is none of', 'is one of'],
  on_or_after: ['is on or after', 'is before'],
  on_or_before: ['is on or before', 'is after'],
  before: ['is before', 'is on or after'],
  after: ['is after', 'is on or before'],
  in_season: ['falls within', 'falls outside'],
  outside_season: ['falls outside', 'falls within'],
  all_of: ['are all among', 'are not all among'],
  any_of: ['include at least one of', 'include none of'],
  in_year_of: ['is in the year of', 'is in another year than'],
  in_hours: ['falls within', 'falls outside'],
  happened: ['has happened', 'has not happened'],
};

/** A condition as an officer would say it. */
export function conditionWords(model: PackModel, condition: Condition): string {
  switch (condition.op) {
    case 'all':
      return joined(model, condition.of, 'and');
    case 'any':
      return joined(model, condition.of, 'or');
    case 'clauses_met': {
      const ids = condition.clauses.map((index) => model.clauses.get(index)?.def.id ?? '?').join(', ');
      return condition.negated ? `not all of ${ids} are met` : `${ids} are met`;
    }
    case 'elsewhere':
      return elsewhereWords(condition);
    case 'happened':
      return leafWords(model, condition);
    case 'season':
    case 'hours':
      return `${leafWords(model, condition)} ${condition.shown}`;
    case 'compare':
    case 'member':
    case 'sets':
    case 'same_year':
      return `${leafWords(model, condition)} ${formulaWords(model, condition.right)}`;
  }
}

/** `all of spreading of the pack nr-113 are met`. */
function elsewhereWords({ pack, assessment, clauses, negated }: Elsewhere): string {
  const what =
    assessment === undefined ? clauses.join(', ') : `all clauses about ${assessment.replaceAll('_', ' ')}`;
  return `${what} of the pack ${pack} are ${negated ? 'not all ' : ''}met`;
}

function leafWords(model: PackModel, { op, left, by, negated }: Leaf): string {
  // Of a set "none of these" is the opposite of "any of these"; of one thing, of "one of these".
  const turned = op === 'sets' && by === 'none_of';
  return `${formulaWords(model, left)} ${LEAF_WORDS[turned ? 'any_of' : by][negated === turned ? 0 : 1]}`;
}

/** Groups inside groups stand in brackets, as in a formula. */
function joined(model: PackModel, parts: readonly Condition[], word: 'and' | 'or'): string {
  const texts = parts.map((part) => {
    const text = conditionWords(model, part);
    return part.op === 'all' || part.op === 'any' ? `(${text})` : text;
  });
  return texts.join(` ${word} `);
}

const JOINTS: Readonly<Partial<Record<FoldOp, string>>> = {
  sum: ' + ',
  subtract: ' - ',
  multiply: ' x ',
  divide: ' / ',
};

/** A formula by the labels of what it reads. */
export function formulaWords(model: PackModel, formula: Formula): string {
  switch (formula.op) {
    case 'slot':
      return labelOf(model, formula.name);
    case 'literal':
      return formula.value === true ? 'yes' : formula.value === false ? 'no' : formula.shown;
    case 'none':
      return 'none';
    case 'figure':
      return `a figure that is missing (${formula.missing}, kept by ${bodyName(model, formula.keptBy)})`;
    case 'day':
      return `the day of ${formulaWords(model, formula.of[0])}`;
    case 'shift': {
      const { by, towards, clear } = formula;
      const count = by.unit === 'days' && by.amount === 1 ? 'the day' : periodText(by);
      return `${count}${clear ? ', neither end counted,' : ''} ${towards} ${formulaWords(model, formula.of[0])}`;
    }
    case 'year_day':
      return yearDayWords(model, formula);
    case 'month_end':
      return `the last day of the month of ${formulaWords(model, formula.of[0])}`;
    case 'year':
      return `the year of ${formulaWords(model, formula.of[0])}`;
    case 'sum_of':
      return `the sum of ${formula.field} in ${seriesLabel(model, formula.series)}${rowsWords(model, formula)}`;
    case 'count_of':
      return `the number of ${seriesLabel(model, formula.series)}${rowsWords(model, formula)}`;
    case 'field':
      return formula.field.replaceAll('_', ' ');
    case 'scheduled':
      return `'${formula.says}' of the schedule ${formula.schedule}${formula.on ? ` on ${formulaWords(model, formula.on)}` : ''}`;
    case 'table':
      return tableWords(model, formula);
    case 'choose': {
      const branches = formula.branches.map(
        ({ when, then }) => `${formulaWords(model, then)} where ${conditionWords(model, when)}`,
      );
      return [...branches, `else ${formulaWords(model, formula.otherwise)}`].join(', ');
    }
    case 'test':
      return conditionWords(model, formula.condition);
    case 'fold': {
      const parts = formula.of.map((part) => {
        const text = formulaWords(model, part);
        return part.op === 'slot' || part.op === 'literal' ? text : `(${text})`;
      });
      const joint = JOINTS[formula.by];
      return joint === undefined ? `the ${formula.by} of ${parts.join(', ')}` : parts.join(joint);
    }
  }
}

/** `Sep 1 of the year before that of the discharge, moved on as a filing is`. */
function yearDayWords(model: PackModel, formula: Extract<Formula, { op: 'year_day' }>): string {
  const { shown, years, rolls } = formula;
  const of = formulaWords(model, formula.of[0]);
  const count = Math.abs(years) === 1 ? 'the year' : `${Math.abs(years)} years`;
  const step = years === 0 ? 'the year of' : `${count} ${years < 0 ? 'before' : 'after'} that of`;
  return `${shown} of ${step} ${of}${rolls ? `, moved on as a ${rolls} is` : ''}`;
}

const seriesLabel = (model: PackModel, slot: number): string =>
  labelOf(model, model.slots[slot]?.name ?? '?');

/** Which rows: `in the year of the visit`, `in the 365 days up to the visit`, `where kind is liquid`. */
function rowsWords(model: PackModel, { sameYear, rolling, where }: Rows): string {
  const days = rolling && periodText({ amount: rolling.amount, unit: rolling.unit });
  return [
    sameYear && ` in the year of ${formulaWords(model, sameYear.as)}`,
    rolling && ` in the ${days} up to ${formulaWords(model, rolling.as)}`,
    where && ` where ${conditionWords(model, where)}`,
  ]
    .filter((part) => part !== undefined)
    .join('');
}

function tableWords(model: PackModel, { table, axes }: Extract<Formula, { op: 'table' }>): string {
  const by = axes.map(({ of, names, fixed }) =>
    of ? formulaWords(model, of) : (names[fixed ?? 0] ?? '').replaceAll('_', ' '),
  );
  return `the figure of the table '${model.raw.tables?.[table]?.label ?? table}' for ${by.join(', ')}`;
}

/** A label inside a sentence starts small, unless it is a name or an abbreviation. */
export function labelOf(model: PackModel, name: string): string {
  return (model.raw.facts[name]?.label ?? model.raw.derived?.[name]?.label ?? name).replace(
    /^[A-Z](?=[a-z ])/,
    (c) => c.toLowerCase(),
  );
}

export const bodyName = (model: PackModel, id: string): string => model.raw.bodies[id]?.name ?? id;

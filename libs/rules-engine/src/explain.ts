import {
  isJsonObject,
  type Finding,
  type JsonValue,
  type Operand,
  type QuantityJson,
} from '@headworks/kernel';

/** What must hold, in words; the finding's own figure stands before it and the limit after it. */
const OP_WORDS: Readonly<Record<string, string>> = {
  at_least: 'at least',
  at_most: 'at most',
  more_than: 'more than',
  less_than: 'less than',
  is_one_of: 'one of',
  none_of: 'none of',
  on_or_after: 'on or after',
  on_or_before: 'on or before',
  after: 'after',
  before: 'before',
  in_season: 'within',
  outside_season: 'outside',
  in_hours: 'within',
  outside_hours: 'outside',
  in_year_of: 'in the year of',
  not_in_year_of: 'in another year than',
};
/** Limits from above: past them is "over", short of a lower one is "short". */
const UPPER: ReadonlySet<string> = new Set(['at_most', 'less_than', 'on_or_before', 'before']);

/** One line for people: `612 ft, more than 600 ft: 12 ft to spare`. Made on request, never stored. */
export function explainFinding(finding: Finding): string {
  switch (finding.status) {
    case 'not_applicable':
      return 'does not apply here';
    case 'unknown':
      return explainUnknown(finding);
    case 'satisfied':
    case 'violated':
      if (finding.due) return explainDeadline(finding);
      if (finding.amount) return `${shown(finding.amount)} to pay`;
      return finding.limit ? explainLimit(finding, finding.limit) : plainStatus(finding);
  }
}

const plainStatus = (finding: Finding): string => (finding.status === 'satisfied' ? 'met' : 'not met');

/** Unknown has four causes, and each asks for something else: a fact, a judgement, patience, or a figure of the law. */
function explainUnknown(finding: Finding): string {
  const list = finding.missing.join(', ');
  const reason = finding.reason ?? 'fact_missing';
  switch (reason) {
    case 'awaiting_judgement':
      return `unknown: waits for a judgement on ${list}`;
    case 'not_yet_due':
      if (finding.pausedSince !== undefined) {
        return `not yet due: the clock stands still since ${finding.pausedSince}`;
      }
      return finding.due ? `not yet due: until ${dueShown(finding)}` : 'not yet due';
    case 'figure_missing':
      return 'unknown: the law leaves a figure to somebody who has not given it';
    case 'fact_missing':
      return list ? `unknown: nobody has said ${list}` : 'unknown';
  }
}

/** Time to spare or time late, measured against the statutory end, in hours of the clock. */
function explainDeadline(finding: Finding): string {
  const met = finding.status === 'satisfied';
  // Not done at all is seen just after the end: it is late by nothing worth telling.
  const told = finding.margin && finding.margin.value !== '0';
  const margin = told && finding.margin ? `: ${absolute(finding.margin)} ${met ? 'to spare' : 'late'}` : '';
  const outcome = finding.outcome ? ` (${finding.outcome.replaceAll('_', ' ')})` : '';
  return `${met ? 'done' : 'not done'} in time, due by ${dueShown(finding)}${margin}${met ? '' : outcome}`;
}

/** The statutory end, and where it differs the one by the clock: between the two a breach is contestable. */
function dueShown({ due }: Finding): string {
  if (!due) return 'a day not known';
  if (due.elapsedAt === null) return `the end of ${due.date}`;
  return due.elapsedAt === due.at ? due.at : `${due.at} (by the clock ${due.elapsedAt})`;
}

/** The figure, what must hold of it, and by how much it does or does not. */
function explainLimit(finding: Finding, limit: NonNullable<Finding['limit']>): string {
  const operand = finding.operands[0];
  const met = finding.status === 'satisfied';
  const special = explainSpecial(finding, limit, operand, met);
  if (special !== undefined) return special;
  const words = OP_WORDS[limit.op] ?? limit.op.replaceAll('_', ' ');
  const wanted = `${words} ${shown(limit.value)}`;
  const { margin } = finding;
  if (!margin) return `${operandShown(operand)}, ${met ? '' : 'not '}${wanted}`;
  const rest = isShort(margin)
    ? `${absolute(margin)} ${UPPER.has(limit.op) ? 'over' : 'short'}`
    : isZero(margin)
      ? edge(met)
      : `${absolute(margin)} to spare`;
  return `${operandShown(operand)}, ${met ? '' : 'not '}${wanted}: ${rest}`;
}

/** Exactly at the figure: whether that is enough depends on the words of the law, so it is said. */
const edge = (met: boolean): string =>
  met ? 'exactly at the limit, which is enough' : 'exactly at the limit, which is not enough';

/** Requirements that read badly as "figure, operator, limit": they are said in words of their own. */
function explainSpecial(
  finding: Finding,
  limit: NonNullable<Finding['limit']>,
  operand: Operand | undefined,
  met: boolean,
): string | undefined {
  switch (limit.op) {
    case 'happened':
      return met ? `${operand?.fact ?? 'it'} has happened` : `${operand?.fact ?? 'it'} has not happened`;
    case 'not_happened':
      return met ? `${operand?.fact ?? 'it'} has not happened` : `${operand?.fact ?? 'it'} has happened`;
    case 'equals':
    case 'not_equal_to': {
      if (operand?.none === true) return operandShown(operand);
      const is = `${operand?.fact ?? 'it'} is ${operandShown(operand)}`;
      return met === (limit.op === 'equals') ? is : `${is}, not ${shown(limit.value)}`;
    }
    case 'all_of':
    case 'any_of':
    case 'not_all_of':
      return explainSets(limit, operand, met);
    case 'not_allowed':
      return `not allowed: ${shown(limit.value)}`;
    case 'none_of':
      return Array.isArray(operand?.value) ? explainSets(limit, operand, met) : undefined;
    case 'clauses_met':
    case 'not_clauses_met': {
      const broken = finding.operands.filter(
        ({ fact, value }) => fact.startsWith('clause:') && value === 'violated',
      );
      const names = broken.map(({ fact }) => fact.slice('clause:'.length)).join(', ');
      return names
        ? `not all of ${shown(limit.value)} are met: ${names}`
        : `all of ${shown(limit.value)} are met`;
    }
    default:
      return undefined;
  }
}

/** `septage, sludge are not all among septage`: what stands in the set, and what it is held against. */
function explainSets(
  limit: NonNullable<Finding['limit']>,
  operand: Operand | undefined,
  met: boolean,
): string {
  if (operand?.none === true) return operandShown(operand);
  const words: Readonly<Record<string, readonly [string, string]>> = {
    all_of: ['are all among', 'are not all among'],
    not_all_of: ['are not all among', 'are all among'],
    any_of: ['include at least one of', 'include none of'],
    none_of: ['include none of', 'include at least one of'],
  };
  return `${operandShown(operand)} ${words[limit.op]?.[met ? 0 : 1] ?? ''} ${shown(limit.value)}`;
}

function operandShown(operand: Operand | undefined): string {
  if (!operand) return 'nothing known';
  return operand.none ? `${operand.fact} has not happened` : shown(operand.value ?? null);
}

const isShort = (margin: QuantityJson): boolean => margin.value.startsWith('-');
const isZero = (margin: QuantityJson): boolean => margin.value === '0';
const absolute = (margin: QuantityJson): string =>
  shown({ ...margin, value: margin.value.replace(/^-/, '') });

/** A value as people write it: yes and no, money with its sign, counts without a unit. */
function shown(value: JsonValue | QuantityJson): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null) return 'none';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.length === 0) return 'nothing';
  if (Array.isArray(value)) return value.map((one: JsonValue) => shown(one)).join(', ');
  if (!isJsonObject(value)) return '';
  const { value: amount, unit } = value as unknown as QuantityJson;
  if (unit === '1') return amount;
  if (unit === 'USD') return `$${amount}`;
  if (unit === 'days' && amount === '1') return '1 day';
  return `${amount} ${unit}`;
}

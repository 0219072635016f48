import { parsePeriod } from '@headworks/calendars';
import { compareQuantities, inUnit, parseQuantity, quantityJson, type Quantity } from '@headworks/kernel';
import type { AmountDef, AppealDef, PenaltyDef } from '../listed';
import type { Amount } from '../model/schedule';
import { isYes, type RawAmount, type RawAppeal, type RawPenalty } from '../source/raw';
import type { Path } from '../source/yaml-file';
import type { Scope } from './scope';

const ONE_DAY = { amount: 1, unit: 'days' } as const;
const periodOf = (text: string) => parsePeriod(text) ?? ONE_DAY;

export function resolvePenalties(scope: Scope): readonly PenaltyDef[] {
  return (scope.raw.penalties ?? []).map((raw, index) => {
    const path: Path = ['penalties', index];
    const { id, cite, says, rows, after, adds = [] } = raw;
    const amount = raw.amount === undefined ? undefined : amountDef(scope, raw.amount, [...path, 'amount']);
    const escalates = raw.escalates && escalation(scope, raw.escalates, [...path, 'escalates']);
    return {
      ...{ id, cite, says, rows, adds },
      clauses: penaltyFor(scope, raw, path),
      ...(amount ? { amount } : {}),
      eachDaySeparate: isYes(raw.each_day_separate),
      ...(escalates ? { escalates } : {}),
      ...(after === undefined ? {} : { after }),
    };
  });
}

function penaltyFor(scope: Scope, { for: what }: RawPenalty, path: Path): PenaltyDef['clauses'] {
  if (Array.isArray(what)) {
    const ids = what as readonly string[];
    ids.forEach((id, index) => scope.clause(id, [...path, 'for', index]));
    return ids;
  }
  if (typeof what === 'string' && what !== 'any clause') {
    scope.report([...path, 'for'], `'${what}': write any clause, or a list of clauses in [ ]`);
  }
  return 'any';
}

type Escalation = NonNullable<PenaltyDef['escalates']>;
function escalation(
  scope: Scope,
  raw: NonNullable<RawPenalty['escalates']>,
  path: Path,
): Escalation | undefined {
  let last = 1;
  const offences = raw.offences.map(({ offence, amount }, index) => {
    const at = [...path, 'offences', index];
    if (offence <= last)
      scope.report([...at, 'offence'], `${offence} does not come after ${last}: write them in their order`);
    last = offence;
    const def = amountDef(scope, amount, [...at, 'amount']);
    return def && { offence, amount: def };
  });
  return { within: periodOf(raw.within), offences: offences.filter((one) => one !== undefined) };
}

/** A sum, a range, an item of a schedule, or what nobody has given. */
function amountDef(scope: Scope, raw: RawAmount, path: Path): AmountDef | undefined {
  if (typeof raw === 'string') {
    const sum = moneyOf(scope, raw, path);
    return sum && { is: 'sum', least: json(sum), most: json(sum) };
  }
  if ('missing' in raw) {
    const body = scope.member(scope.raw.bodies, 'body', raw.kept_by, [...path, 'kept_by']);
    return body && { is: 'missing', missing: raw.missing, keptBy: body.name };
  }
  if ('schedule' in raw) return scheduledDef(scope, raw, [...path, 'schedule']);
  const { at_least: from, at_most: to, per } = raw;
  const least = from === undefined ? undefined : moneyOf(scope, from, [...path, 'at_least']);
  const most = to === undefined ? undefined : moneyOf(scope, to, [...path, 'at_most']);
  if (least && most && compareQuantities(least, most) > 0) {
    return scope.report(path, `at least ${from} and at most ${to}: no sum is both`);
  }
  return rangeDef(least, most, per);
}

const NOTHING = { value: '0', unit: 'USD' };
const json = (sum: Quantity) => quantityJson(inUnit(sum, 'USD'));
const rangeDef = (least: Quantity | undefined, most: Quantity | undefined, per?: string): AmountDef => ({
  is: 'sum',
  least: least ? json(least) : NOTHING,
  most: most ? json(most) : null,
  ...(per === undefined ? {} : { per }),
});

function moneyOf(scope: Scope, text: string, path: Path): Quantity | undefined {
  const parsed = parseQuantity(text);
  if (!parsed.ok) return scope.report(path, `${parsed.why}: write a sum of money such as $50`);
  if (parsed.value.kind === 'money') return parsed.value;
  return scope.report(path, `'${text}' is no sum of money: write it as $50`);
}

function scheduledDef(
  scope: Scope,
  raw: Extract<RawAmount, { schedule: unknown }>,
  path: Path,
): AmountDef | undefined {
  const schedule = scope.scheduleOf(raw.schedule.of, [...path, 'of']);
  if (!schedule) return undefined;
  const item = schedule.items.get(raw.schedule.item);
  if (!item) return scope.unknownName('item', raw.schedule.item, [...path, 'item'], schedule.items.keys());
  scope.noteMissing(item);
  const defs = item.entries.map(({ from, amount }) => ({ from, amount: scheduleAmount(amount, raw.per) }));
  if (!defs.every(({ amount }) => amount !== undefined)) {
    return scope.report([...path, 'item'], `'${raw.schedule.item}' is no sum of money, and a penalty is one`);
  }
  const known = defs.flatMap(({ from, amount }) => (amount ? [{ from, amount }] : []));
  const dated = known.flatMap(({ from, amount }) => (from === undefined ? [] : [{ from, amount }]));
  return dated.length > 0 ? { is: 'dated', amounts: dated } : known[0]?.amount;
}

function scheduleAmount(amount: Amount, per?: string): AmountDef | undefined {
  switch (amount.is) {
    case 'missing':
      return amount;
    case 'figure':
      return amount.value.kind === 'money' ? rangeDef(amount.value, amount.value, per) : undefined;
    case 'range': {
      const kinds = [amount.least, amount.most].filter((one) => one !== undefined);
      return kinds.every(({ kind }) => kind === 'money')
        ? rangeDef(amount.least, amount.most, per)
        : undefined;
    }
  }
}

/** What a permit's own life decides; all else is an act of the pack, or said in words. */
const DECISIONS: readonly string[] = [
  'completion',
  'approval',
  'denial',
  'condition',
  'issuance',
  'suspension',
  'reinstatement',
  'revocation',
  'renewal',
];
const WORD = /^[a-z][a-z0-9_]*$/;

export function resolveAppeals(scope: Scope): readonly AppealDef[] {
  return (scope.raw.appeals ?? []).map((raw, index) => {
    const path: Path = ['appeals', index];
    const {
      id,
      cite,
      says,
      rows,
      against,
      by,
      to,
      filed_under: filedUnder,
      heard_under: heardUnder = [],
    } = raw;
    const decidedUnder = [raw.decided_under ?? []].flat();
    const known = [...DECISIONS, ...Object.keys(scope.raw.acts ?? {})];
    against.forEach((what, i) => {
      if (!WORD.test(what) || known.includes(what)) return;
      scope.unknownName('decision or act', what, [...path, 'against', i], known);
    });
    if (WORD.test(to)) scope.member(scope.raw.bodies, 'body', to, [...path, 'to']);
    if (filedUnder !== undefined) checkFiling(scope, raw, filedUnder, [...path, 'filed_under']);
    heardUnder.forEach((clause, i) => checkDeadline(scope, clause, [...path, 'heard_under', i]));
    decidedUnder.forEach((clause, i) =>
      scope.clause(
        clause,
        typeof raw.decided_under === 'string' ? [...path, 'decided_under'] : [...path, 'decided_under', i],
      ),
    );
    return {
      ...{ id, cite, says, rows, against, to, heardUnder, decidedUnder },
      within: periodOf(raw.within),
      ...(by === undefined ? {} : { by }),
      ...(filedUnder === undefined ? {} : { filedUnder }),
      stays: staysDef(raw.stays),
    };
  });
}

const staysDef = (stays: RawAppeal['stays']): AppealDef['stays'] =>
  typeof stays === 'string' && stays !== 'no' ? stays === 'yes' || stays : stays === true;

function checkDeadline(scope: Scope, id: string, path: Path) {
  const index = scope.clause(id, path);
  const clause = index === undefined ? undefined : scope.raw.clauses[index];
  if (!clause || clause.deadline) return clause?.deadline;
  return scope.report(path, `'${id}' is no deadline: name the clause that says by when`);
}

/** The time to appeal is said twice, for people and for the clock: both must say the same. */
function checkFiling(scope: Scope, raw: RawAppeal, id: string, path: Path): void {
  const deadline = checkDeadline(scope, id, path);
  if (!deadline) return;
  if (deadline.if_missed.outcome !== 'appeal_barred') {
    scope.report(path, `'${id}' does not bar an appeal: give it 'if_missed: { outcome: appeal_barred }'`);
  }
  if (deadline.allow !== raw.within) {
    scope.report(
      path,
      `the appeal is within ${raw.within}, but '${id}' allows ${deadline.allow ?? 'no period'}`,
    );
  }
}

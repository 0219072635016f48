import type { ClauseDef } from '../api';
import { negate, type Clause, type ClauseBody, type Condition } from '../model/ir';
import { describeType } from '../model/types';
import { isYes, type RawClause, type RawFee } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { resolveCondition } from './condition';
import { deadlineBody, deadlineDef, isMoment } from './deadlines';
import { feeAmount } from './money';
import type { Scope } from './scope';

export const aboutOf = (raw: RawClause): readonly string[] =>
  raw.about === undefined ? [] : typeof raw.about === 'string' ? [raw.about] : raw.about;

export function resolveClauses(scope: Scope): readonly Clause[] {
  const clauses = scope.raw.clauses.map((raw, index) => resolveClause(scope, raw, index));
  return clauses.filter((clause) => clause !== undefined);
}

/** Everything in a clause is checked even where something in it is wrong: the author sees all of it at once. */
function resolveClause(scope: Scope, raw: RawClause, index: number): Clause | undefined {
  const path: Path = ['clauses', index];
  for (const [i, name] of aboutOf(raw).entries()) {
    scope.member(
      scope.raw.assessments,
      'assessment',
      name,
      typeof raw.about === 'string' ? [...path, 'about'] : [...path, 'about', i],
    );
  }
  const applies = raw.applies_if && resolveCondition(scope, raw.applies_if, [...path, 'applies_if']);
  const body = resolveBody(scope, raw, path);
  const interpretation = resolveReading(scope, raw, path);
  checkCure(scope, raw, path);
  if (!body || (raw.applies_if && !applies)) return undefined;
  const def: ClauseDef = {
    id: raw.id,
    cite: raw.cite,
    says: raw.says,
    rows: raw.rows,
    about: aboutOf(raw),
    verb: verbOf(raw),
    binds: raw.binds ?? bindsOf(scope, raw),
    ...(raw.continues_until === undefined ? {} : { continuesUntil: raw.continues_until }),
    ...(raw.deadline ? { deadline: deadlineDef(scope, raw.deadline) } : {}),
    ...(raw.fee ? { fee: feeDef(raw.fee) } : {}),
    ...(interpretation ? { interpretation } : {}),
  };
  return { def, index, body, ...(applies ? { applies } : {}) };
}

function verbOf(raw: RawClause): ClauseDef['verb'] {
  if (raw.require) return 'require';
  if (raw.forbid) return 'forbid';
  if (raw.deadline) return 'deadline';
  if (raw.fee) return 'fee';
  return raw.power ? 'power' : 'obligation';
}

/**
 * Who answers for a breach. A body of the law is an office, and what an office owes is never the applicant's
 * violation; a body that holds the permit (role `holder`) is a person all the same.
 */
function bindsOf(scope: Scope, raw: RawClause): 'person' | 'office' {
  const who = raw.deadline?.who ?? raw.power?.who ?? raw.obligation?.who;
  return scope.isOffice(who) ? 'office' : 'person';
}

function resolveBody(scope: Scope, raw: RawClause, path: Path): ClauseBody | undefined {
  if (raw.require) return conditionBody(scope, raw, raw.require, [...path, 'require'], (it) => it);
  if (raw.forbid) return conditionBody(scope, raw, raw.forbid, [...path, 'forbid'], negate);
  if (raw.deadline) return deadlineBody(scope, raw.deadline, [...path, 'deadline']);
  if (raw.fee) return feeBody(scope, raw.fee, raw.cite, [...path, 'fee']);
  return { verb: 'listed' };
}

/** `forbid` is kept as the requirement of its opposite, so that a finding always names what must hold. */
function conditionBody(
  scope: Scope,
  raw: RawClause,
  condition: NonNullable<RawClause['require']>,
  at: Path,
  wanted: (condition: Condition) => Condition,
): ClauseBody | undefined {
  const main = resolveCondition(scope, condition, at);
  const unless = raw.unless && resolveCondition(scope, raw.unless, [...at.slice(0, -1), 'unless']);
  if (!main || (raw.unless && !unless)) return undefined;
  return { verb: 'condition', good: wanted(main), ...(unless ? { unless } : {}) };
}

/** What is to be paid; nothing is to be paid where it is none. */
function feeBody(scope: Scope, raw: RawFee, cite: string, path: Path): ClauseBody | undefined {
  const pay = feeAmount(scope, raw, cite, path);
  return pay && { verb: 'fee', pay };
}

/** A reading stands in the clause, or is shared by several under `readings`; either way findings carry its choice. */
function resolveReading(scope: Scope, raw: RawClause, path: Path): ClauseDef['interpretation'] {
  if (raw.interpretation && raw.reading !== undefined) {
    return scope.report([...path, 'reading'], 'give either interpretation or reading, not both', true);
  }
  if (raw.interpretation) {
    const { id, choice, why, by } = raw.interpretation;
    return { id, choice, why, by };
  }
  if (raw.reading === undefined) return undefined;
  const reading = scope.member(scope.raw.readings, 'reading', raw.reading, [...path, 'reading']);
  return reading && { id: raw.reading, choice: reading.chosen, why: reading.why, by: reading.by };
}

/** What ends a lasting breach has a day: its days are counted up to that one. */
function checkCure(scope: Scope, raw: RawClause, path: Path): void {
  if (raw.continues_until === undefined) return;
  const at = [...path, 'continues_until'];
  const cure = scope.read(raw.continues_until, at);
  if (cure && !isMoment(cure, false)) {
    scope.report(
      at,
      `'${raw.continues_until}' is ${describeType(cure.type)}, and a date or a time belongs here`,
    );
  }
}

const feeDef = ({ to, refundable }: RawFee): NonNullable<ClauseDef['fee']> => ({
  ...(to === undefined ? {} : { to }),
  refundable: isYes(refundable),
});

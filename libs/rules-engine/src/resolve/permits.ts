import type { BodyRule, PermitDef, PermitGive, PermitValidity } from '../api';
import { describeType, type ValueType } from '../model/types';
import { isYes, type RawBodyRule, type RawPermit, type RawValidity } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { checkBrought, needsNone } from './gives';
import { PERMIT, type Scope } from './scope';

/** What a permit can be, as a fact of `status` says it. */
const PHASES: readonly string[] = [
  'filed',
  'awaiting_information',
  'complete',
  'approved',
  'denied',
  'not_renewed',
  'withdrawn',
  'issued',
  'suspended',
  'revoked',
  'expired',
  'voided',
];
/** And this, in a pack whose silence approves. */
const DEEMED = 'deemed_approved';

const isDate = (type: ValueType): boolean => type.is === 'date';
/** Which type each source fills, and why it may be none for a while. Closed: a new source needs a line here. */
const PERMIT_GIVES: Readonly<Record<PermitGive, { fits: (type: ValueType) => boolean; none?: string }>> = {
  filed_at: { fits: (type) => type.is === 'instant' },
  filed_on: { fits: isDate },
  requested_on: { fits: isDate, none: 'nothing was asked for' },
  received_on: { fits: isDate, none: 'nothing was received' },
  completed_on: { fits: isDate, none: 'it is not complete yet' },
  decided_on: { fits: isDate, none: 'it is not decided yet' },
  issued_on: { fits: isDate, none: 'it is not issued yet' },
  valid_from: { fits: isDate, none: 'it is not issued yet' },
  valid_until: { fits: isDate, none: 'it is not issued yet' },
  suspended_on: { fits: isDate, none: 'it is not suspended' },
  revoked_on: { fits: isDate, none: 'it is not revoked' },
  renews: { fits: (type) => type.is === 'bool' },
  holder: { fits: (type) => type.is === 'reference' },
  status: { fits: (type) => type.is === 'choice' },
};

/** Permit types: names, types and clauses checked, and the facts that stand with each permit gathered. */
export function resolvePermits(scope: Scope): readonly PermitDef[] {
  if (Object.hasOwn(scope.raw.subjects ?? {}, PERMIT)) {
    scope.report(['subjects', PERMIT], `'${PERMIT}' is the word for permits: name the kind otherwise`, true);
  }
  return Object.entries(scope.raw.permits ?? {}).map(([name, raw]) => {
    checkPermit(scope, raw, ['permits', name]);
    return permitDef(scope, name, raw);
  });
}

function permitDef(scope: Scope, name: string, raw: RawPermit): PermitDef {
  const [reviewedBy, suspendedBy, revokedBy] = [raw.reviewed_by, raw.suspended_by, raw.revoked_by];
  return {
    name,
    title: raw.title,
    cite: raw.cite,
    rows: raw.rows,
    holder: raw.holder,
    judgedBy: raw.judged_by,
    form: raw.form,
    needs: raw.needs ?? [],
    completeUnder: raw.complete_under ?? [],
    decidedUnder: raw.decided_under ?? [],
    issuedUnder: raw.issued_under ?? [],
    waivedBy: raw.waived_by ?? {},
    ...(reviewedBy ? { reviewedBy: bodyRule(reviewedBy) } : {}),
    decidedBy: bodyRule(raw.decided_by),
    issuedBy: bodyRule(raw.issued_by),
    ...(suspendedBy ? { suspendedBy: bodyRule(suspendedBy) } : {}),
    ...(revokedBy ? { revokedBy: bodyRule(revokedBy) } : {}),
    suspendedUnder: raw.suspended_under ?? [],
    revokedUnder: raw.revoked_under ?? [],
    grounds: raw.grounds ?? [],
    sets: raw.sets ?? [],
    gives: raw.gives ?? {},
    valid: validity(raw.valid),
    renewable: isYes(raw.renewable),
    facts: factsOf(scope, raw),
  };
}

const bodyRule = ({ body, not_same_as: notSameAs }: RawBodyRule): BodyRule => ({
  body,
  ...(notSameAs === undefined ? {} : { notSameAs }),
});

function validity(raw: RawValidity): PermitValidity {
  const { then = 'expired' } = raw;
  if (raw.no_end !== undefined) return { noEnd: true, then: 'expired' };
  if (raw.calendar_year !== undefined) return { calendarYear: raw.calendar_year, then };
  if (raw.until !== undefined) return { from: raw.from ?? '', until: raw.until, then };
  const [amount = '', unit = ''] = (raw.for ?? '').split(' ');
  const units = { day: 'days', month: 'months', year: 'years' } as const;
  const key = unit.replace(/s$/, '') as keyof typeof units;
  return { amount: Number(amount), unit: units[key], from: 'issued_on', then };
}

/** All that is kept with a permit: what it was asked on, what was fixed, its own life, and what acts record on it. */
function factsOf({ raw: { acts } }: Scope, raw: RawPermit): readonly string[] {
  const recorded = Object.values(acts ?? {})
    .filter(({ on }) => on === PERMIT)
    .flatMap((act) => [...(act.records ?? []), ...Object.keys(act.gives ?? {})]);
  return [...new Set([...raw.form, ...(raw.sets ?? []), ...Object.keys(raw.gives ?? {}), ...recorded])];
}

function checkPermit(scope: Scope, raw: RawPermit, path: Path): void {
  const gives = raw.gives ?? {};
  scope.member(scope.raw.subjects, 'subject', raw.holder, [...path, 'holder']);
  checkBrought(scope, raw.form, gives, [...path, 'form'], 'permit');
  checkBrought(scope, raw.sets ?? [], gives, [...path, 'sets'], 'permit');
  (raw.needs ?? []).forEach((name, index) => {
    if (raw.form.includes(name)) return;
    const at = [...path, 'needs', index];
    if (scope.fact(name, at))
      scope.report(at, `'${name}' is not on the form: add it to 'form', or take it out`);
  });
  checkPermitGives(scope, gives, [...path, 'gives']);
  checkClauses(scope, raw, path);
  checkBodies(scope, raw, path);
  checkJudgedOn(scope, raw, path);
  checkValid(scope, raw.valid, [...path, 'valid']);
}

function checkPermitGives(scope: Scope, gives: Readonly<Record<string, PermitGive>>, path: Path): void {
  for (const [name, source] of Object.entries(gives)) {
    const at = [...path, name];
    const fact = scope.fact(name, at);
    if (!fact) continue;
    const { fits, none } = PERMIT_GIVES[source];
    if (!fits(fact.type)) {
      scope.report(at, `'${name}' is ${describeType(fact.type)}, which ${source} can't give`);
    } else if (none !== undefined) needsNone(scope, name, none, at);
    if (source === 'status' && fact.type.is === 'choice') checkPhases(scope, name, fact.type.of, at);
    const act = Object.entries(scope.raw.acts ?? {}).find(
      ([, { on, records = [], gives: given = {} }]) =>
        on === PERMIT && (records.includes(name) || Object.hasOwn(given, name)),
    )?.[0];
    if (act !== undefined) {
      scope.report(at, `'${name}' is recorded by the act '${act}' too: a permit's own life says it already`);
    }
  }
}

/** A phase that is no word of the choice could not be said, and would read as not known. */
function checkPhases(scope: Scope, name: string, of: readonly string[], path: Path): void {
  const deems = scope.raw.clauses.some(({ deadline }) => deadline?.if_missed.outcome === DEEMED);
  const phases = deems ? [...PHASES, DEEMED] : PHASES;
  const lacking = phases.filter((phase) => !of.includes(phase));
  if (lacking.length > 0) {
    scope.report(path, `the choice '${name}' lacks ${lacking.join(', ')}: status can be any of these`);
  }
  const strays = of.filter((one) => !phases.includes(one));
  if (strays.length > 0) scope.report(path, `'${name}' can never be ${strays.join(', ')}: take it out`);
}

const UNDER = ['complete_under', 'decided_under', 'issued_under'] as const;
const ENDED_UNDER = ['suspended_under', 'revoked_under'] as const;

/** What a decision rests on must be judged, and an office's own delay never stands in an applicant's way. */
function checkClauses(scope: Scope, raw: RawPermit, path: Path): void {
  for (const key of [...UNDER, ...ENDED_UNDER]) {
    (raw[key] ?? []).forEach((id, index) => {
      const at = [...path, key, index];
      const found = scope.clause(id, at);
      const clause = found === undefined ? undefined : scope.raw.clauses[found];
      if (!clause) return;
      if (clause.power ?? clause.obligation ?? clause.fee) {
        scope.report(at, `'${id}' is never met or broken: name clauses that are judged`);
      } else if (clause.deadline && scope.isOffice(clause.deadline.who)) {
        scope.report(
          at,
          `'${id}' is a deadline of an office: being late, it would keep the applicant waiting`,
        );
      }
    });
  }
  (raw.grounds ?? []).forEach((id, index) => scope.clause(id, [...path, 'grounds', index]));
  for (const [id, power] of Object.entries(raw.waived_by ?? {})) {
    const at = [...path, 'waived_by', id];
    const under = UNDER.flatMap((key) => raw[key] ?? []);
    if (scope.clause(id, at) !== undefined && !under.includes(id)) {
      scope.report(at, `nothing here is decided under '${id}', so there is nothing to waive`, true);
    }
    checkPower(scope, { clause: id, power, decider: raw.decided_by.body }, at);
  }
}

/** What is left unmet is left so by the decider, so the power must be the decider's own. */
function checkPower(
  scope: Scope,
  { clause, power, decider }: { readonly clause: string; readonly power: string; readonly decider: string },
  path: Path,
): void {
  const found = scope.clause(power, path);
  if (found === undefined) return;
  const who = scope.raw.clauses[found]?.power?.who;
  if (who === undefined) {
    scope.report(path, `'${power}' is no power: name a clause that lets an office leave '${clause}' unmet`);
  } else if (who !== decider) {
    scope.report(path, `the power '${power}' is for '${who}', but '${decider}' decides`);
  }
}

/** Who may not be the one who decides must have done something before it. */
const EARLIER = {
  reviewed_by: ['filing'],
  decided_by: ['filing', 'completion'],
  issued_by: ['filing', 'completion', 'approval'],
  suspended_by: ['filing', 'completion', 'approval'],
  revoked_by: ['filing', 'completion', 'approval'],
} as const satisfies Partial<Record<keyof RawPermit, readonly string[]>>;

function checkBodies(scope: Scope, raw: RawPermit, path: Path): void {
  for (const key of Object.keys(EARLIER) as (keyof typeof EARLIER)[]) {
    const rule = raw[key];
    if (!rule) continue;
    scope.member(scope.raw.bodies, 'body', rule.body, [...path, key, 'body']);
    const { not_same_as: other } = rule;
    if (other === undefined) continue;
    const earlier: readonly string[] = EARLIER[key];
    const at = [...path, key, 'not_same_as'];
    if (!earlier.includes(other)) {
      scope.report(at, `${other} is no step before this one: use ${earlier.join(', ')}`);
    } else if (other === 'completion' && !raw.reviewed_by) {
      scope.report(at, "nobody calls it complete: say 'reviewed_by', or leave this out");
    }
  }
  for (const [under, by] of [
    ['suspended_under', 'suspended_by'],
    ['revoked_under', 'revoked_by'],
  ] as const) {
    if (raw[under] && !raw[by]) scope.report([...path, under], `say who may: add '${by}'`, true);
  }
  if ((raw.suspended_by ?? raw.revoked_by) && !raw.grounds) {
    scope.report(path, "say on which clauses it may be suspended or revoked: add 'grounds'", true);
  }
}

/** First and last day, both in, where the law names them otherwise than by a calendar year or a period. */
function checkValid(scope: Scope, raw: RawValidity, path: Path): void {
  if (raw.until === undefined) return;
  for (const key of ['from', 'until'] as const) {
    const day = scope.read(raw[key] ?? '', [...path, key]);
    if (day && day.type.is !== 'date') {
      scope.report([...path, key], `'${raw[key]}' is ${describeType(day.type)}, and a date belongs here`);
    }
  }
}

/** The version in force is picked by a day that the file itself knows. */
function checkJudgedOn(scope: Scope, raw: RawPermit, path: Path): void {
  const at = [...path, 'judged_by'];
  const assessment = scope.member(scope.raw.assessments, 'assessment', raw.judged_by, at);
  if (!assessment || factsOf(scope, raw).includes(assessment.judged_on)) return;
  const { judged_on: day } = assessment;
  if (scope.has(day)) {
    scope.report(
      at,
      `'${raw.judged_by}' is judged on '${day}', which no permit has: add it to 'gives' or 'form'`,
    );
  }
}

import type { ActDef, SubjectDef } from '../api';
import type { Condition } from '../model/ir';
import { describeType } from '../model/types';
import { isYes, type RawAct, type RawSubject } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { resolveCondition } from './condition';
import { FIXED_EVENTS } from './fixed-events';
import { checkGives, refuseLive } from './gives';
import { PERMIT, type Scope } from './scope';

/** An act with its resolved condition, which the definition only announces. */
export interface Act {
  readonly def: ActDef;
  readonly when?: Condition;
}

/** What the law looks at, and which facts are kept with it. */
export function resolveSubjects(scope: Scope): readonly SubjectDef[] {
  return Object.entries(scope.raw.subjects ?? {}).map(([kind, raw]) => {
    raw.facts.forEach((name, index) => {
      const fact = scope.fact(name, ['subjects', kind, 'facts', index]);
      refuseLive(scope, name, ['subjects', kind, 'facts', index]);
      if (fact?.type.is === 'series') {
        scope.report(
          ['subjects', kind, 'facts', index],
          `'${name}' is a series: a limit fills it, nobody records it`,
        );
      }
    });
    return { kind, ...raw };
  });
}

/** The verbs of the law. Their events share one log with the fixed ones, so no name may be taken twice. */
export function resolveActs(scope: Scope): readonly Act[] {
  const events = new Map<string, string>();
  return Object.entries(scope.raw.acts ?? {}).map(([name, raw]) => {
    const path: Path = ['acts', name];
    const other = events.get(raw.event);
    if (other !== undefined)
      scope.report([...path, 'event'], `the act '${other}' has this event already: rename one`);
    if (FIXED_EVENTS.has(raw.event)) {
      scope.report(
        [...path, 'event'],
        `'${raw.event}' is the name of an event that every pack shares: choose another`,
      );
    }
    events.set(raw.event, name);
    checkAct(scope, raw, path);
    const when = raw.when && resolveCondition(scope, raw.when, [...path, 'when']);
    return { def: actDef(name, raw), ...(when ? { when } : {}) };
  });
}

function actDef(name: string, raw: RawAct): ActDef {
  const { body, person, same_as: sameAs, not_same_as: notSameAs } = raw.by;
  return {
    name,
    label: raw.label,
    cite: raw.cite,
    rows: raw.rows ?? [],
    on: raw.on,
    by: {
      ...(body === undefined ? {} : { body }),
      ...(person === undefined ? {} : { person }),
      ...(sameAs === undefined ? {} : { sameAs }),
      ...(notSameAs === undefined ? {} : { notSameAs }),
    },
    event: raw.event,
    records: raw.records ?? [],
    gives: raw.gives ?? {},
    needs: raw.needs ?? [],
    starts: raw.starts ?? [],
    ends: raw.ends ?? [],
    ...(raw.undoes === undefined ? {} : { undoes: raw.undoes }),
    once: isYes(raw.once),
    scope: raw.scope ?? [],
    ...(raw.until === undefined ? {} : { until: raw.until }),
    ...(raw.judged_by === undefined ? {} : { judgedBy: raw.judged_by }),
    hasWhen: raw.when !== undefined,
  };
}

const actOn = (scope: Scope, raw: RawAct, path: Path): RawSubject | undefined =>
  scope.member(scope.raw.subjects, 'subject', raw.on, [...path, 'on']);

/** `same_as` and what is recorded are looked up in the stream of the thing acted on, and nowhere else. */
function checkAct(scope: Scope, raw: RawAct, path: Path): void {
  const subject = raw.on === PERMIT ? undefined : actOn(scope, raw, path);
  if (raw.on === PERMIT && !scope.raw.permits) {
    scope.report([...path, 'on'], "this pack has no permits: say what the act is done on, or add 'permits'");
  }
  if (raw.by.body !== undefined) scope.member(scope.raw.bodies, 'body', raw.by.body, [...path, 'by', 'body']);
  for (const key of ['same_as', 'not_same_as'] as const) {
    const other = raw.by[key];
    const act =
      other === undefined ? undefined : scope.member(scope.raw.acts, 'act', other, [...path, 'by', key]);
    if (act && act.on !== raw.on) {
      scope.report(
        [...path, 'by', key],
        `'${other}' is an act on a ${act.on}: an act sees only its own ${raw.on}`,
      );
    }
  }
  const recorded = [
    ...(raw.records ?? []).map((name, index) => [name, [...path, 'records', index]] as const),
    ...Object.keys(raw.gives ?? {}).map((name) => [name, [...path, 'gives', name]] as const),
  ];
  for (const [name, at] of recorded) {
    refuseLive(scope, name, at);
    // An act writes one stream: what it records must be a fact of the thing it is done on. A permit takes any: what
    // acts record on it is what makes it a fact of a permit.
    if (scope.fact(name, at) && subject && !subject.facts.includes(name)) {
      scope.report(at, `'${name}' is no fact of a ${raw.on}: add it to the facts of that subject`);
    }
  }
  checkGives(scope, raw.gives ?? {}, [...path, 'gives'], 'act');
  for (const key of ['needs', 'starts', 'ends'] as const) {
    (raw[key] ?? []).forEach((id, index) => checkActClause(scope, key, id, [...path, key, index]));
  }
  checkScope(scope, raw, path);
  if (raw.judged_by !== undefined) {
    scope.member(scope.raw.assessments, 'assessment', raw.judged_by, [...path, 'judged_by']);
  }
}

/** What an act is about, and until when it holds, it says itself. */
function checkScope(scope: Scope, raw: RawAct, path: Path): void {
  const own = [...(raw.records ?? []), ...Object.keys(raw.gives ?? {})];
  const isOwn = (name: string, at: Path): boolean => {
    if (!scope.fact(name, at) || own.includes(name)) return own.includes(name);
    scope.report(at, `the act does not record '${name}': add it to records`);
    return false;
  };
  (raw.scope ?? []).forEach((name, index) => isOwn(name, [...path, 'scope', index]));
  if (raw.until !== undefined && isOwn(raw.until, [...path, 'until'])) {
    const type = scope.facts.get(raw.until)?.type;
    if (type && type.is !== 'date' && type.is !== 'instant') {
      scope.report(
        [...path, 'until'],
        `'${raw.until}' is ${describeType(type)}, and a date or a time belongs here`,
      );
    }
  }
  if (raw.undoes === undefined) return;
  const undone = scope.member(scope.raw.acts, 'act', raw.undoes, [...path, 'undoes']);
  if (!undone) return;
  if (undone.on !== raw.on) {
    scope.report(
      [...path, 'undoes'],
      `'${raw.undoes}' is an act on a ${undone.on}: an act sees only its own ${raw.on}`,
    );
  }
  const lacking = (undone.scope ?? []).find((name) => !(raw.scope ?? []).includes(name));
  if (lacking === undefined) return;
  scope.report(
    [...path, 'undoes'],
    `'${raw.undoes}' is done for each ${lacking}: say which one this undoes, by 'scope: [${lacking}]'`,
  );
}

/** Acts start and end dated duties, and need clauses that somebody can judge. */
function checkActClause(scope: Scope, key: 'needs' | 'starts' | 'ends', id: string, path: Path): void {
  const index = scope.clause(id, path);
  const clause = index === undefined ? undefined : scope.raw.clauses[index];
  if (!clause) return;
  if (key !== 'needs' && !clause.deadline) {
    scope.report(
      path,
      `'${id}' is no deadline: only a duty with a date ${key === 'starts' ? 'starts' : 'ends'}`,
    );
  }
  if (key === 'needs' && (clause.power ?? clause.obligation ?? clause.fee)) {
    scope.report(path, `'${id}' is never met or broken: an act can need only a clause that is judged`);
  }
}

import { localDateAt } from '@headworks/calendars';
import type { LocalDate } from '@headworks/kernel';
import type { FactEntry, FactSource, Pack } from '../api';
import type { Elsewhere } from '../model/ir';
import { exactJson } from '../model/json';
import { F, T, U } from '../model/types';
import type { Compiled, Evaluation, Read, Test } from './context';

/** What is asked of another pack in one evaluation. */
export interface Asked {
  readonly pack: Pack;
  readonly clauses: readonly string[];
  readonly facts: FactSource;
}
/** null: of no day. undefined: the day, the pack or its clauses are not known. */
export type AskElsewhere = (e: Evaluation) => Asked | null | undefined;

export function compileElsewhere(condition: Elsewhere, to: Compiled): AskElsewhere {
  const on = to.formula(condition.on);
  const source = factsFor(condition, to);
  return (e) => {
    const moment = on(e);
    if (moment === null || moment === undefined) return moment;
    const day = typeof moment === 'number' ? localDateAt(to.zone, moment) : (moment as LocalDate);
    const pack = to.elsewhere(condition.pack, day);
    const clauses = pack && clausesOf(condition, pack);
    return clauses && { pack, clauses, facts: source(e) };
  };
}

/** Undefined where the version of that day has not all of them: nobody can say that they are met. */
function clausesOf({ assessment, clauses }: Elsewhere, pack: Pack): readonly string[] | undefined {
  if (assessment !== undefined) return pack.assessments.get(assessment)?.clauses;
  return clauses.every((id) => pack.clauses.has(id)) ? clauses : undefined;
}

/** Met as clauses of this pack are: satisfied, or not applicable. */
export function elsewhereTest(condition: Elsewhere, to: Compiled): Test {
  const ask = compileElsewhere(condition, to);
  return (e) => {
    const asked = ask(e);
    if (asked === null) return F;
    if (asked === undefined) return U;
    const statuses = asked.pack.statuses({ clauses: asked.clauses, facts: asked.facts, now: e.now });
    if (statuses.includes('violated')) return F;
    return statuses.includes('unknown') ? U : T;
  };
}

/** Facts go over as they were given, with where they came from; derived values as exactly as they were worked out. */
function factsFor({ facts }: Elsewhere, to: Compiled): (e: Evaluation) => FactSource {
  const readers = new Map(facts.map(({ theirs, ours }) => [theirs, { ours, read: to.formula(ours) }]));
  return (e) => (name) => {
    const known = readers.get(name);
    return known && entryOf(known.ours, known.read, to, e);
  };
}

function entryOf(ours: Elsewhere['on'], read: Read, to: Compiled, e: Evaluation): FactEntry | undefined {
  const value = read(e);
  if (value === undefined) return undefined;
  const given = ours.op === 'slot' && to.isFact(ours.slot) ? e.source(ours.name) : undefined;
  if (given) return given;
  return { json: value === null ? null : exactJson(ours.type, value), from: { source: 'derived' } };
}

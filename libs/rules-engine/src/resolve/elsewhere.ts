import type { Elsewhere, Formula } from '../model/ir';
import { describeType } from '../model/types';
import type { RawElsewhere } from '../source/raw';
import type { Path } from '../source/yaml-file';
import { isMoment } from './deadlines';
import type { Scope } from './scope';

/** Clauses of another pack. Whether that pack has them is seen when all packs have been read. */
export function elsewhere(scope: Scope, raw: RawElsewhere, path: Path): Elsewhere | undefined {
  const on = scope.read(raw.on, [...path, 'on']);
  const same = (raw.facts ?? []).map((name, index) => ({
    theirs: name,
    ours: scope.read(name, [...path, 'facts', index]),
  }));
  const other = Object.entries(raw.as ?? {}).map(([theirs, name]) => ({
    theirs,
    ours: scope.read(name, [...path, 'as', theirs]),
  }));
  const facts = [...same, ...other];
  if (raw.pack === scope.raw.pack) {
    return scope.report([...path, 'pack'], 'this is the pack itself: write clauses_met: [its clauses]');
  }
  if (on && !isMoment(on, false)) {
    return scope.report(
      [...path, 'on'],
      `'${raw.on}' is ${describeType(on.type)}, and a date or a time belongs here`,
    );
  }
  const doubled = facts.find(
    ({ theirs }, index) => facts.findIndex((one) => one.theirs === theirs) !== index,
  );
  if (doubled) return scope.report(path, `'${doubled.theirs}' is given twice: by facts or by as`);
  const known = facts.flatMap(({ theirs, ours }) => (ours ? [{ theirs, ours }] : []));
  if (!on || known.length < facts.length) return undefined;
  const condition = made(raw, on, known);
  scope.elsewhere.push({ path, condition });
  return condition;
}

const made = (
  { pack, assessment, clauses = [] }: RawElsewhere,
  on: Formula,
  facts: Elsewhere['facts'],
): Elsewhere => ({
  op: 'elsewhere',
  by: 'clauses_met',
  pack,
  ...(assessment === undefined ? {} : { assessment }),
  clauses: Object.freeze(clauses),
  on,
  facts,
  negated: false,
});

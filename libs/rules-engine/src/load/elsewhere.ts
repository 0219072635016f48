import { nearest } from '@headworks/kernel';
import type { Elsewhere } from '../model/ir';
import { describeType, sameType, type ValueType } from '../model/types';
import { placeName } from '../resolve/scope';
import type { Path } from '../source/yaml-file';
import type { Registry } from './registry';
import type { Version } from './versions';

/**
 * Checks what packs ask of each other, once all are read. A pack that the registry knows and that has no file yet is no
 * mistake: what is asked of it is unknown until it comes.
 */
export function checkElsewhere(byPack: ReadonlyMap<string, readonly Version[]>, registry: Registry): void {
  for (const [id, versions] of byPack) {
    for (const version of versions) {
      for (const { path, condition } of version.model.elsewhere) {
        const report = (at: Path, message: string) => {
          const where = placeName(version.raw, path);
          version.entry.file.problem([...path, ...at], message, where === undefined ? {} : { where });
        };
        checkAsked(condition, byPack.get(condition.pack) ?? [], registry, report);
        const circle = pathBack(condition.pack, id, byPack);
        if (circle)
          report(
            ['pack'],
            `this pack is asked for in its turn: ${[id, ...circle].join(' -> ')}. Take one of the steps out`,
          );
      }
    }
  }
}

type Report = (at: Path, message: string) => void;

function checkAsked(
  condition: Elsewhere,
  versions: readonly Version[],
  registry: Registry,
  report: Report,
): void {
  const { pack, assessment, clauses, facts } = condition;
  const unknown = (what: string, name: string, at: Path, known: Iterable<string>): void => {
    const near = nearest(name, known);
    report(at, `${what} '${name}'${near ? `: did you mean '${near}'?` : ''}`);
  };
  if (!registry.packs.has(pack)) unknown('the registry has no pack', pack, ['pack'], registry.packs.keys());
  if (versions.length === 0) return;
  const assessments = new Set(versions.flatMap(({ raw }) => Object.keys(raw.assessments)));
  if (assessment !== undefined && !assessments.has(assessment)) {
    unknown(`'${pack}' has no assessment`, assessment, ['assessment'], assessments);
  }
  const ids = new Set(versions.flatMap(({ raw }) => raw.clauses.map(({ id }) => id)));
  clauses.forEach((clause, index) => {
    if (!ids.has(clause)) unknown(`'${pack}' has no clause`, clause, ['clauses', index], ids);
  });
  const types = new Map<string, ValueType>();
  for (const { model } of versions) model.facts.forEach(({ type }, name) => types.set(name, type));
  for (const { theirs, ours } of facts) {
    const type = types.get(theirs);
    if (!type) unknown(`'${pack}' has no fact`, theirs, [], types.keys());
    else if (!sameType(type, ours.type)) {
      report(
        [],
        `'${theirs}' of '${pack}' is ${describeType(type)}, but here it is ${describeType(ours.type)}`,
      );
    }
  }
}

/** The packs on the way from one to another, or undefined where there is no way. */
function pathBack(
  from: string,
  to: string,
  byPack: ReadonlyMap<string, readonly Version[]>,
  seen: readonly string[] = [],
): readonly string[] | undefined {
  if (from === to) return [...seen, from];
  if (seen.includes(from)) return undefined;
  for (const { model } of byPack.get(from) ?? []) {
    for (const { condition } of model.elsewhere) {
      const found = pathBack(condition.pack, to, byPack, [...seen, from]);
      if (found) return found;
    }
  }
  return undefined;
}

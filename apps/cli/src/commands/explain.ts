import { loadRules } from '@headworks/rules-engine';
import { complain, print, type Command } from '../command';

export const explainClause: Command = {
  words: 'explain',
  args: 'PACK [CLAUSE]',
  about: 'says what a pack, or one clause of it, asks, with its citation and reading',
  run: (config, [packId, clauseId]) => {
    const rules = loadRules(config.rulesDir);
    const pack = rules.packs.get(packId ?? '')?.at(-1);
    if (!pack)
      return Promise.resolve(
        complain(`There is no pack '${packId ?? ''}'; there are ${[...rules.packs.keys()].join(', ')}.`),
      );
    const clauses = clauseId === undefined ? [...pack.clauses.values()] : [pack.clauses.get(clauseId)];
    for (const clause of clauses) {
      if (!clause)
        return Promise.resolve(complain(`Pack '${pack.ref.pack}' has no clause '${clauseId ?? ''}'.`));
      print(`${clause.id}  ${clause.cite}  (${clause.rows.join(', ')})\n  ${clause.says}`);
      const { interpretation } = clause;
      if (interpretation)
        print(
          `  read as ${interpretation.id} = ${interpretation.choice}: ${interpretation.why} (${interpretation.by})`,
        );
    }
    return Promise.resolve(0);
  },
};

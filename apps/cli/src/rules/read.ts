import { loadRules, readPack, RuleErrors } from '@headworks/rules-engine';
import { rulesArguments } from './arguments';

/** `read.js [dir [pack]]`: the officer's view of each pack's newest version, in Markdown. */
function main(): number {
  const { dir, rest } = rulesArguments(process.argv.slice(2));
  try {
    const rules = loadRules(dir);
    const wanted = rest[1];
    if (wanted !== undefined && !rules.packs.has(wanted)) {
      process.stderr.write(
        `There is no pack '${wanted}': name one of ${[...rules.packs.keys()].join(', ')}.\n`,
      );
      return 1;
    }
    for (const [id, versions] of rules.packs) {
      const newest = versions.at(-1);
      if (newest && (wanted === undefined || wanted === id)) process.stdout.write(`${readPack(newest)}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof RuleErrors)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = main();

import { rebuildViewIn, verifyChainIn, verifyViewsIn } from '@headworks/wiring';
import { complain, print, type Command } from '../command';

export const rebuildOne: Command = {
  words: 'rebuild',
  args: 'VIEW',
  about: 'builds a read model anew from the log, beside the one that is read',
  run: async (config, [view]) => {
    if (view === undefined) return complain('Say which view.');
    await rebuildViewIn(config, view);
    print(`The view '${view}' is built anew.`);
    return 0;
  },
};

export const verifyAll: Command = {
  words: 'verify views',
  args: '',
  about: 'folds the log afresh and compares every read model row by row',
  run: async (config) => {
    const verdicts = await verifyViewsIn(config);
    for (const { line } of verdicts) print(line);
    return verdicts.every(({ right }) => right) ? 0 : 1;
  },
};

export const verifyLog: Command = {
  words: 'verify log',
  args: '',
  about: "checks every stream's hash chain from its first event",
  run: async (config) => {
    const { streams, events, faults } = await verifyChainIn(config);
    print(`${events} events in ${streams} streams, ${faults.length} broken.`);
    faults.forEach(print);
    return faults.length === 0 ? 0 : 1;
  },
};

export const verifyEverything: Command = {
  words: 'verify',
  args: '',
  about: 'both of these',
  run: async (config, args, flags) => {
    const codes = [await verifyAll.run(config, args, flags), await verifyLog.run(config, args, flags)];
    return Math.max(...codes);
  },
};

import { backupIn, backupKeysIn, exportLogIn, importLogIn } from '@headworks/wiring';
import { complain, print, type Command } from '../command';

const APART = 'Keep it apart from the log: whoever has both reads every personal field.';

export const backUp: Command = {
  words: 'backup',
  args: 'DIR [--keys DIR]',
  about: 'copies the log (and the keys, elsewhere) of an embedded server, which may run',
  run: async (config, [dir], { keys }) => {
    if (dir === undefined) return complain('Say into which folder; name another with --keys for the keys.');
    if (keys === dir) return complain(`Name two folders. ${APART}`);
    const { line, right } = await backupIn(config, dir);
    print(line);
    if (keys !== undefined) print(`${backupKeysIn(config, keys)}: the keys. ${APART}`);
    else print('The keys are not in it: back them up as well, with --keys and another folder.');
    return right ? 0 : 1;
  },
};

export const exportLog: Command = {
  words: 'export-log',
  args: 'FILE [--keys FILE]',
  about: 'writes the log (and the keys, elsewhere) as lines of JSON, from any store',
  run: async (config, [file], { keys }) => {
    if (file === undefined) return complain('Say into which file; name another with --keys for the keys.');
    if (keys === file) return complain(`Name two files. ${APART}`);
    await exportLogIn(config, file, keys);
    print(`${file}: the log, every hash verified.`);
    if (keys !== undefined) print(`${keys}: the keys. ${APART}`);
    return 0;
  },
};

export const importLog: Command = {
  words: 'import-log',
  args: 'FILE [--keys FILE]',
  about: 'carries an exported log (and its keys) into an empty store; cut off, it goes on where it stopped',
  run: async (config, [file], { keys: keysFile }) => {
    if (file === undefined) return complain('Say from which file; name that of the keys with --keys.');
    const { events, already, keys } = await importLogIn(config, file, keysFile);
    print(`${events} events are here, ${already} of them were already; every hash is what it was.`);
    if (keys !== undefined) print(`${keys} rows of keys are here.`);
    else print('Without the keys no personal field can be read, and every API key is made anew: see --keys.');
    return 0;
  },
};

import { readFileSync } from 'node:fs';
import { complain, print, type Command, type Flags } from '../command';
import { readMapping, type Imported as What, type Mapping } from '../import/mapping';
import { runImport, type Imported } from '../import/run-import';
import { httpServer, ServerAway } from '../import/server';

const ARGS = 'FILE --mapping M [--from DAY] [--until DAY] [--dry-run]';

export const importLoads = importing(
  'loads',
  ['loads', 'manifests'],
  'sends a log or tickets (CSV) to a running server',
);
export const importSubjects = importing(
  'subjects',
  ['subjects'],
  'registers the features of a GeoJSON, or of a CSV',
);

function importing(noun: string, takes: readonly What[], about: string): Command {
  return {
    words: `import ${noun}`,
    args: ARGS,
    about,
    run: async (config, [file], flags) => {
      if (file === undefined || flags.mapping === undefined)
        return complain(`Say which file, and how it reads: import ${noun} FILE --mapping M.`);
      const mapping = mappingIn(flags.mapping, takes);
      if (typeof mapping === 'string') return complain(mapping);
      const key = flags.key ?? process.env['HEADWORKS_KEY'] ?? '';
      const url = flags.url ?? process.env['HEADWORKS_URL'] ?? `http://127.0.0.1:${config.port}`;
      if (key === '') return complain('Say which API key to use: --key hw_... or HEADWORKS_KEY.');
      const text = textOf(file);
      if (text === undefined) return complain(`There is no file '${file}' that can be read.`);
      const { from, until, reason, evidence } = flags;
      const asked = { from, until, reason, evidence, dryRun: flags['dry-run'] };
      try {
        return tell(await runImport({ file, text, mapping, server: httpServer(url, key), ...asked }), flags);
      } catch (error) {
        if (error instanceof ServerAway) return complain(error.message);
        throw error;
      }
    },
  };
}

function mappingIn(path: string, takes: readonly What[]): Mapping | string {
  const text = textOf(path);
  if (text === undefined) return `There is no mapping '${path}' that can be read.`;
  const mapping = readMapping(text);
  if ('faults' in mapping) return mapping.faults.map((fault) => `${path}: ${fault}`).join('\n');
  return takes.includes(mapping.imports)
    ? mapping
    : `${path} is a mapping of ${mapping.imports}: use the import of those.`;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** 0: all taken. 1: a row stopped it half way. 2: nothing was sent. */
function tell(imported: Imported, { json, 'dry-run': dryRun }: Flags): number {
  const { rows, skipped, recorded, standing, refused, violations, faults, stopped } = imported;
  if (json) print(JSON.stringify(imported, null, 2));
  else if (faults.length === 0 && dryRun)
    print(`${rows} rows are in order, ${standing} of them stand already; nothing was sent.`);
  else if (faults.length === 0) {
    const parts = [`${recorded} recorded`, `${standing} stood already`, `${refused.length} refused`];
    print(`${rows} rows: ${parts.join(', ')}; ${violations.length} violations, ${skipped} rows passed over.`);
    for (const { place, name, findings } of refused)
      print(`${place}, ${name}: refused. ${findings.join(' ')}`);
  }
  if (faults.length > 0) {
    const errors = faults.length === 1 ? 'one error' : `${faults.length} errors`;
    return complain([...faults, `${errors}; nothing was sent.`].join('\n'));
  }
  if (stopped === undefined) return 0;
  complain(stopped);
  return 1;
}

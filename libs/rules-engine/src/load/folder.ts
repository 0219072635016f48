import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Problem } from '../source/problem';
import { YamlFile } from '../source/yaml-file';

/** Folders of a rules directory that hold no pack. */
const NOT_PACKS: ReadonlySet<string> = new Set(['schema', 'calendars', 'schedules']);
/** A text is adopted into the log in one event. */
const LARGEST_TEXT = 200 * 1024;

export interface PackFile {
  readonly pack: string;
  readonly version: string;
  readonly file: YamlFile;
}

/** Everything a rules directory holds, read and parsed; nothing is judged yet. */
export interface RulesFolder {
  readonly name: string;
  readonly registry: YamlFile | undefined;
  readonly rows: YamlFile | undefined;
  readonly lock: ReadonlyMap<string, string>;
  readonly calendars: readonly { readonly id: string; readonly file: YamlFile }[];
  readonly schedules: readonly { readonly id: string; readonly file: YamlFile }[];
  readonly packs: readonly PackFile[];
  readonly cases: readonly { readonly pack: string; readonly file: YamlFile }[];
  /** Names of the folders that hold packs. */
  readonly folders: readonly string[];
  readonly problems: readonly Problem[];
}

export function readFolder(dir: string): RulesFolder {
  const name = path.basename(path.resolve(dir));
  const problems: Problem[] = [];
  const at = (...parts: string[]): string => [name, ...parts].join('/');
  const read = (...parts: string[]): YamlFile => {
    const text = readFileSync(path.join(dir, ...parts), 'utf8');
    const file = new YamlFile(at(...parts), text);
    if (Buffer.byteLength(text) > LARGEST_TEXT) {
      file.problem([], `a rules file has at most ${LARGEST_TEXT / 1024} KB: split what belongs apart`);
    }
    return file;
  };
  const optional = (file: string): YamlFile | undefined => {
    if (existsSync(path.join(dir, file))) return read(file);
    problems.push({
      path: at(file),
      line: 1,
      col: 1,
      message: 'this file is missing: a rules directory needs it',
    });
    return undefined;
  };
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    const message = 'there is no such directory: RULES_DIR names the folder that holds registry.yaml';
    return { ...EMPTY, name, problems: [{ path: name, line: 1, col: 1, message }] };
  }
  const folders = namesIn(dir, 'folder').filter((folder) => !NOT_PACKS.has(folder));
  const yamlIn = (...parts: string[]): readonly string[] =>
    yamlNames(path.join(dir, ...parts), (file) =>
      problems.push({
        path: at(...parts, file),
        line: 1,
        col: 1,
        message: `name it ${file.replace(/yml$/, 'yaml')}`,
      }),
    );
  return {
    name,
    registry: optional('registry.yaml'),
    rows: optional('rows.yaml'),
    lock: readLock(path.join(dir, 'versions.lock')),
    calendars: yamlIn('calendars').map((id) => ({ id, file: read('calendars', `${id}.yaml`) })),
    schedules: yamlIn('schedules').map((id) => ({ id, file: read('schedules', `${id}.yaml`) })),
    packs: folders.flatMap((pack) =>
      yamlIn(pack).map((version) => ({ pack, version, file: read(pack, `${version}.yaml`) })),
    ),
    cases: folders.flatMap((pack) =>
      yamlIn(pack, 'cases').map((file) => ({ pack, file: read(pack, 'cases', `${file}.yaml`) })),
    ),
    folders,
    problems,
  };
}

const EMPTY = {
  registry: undefined,
  rows: undefined,
  lock: new Map<string, string>(),
  calendars: [],
  schedules: [],
  packs: [],
  cases: [],
  folders: [],
} as const;

/** In code-unit order: what a directory answers first depends on the machine. */
function namesIn(dir: string, kind: 'folder' | 'file'): readonly string[] {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir, { withFileTypes: true })
    .filter(
      (entry) => (kind === 'folder' ? entry.isDirectory() : entry.isFile()) && !entry.name.startsWith('.'),
    )
    .map((entry) => entry.name);
  return names.sort((a, b) => (a < b ? -1 : 1));
}

function yamlNames(dir: string, misnamed: (file: string) => void): readonly string[] {
  const files = namesIn(dir, 'file');
  files.filter((file) => file.endsWith('.yml')).forEach(misnamed);
  return files.filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -'.yaml'.length));
}

/** `<sha256>  <pack>/<version>.yaml` a line, as sha256sum writes it. */
function readLock(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const match = /^([0-9a-f]{64})\s+(\S+)$/.exec(line.trim());
      return match ? [[match[2] ?? '', match[1] ?? ''] as const] : [];
    }),
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { parse } from 'yaml';

/** A name that some pack declares, and where: what no code may know (contract: "No ordinance in code"). */
export interface OrdinanceName {
  readonly name: string;
  readonly what: string;
  readonly pack: string;
}

type Section = Readonly<Record<string, unknown>>;
const section = (value: unknown): Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Section) : {};

/** Sections of a pack whose keys are names, and what such a name is. */
const NAMED = {
  facts: 'fact',
  derived: 'derived value',
  subjects: 'subject kind',
  acts: 'act',
  loads: 'load',
  manifests: 'manifest',
  permits: 'permit type',
  limits: 'limit',
} as const;

/** Shorter clause ids (A, F3, J.2) are letters of the alphabet before they are law. */
const SHORTEST_CLAUSE_ID = 4;

/** The names that the text of one pack declares. */
export function namesOfPack(text: string): readonly OrdinanceName[] {
  const pack = section(parse(text));
  const id = String(pack['pack']);
  const found: { name: string; what: string }[] = [{ name: id, what: 'pack' }];
  if (typeof pack['jurisdiction'] === 'string')
    found.push({ name: pack['jurisdiction'], what: 'jurisdiction' });
  for (const [key, what] of Object.entries(NAMED)) {
    for (const name of Object.keys(section(pack[key]))) found.push({ name, what });
  }
  for (const act of Object.values(section(pack['acts']))) {
    const event = section(act)['event'];
    if (typeof event === 'string') found.push({ name: event, what: 'event' });
  }
  for (const clause of Array.isArray(pack['clauses']) ? pack['clauses'] : []) {
    const clauseId = section(clause)['id'];
    if (typeof clauseId === 'string' && clauseId.length >= SHORTEST_CLAUSE_ID) {
      found.push({ name: clauseId, what: 'clause' });
    }
  }
  return found.map((entry) => ({ ...entry, pack: id }));
}

/** The names of all packs below a rules directory: rules/<pack>/<version>.yaml. */
export function namesOfRules(rules: string): readonly OrdinanceName[] {
  return readdirSync(rules, { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .flatMap((folder) =>
      readdirSync(join(rules, folder.name))
        .filter((file) => file.endsWith('.yaml'))
        .map((file) => readFileSync(join(rules, folder.name, file), 'utf8')),
    )
    .filter((text) => /^pack:/m.test(text))
    .flatMap(namesOfPack);
}

/** `frost_depth` as TypeScript would spell it: frostDepth, FrostDepth. */
function spellings(name: string): readonly string[] {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return words.length > 1 ? [name, camel, pascal] : [name];
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/**
 * Finds the names in TypeScript source: as an identifier, or as a whole word in a string. Comments are no code.
 * `allowed` are spellings that the program has of its own.
 */
export function finder(
  names: readonly OrdinanceName[],
  allowed: ReadonlySet<string> = new Set(),
): (file: string, text: string) => readonly string[] {
  const bySpelling = new Map(
    names.flatMap((entry) => spellings(entry.name).map((name) => [name, entry] as const)),
  );
  for (const spelling of allowed) bySpelling.delete(spelling);
  const longestFirst = [...bySpelling.keys()].sort((a, b) => b.length - a.length);
  // A word ends where neither letter, digit nor underscore goes on: `site` stands in '/subjects/site', not in 'onsite'.
  const inStrings = new RegExp(
    `(?<![A-Za-z0-9_])(?:${longestFirst.map(escape).join('|')})(?![A-Za-z0-9_])`,
    'g',
  );

  return (file, text) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
    const faults: string[] = [];
    const report = (node: ts.Node, name: string): void => {
      const entry = bySpelling.get(name);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (entry) faults.push(`${file}:${line + 1}: '${name}' is a ${entry.what} of ${entry.pack}`);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) report(node, node.text.replace(/^#/, ''));
      else if (
        ts.isStringLiteralLike(node) ||
        ts.isTemplateLiteralToken(node) ||
        ts.isRegularExpressionLiteral(node)
      ) {
        for (const [name] of node.text.matchAll(inStrings)) report(node, name);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return faults;
  };
}

/** Production sources below the folders: what the program is built from. Specs may speak of a law, to test it. */
export function productionFiles(root: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !/\.(spec|testing)\.ts$/.test(file) && !file.includes('node_modules'),
      )
      .map((file) => join(folder, file)),
  );
}

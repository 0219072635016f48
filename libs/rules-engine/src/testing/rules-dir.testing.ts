import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonValue } from '@headworks/kernel';
import { loadRules } from '../load/load-rules';
import type { FactEntry, FactSource, Pack, RuleSet } from '../api';

export const REGISTRY = `
jurisdictions:
  - { id: demo-town, title: Demo Town, zone: America/Chicago, bounds: [-90, 42, -88, 44] }
packs:
  - { id: demo, title: Demo, jurisdiction: demo-town, status: draft }
`;
export const ROWS = `
- { id: DM-01, cite: par. 1, says: The first., pack: demo }
- { id: DM-02, cite: par. 2, says: The second., pack: demo, later: yes }
`;
export const CALENDARS: Readonly<Record<string, string>> = {
  'calendars/demo-legal.yaml': `
calendar: demo-legal
version: "1"
lists: { demo: { source: Demo statute 1, observed: { Sunday: Monday } } }
holidays: [{ list: demo, name: Independence Day, on: Jul 4 }]
`,
  'calendars/demo-office.yaml': `
calendar: demo-office
version: "1"
closed: { days: [Saturday, Sunday], source: Office hours }
holidays: []
`,
};

const made: string[] = [];

/** Writes a rules directory of these files beside the demo registry, rows and calendars. Removed after the tests. */
export function rulesDir(files: Readonly<Record<string, string>>): string {
  const dir = path.join(mkdtempSync(path.join(tmpdir(), 'headworks-rules-')), 'rules');
  made.push(path.dirname(dir));
  const all = { 'registry.yaml': REGISTRY, 'rows.yaml': ROWS, ...CALENDARS, ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

export function removeRulesDirs(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
}

const HEAD = `pack: demo
version: "1"
title: Demo
jurisdiction: demo-town
cite: Demo ordinance
in_force: { from: unknown, verified_on: "2026-11-30" }
time_zone: America/Chicago
`;
const PARTS: Readonly<Record<string, string>> = {
  counting: 'counting: plain\n',
  bodies: 'bodies: { board: { name: Town board, role: board } }\n',
  assessments: 'assessments: { visit: { question: May it stand?, judged_on: seen_on } }\n',
};

/** A demo pack: facts and clauses as given, the rest filled in. `more` may replace the sections that are filled in. */
export function packText(
  facts: string,
  clauses: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const sections = { ...PARTS, ...more };
  return `${HEAD}${Object.values(sections).join('')}facts:\n  seen_on: { type: date, label: Day seen }\n${facts}\nclauses:\n${clauses}\n`;
}

/** A clause of the demo pack; the first one should claim the row DM-01. */
export const clause = (id: string, body: string): string =>
  `  - { id: ${id}, cite: par. 1, rows: [DM-01], about: visit, says: Says ${id}., ${body} }`;

export function loadDemo(facts: string, clauses: string, more: Readonly<Record<string, string>> = {}): Pack {
  return onlyPack(loadRules(rulesDir({ 'demo/1.yaml': packText(facts, clauses, more) })));
}

export function onlyPack(rules: RuleSet): Pack {
  const pack = [...rules.packs.values()][0]?.at(-1);
  if (!pack) throw new Error('no pack was loaded');
  return pack;
}

/** Facts as they come in over REST, parsed; those of series count as a ledger. A fault fails the test. */
export function source(pack: Pack, facts: Readonly<Record<string, unknown>>): FactSource {
  const parsed = pack.parseFacts(facts, pack.facts.keys(), '/facts');
  if (parsed.faults.length > 0) throw new Error(parsed.faults.map(({ detail }) => detail).join('; '));
  return stored(parsed.facts);
}

/** Facts as they are stored. */
export function stored(facts: Readonly<Record<string, JsonValue>>): FactSource {
  const entries = new Map<string, FactEntry>(
    Object.entries(facts).map(([name, json]) => [
      name,
      {
        json,
        from: Array.isArray(json) ? { source: 'ledger', event: 'subject-1@4' } : { source: 'payload' },
      },
    ]),
  );
  return (name) => entries.get(name);
}

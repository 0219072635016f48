import { execFileSync } from 'node:child_process';
import path from 'node:path';
import {
  clause,
  packText,
  removeRulesDirs,
  rulesDir,
} from '../../libs/rules-engine/src/testing/rules-dir.testing';

afterAll(removeRulesDirs);

const PACK = packText(
  `
  gap: { type: length, unit: ft, label: Gap }
  begun_at: { type: instant, optional: yes, label: Begun }
  ended_at: { type: instant, optional: yes, label: Ended }`,
  [
    clause('C1', 'require: { fact: begun_on, on_or_before: seen_on }'),
    clause(
      'C2',
      'deadline: { who: w, must: m, kind: decision, starts: seen_on, allow: 3 days, done: ended_at, if_missed: { outcome: violation } }',
    ),
    clause(
      'C3',
      'deadline: { who: w, must: m, kind: physical, starts: begun_at, allow: 24 h, done: ended_at, if_missed: { outcome: violation } }',
    ),
    clause(
      'C4',
      'forbid: { fact: seen_on, in_season: Oct 31 to Apr 30 }, unless: { fact: gap, less_than: 2 ft }',
    ),
  ].join('\n'),
  {
    calendars: 'calendars: { legal: demo-legal }\n',
    counting: 'counting: wis-990.001\n',
    derived: 'derived: { begun_on: { label: b, day: begun_at } }\n',
  },
);

/** Judges the same facts around both changes of the clocks, with the machine in another zone each time. */
function findingsIn(zone: string, language: string, dir: string): string {
  const hook = path.join(__dirname, 'support/typescript-hook.cjs');
  const script = path.join(__dirname, 'support/print-findings.cjs');
  return execFileSync(process.execPath, ['-r', hook, script, dir], {
    env: { ...process.env, TZ: zone, LANG: language, LC_ALL: language },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

describe('the zone and language of the machine', () => {
  it.each([
    ['a demo pack', () => rulesDir({ 'demo/1.yaml': PACK })],
    ['the packs of this repository', () => path.resolve(__dirname, '../../rules')],
  ])('change no byte of the findings of %s', (_what, dir) => {
    const rules = dir();
    const [first = [], ...others] = [
      findingsIn('UTC', 'C', rules),
      findingsIn('America/Los_Angeles', 'de_DE.UTF-8', rules),
      findingsIn('Pacific/Kiritimati', 'tr_TR.UTF-8', rules),
    ].map((text) => text.split('\n'));
    // The first line is the machine's own offset: the zones did differ.
    expect(new Set([first[0], ...others.map(([offset]) => offset)]).size).toBe(3);
    expect(first.length).toBeGreaterThan(100);
    for (const other of others) expect(other.slice(1)).toEqual(first.slice(1));
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatProblem, RuleErrors } from '../source/problem';
import { removeRulesDirs, rulesDir } from '../testing/rules-dir.testing';
import { checkRules, loadRules } from './load-rules';

afterAll(removeRulesDirs);

const SIXTH = path.resolve(__dirname, '../../../../test/fixtures/sixth');
const read = (...parts: string[]): string => readFileSync(path.join(SIXTH, ...parts), 'utf8');
const PACK = read('fernhollow-marl', '1.yaml');
const FILES = {
  'registry.yaml': read('registry.yaml'),
  'rows.yaml': read('rows.yaml'),
  'calendars/marl-office.yaml': read('calendars', 'marl-office.yaml'),
  'schedules/marl-fees.yaml': read('schedules', 'marl-fees.yaml'),
  'fernhollow-marl/1.yaml': PACK,
};

/** A small generator of our own: the same seed makes the same texts on every machine. */
function drawer(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
type Below = (n: number) => number;
const pick = <T>(below: Below, list: readonly T[]): T => list[below(list.length)] as T;

const TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '- ',
    '"',
    "'",
    '#',
    '\t',
    '&a',
    '*a',
    '!!int',
    '|',
    '>',
    '?',
    '%',
    '@',
    '\n',
    '---',
  ],
  ...[
    'null',
    '~',
    'yes',
    '0x1F',
    '1e9',
    '.inf',
    '2027-02-30',
    '600 ft',
    '$5',
    '20,000 gal',
    'none',
    '__proto__',
  ],
  ...[
    'constructor',
    'fact',
    'all',
    'is',
    'deadline',
    'table',
    'clauses_met',
    'missing',
    '\u0000',
    '\ud800',
    '😀',
  ],
];

/** Spoils a text in one to four places: by line, by token, or by character. */
function spoil(text: string, below: Below): string {
  let spoilt = text;
  for (let times = 1 + below(4); times > 0; times--) spoilt = spoilOnce(spoilt, below);
  return spoilt;
}

function spoilOnce(text: string, below: Below): string {
  const lines = text.split('\n');
  const at = below(lines.length);
  const line = lines[at] ?? '';
  switch (below(7)) {
    case 0:
      lines.splice(at, 1 + below(3));
      break;
    case 1:
      lines.splice(at, 0, lines[below(lines.length)] ?? '');
      break;
    case 2:
      lines[at] = `${' '.repeat(below(5))}${line.trimStart()}`;
      break;
    case 3:
      lines[at] = line.replace(/[\w.$]+/, pick(below, TOKENS));
      break;
    case 4: {
      const words = text.split(/[^\w.]+/);
      lines[at] = line.replace(/\w+(?!.*\w)/, pick(below, words));
      break;
    }
    case 5: {
      const column = below(line.length + 1);
      lines[at] = `${line.slice(0, column)}${pick(below, TOKENS)}${line.slice(column)}`;
      break;
    }
    default:
      lines[at] = line.slice(0, below(line.length + 1));
  }
  return lines.join('\n');
}

/** YAML that is nobody's pack: mappings, lists and words of the format at random, some of them deep. */
function random(below: Below, depth = 0): string {
  const words = [
    ...TOKENS,
    'pack',
    'facts',
    'clauses',
    'derived',
    'tables',
    'acts',
    'require',
    'label',
    'cite',
    'rows',
  ];
  const kind = depth > 5 ? 2 : below(3);
  if (kind === 2) return JSON.stringify(pick(below, words));
  const parts = Array.from({ length: below(4) }, () => random(below, depth + 1));
  if (kind === 1) return `[${parts.join(', ')}]`;
  return `{${parts.map((part, index) => `${JSON.stringify(pick(below, words) + index)}: ${part}`).join(', ')}}`;
}

/** What is left to say of a directory is our own, with its place, or nothing. */
function expectPositioned(dir: string, texts: Readonly<Record<string, string>>): number {
  const { problems } = checkRules(dir);
  for (const problem of problems) {
    const lines = (texts[problem.path.replace('rules/', '')] ?? '').split('\n').length;
    const shown = formatProblem(problem);
    expect(shown).toMatch(/^rules\/\S+:\d+:\d+(?: {2}.+)?\n {4}\S/);
    expect([shown, problem.line >= 1 && problem.line <= lines + 1 && problem.col >= 1]).toEqual([
      shown,
      true,
    ]);
    // What is no YAML is said in the words of its parser.
    if (problem.message.startsWith('this is not YAML: ')) continue;
    // The words of ajv, of JavaScript and of JSON Schema mean nothing to an officer.
    expect(shown).not.toMatch(
      /must (?:be (?!live)|have|NOT|match)|undefined|\[object|#\/\$defs|Cannot read|is not a function/,
    );
  }
  return problems.length;
}

describe('whatever stands in a rules directory', () => {
  const dir = rulesDir(FILES);
  const tryText = (file: keyof typeof FILES, text: string): number => {
    writeFileSync(path.join(dir, file), text);
    try {
      return expectPositioned(dir, { ...FILES, [file]: text });
    } finally {
      writeFileSync(path.join(dir, file), FILES[file]);
    }
  };

  it('a pack that is in order is', () => {
    expect(tryText('fernhollow-marl/1.yaml', PACK)).toBe(0);
    writeFileSync(path.join(dir, 'fernhollow-marl/1.yaml'), PACK.replace('pack: ', 'pakc: '));
    expect(() => loadRules(dir)).toThrow(RuleErrors);
  });

  it.each([1, 2, 3, 4])('a pack that was spoilt gives nothing but errors of our own (%d)', (seed) => {
    const below = drawer(seed);
    let refused = 0;
    for (let round = 0; round < 12; round++) {
      if (tryText('fernhollow-marl/1.yaml', spoil(PACK, below)) > 0) refused += 1;
    }
    expect(refused).toBeGreaterThan(6);
  });

  it.each(['registry.yaml', 'rows.yaml', 'calendars/marl-office.yaml', 'schedules/marl-fees.yaml'] as const)(
    'so does a spoilt %s',
    (file) => {
      const below = drawer(file.length);
      const found = Array.from({ length: 5 }, () => tryText(file, spoil(FILES[file], below)));
      expect(found.some((count) => count > 0)).toBe(true);
    },
  );

  it('so does what was never a pack', () => {
    const below = drawer(99);
    const texts = ['', '\n', '[]', '{}', 'null', '"a"', '- - - -', '\ufeffpack: x', '? a\n: b', '<<: {a: 1}'];
    for (const text of [...texts, ...Array.from({ length: 30 }, () => random(below))]) {
      expect(tryText('fernhollow-marl/1.yaml', text) > 0).toBe(true);
    }
  });
});

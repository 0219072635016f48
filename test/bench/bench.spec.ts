import { loadRules } from '@headworks/rules-engine';
import { join } from 'node:path';
import { CLAUSES, drawCases, NOW_MS } from './facts';
import { handFacts, judgeByHand } from './hand-written';
import { contest, isMet, median, rateOf, row } from './measure';
import { benchRules, mustAgree, type Peer } from './rules.bench';
import { tableOf } from './table';

const rulesDir = join(__dirname, '../../rules');

describe('a row', () => {
  it('is met exactly from its target on', () => {
    const rows = [249.9, 250, 250.1].map((value) => row('half', 'loads/s', value, 1000, 0.25));
    expect(rows.map(isMet)).toEqual([false, true, true]);
  });

  it('rounds what it shows, and never its ratio into or out of a target', () => {
    expect(row('a', 'packs/s', 123_456, 617_280, 0.2)).toEqual({
      ...{ name: 'a', unit: 'packs/s', value: 123_000, ceiling: 617_000, target: 0.2 },
      ratio: 0.2,
    });
    expect(isMet(row('a', 'packs/s', 123_400, 617_280, 0.2))).toBe(false);
  });

  it('without a target promises nothing', () => {
    expect(isMet(row('for information', 'packs/s', 1, 1_000_000, 0))).toBe(true);
  });
});

describe('the table', () => {
  it('says of each row whether its target is met, and how many are not', () => {
    const rows = [
      row('group commit', 'appends/s', 19_000, 3000, 3),
      row('whole law', 'loads/s', 100, 1000, 0.25),
      row('by hand', 'packs/s', 1, 20, 0),
    ];
    const lines = tableOf(rows).trim().split('\n');
    expect(lines[1]).toMatch(/^group commit +19,000 appends\/s +3,000 +6\.33 +3 {2}met$/);
    expect(lines[2]).toMatch(/^whole law +100 loads\/s +1,000 +0\.1 +0\.25 {2}NOT MET$/);
    expect(lines[3]).toMatch(/^by hand +1 packs\/s +20 +0\.05 +-$/);
    expect(lines.at(-1)).toBe('1 of 3 rows miss their target.');
    expect(tableOf(rows.slice(0, 1))).toContain('All targets are met.');
  });
});

describe('a contest', () => {
  it('tells the rates of contenders by the clock it is given, waiting for those that need it', async () => {
    let now = 0;
    const rates = await contest(
      [
        { name: 'one ms', work: (times) => void (now += times) },
        { name: 'four ms', work: (times) => Promise.resolve(void (now += 4 * times)) },
      ],
      { rounds: 3, turnMs: 100, clock: () => now },
    );
    expect(rateOf(rates, 'one ms')).toBeCloseTo(1000);
    expect(rateOf(rates, 'four ms')).toBeCloseTo(250);
    expect(() => rateOf(rates, 'nobody')).toThrow("'nobody' took no part");
  });

  it('takes the median of the turns, so that one slow moment tells nothing', async () => {
    let now = 0;
    let turns = 0;
    const work = (times: number) => void (now += turns++ === 12 ? 1000 * times : times);
    const rates = await contest([{ name: 'a', work }], { rounds: 5, turnMs: 100, clock: () => now });
    expect(turns).toBeGreaterThan(12);
    expect(rateOf(rates, 'a')).toBeCloseTo(1000);
  });

  it('knows the median of odd, even and no figures', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow('at least once');
  });
});

describe('the rules that are timed', () => {
  const pack = loadRules(rulesDir).packs.get('whitewater-sludge')?.at(-1);
  if (!pack) throw new Error('the pack is missing');

  it.each([false, true])('judge drawn facts as TypeScript by hand does (facts missing: %s)', (missing) => {
    const cases = drawCases(pack, { cases: 2000, seed: 1, missing });
    const seen = new Set<string>();
    for (const { source, plain } of cases) {
      const ours = pack.statuses({ clauses: CLAUSES, facts: source, now: NOW_MS });
      expect({ plain, verdicts: judgeByHand(handFacts(plain)) }).toEqual({ plain, verdicts: ours });
      ours.forEach((status, at) => seen.add(`${CLAUSES[at]} ${status}`));
    }
    // Nothing is timed that could be guessed: each clause is seen to hold and to be broken.
    for (const clause of CLAUSES) {
      for (const status of ['satisfied', 'violated', 'not_applicable'])
        expect(seen).toContain(`${clause} ${status}`);
    }
  });

  it('are drawn alike from the same seed', () => {
    const drawn = () => drawCases(pack, { cases: 5, seed: 3, missing: true }).map(({ plain }) => plain);
    expect(drawn()).toEqual(drawn());
  });

  const agreeing: Peer = {
    name: 'agreeing',
    open: () => ({ encode: handFacts, judge: (facts) => judgeByHand(facts as never) }),
  };
  const quick = { rulesDir, cases: 20, rounds: 1, turnMs: 1 };

  it('give a row a peer, one for findings and one by hand, with facts there and missing', async () => {
    const rows = await benchRules([agreeing], quick);
    expect(rows.map(({ name, target }) => [name, target])).toEqual(
      ['facts present', 'a quarter of the facts missing'].flatMap((facts) => [
        [`rules: statuses, ${facts} / agreeing`, 1],
        [`rules: full findings, ${facts} / statuses`, 0.025],
        [`rules: statuses, ${facts} / TypeScript by hand`, 0],
      ]),
    );
  });

  it('are not timed against a peer that finds otherwise', async () => {
    const lenient: Peer = {
      name: 'lenient',
      open: () => ({
        encode: handFacts,
        judge: (facts) => judgeByHand(facts as never).map((s) => (s === 'unknown' ? 'satisfied' : s)),
      }),
    };
    await expect(benchRules([agreeing, lenient], quick)).rejects.toThrow(
      /'lenient' finds .* satisfied where Headworks finds it unknown/,
    );
    expect(() => mustAgree('short', [{ plain: {} }], [['satisfied', 'violated']], [['satisfied']])).toThrow(
      "'short' finds F.residence undefined where Headworks finds it violated",
    );
  });
});

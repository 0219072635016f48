import path from 'node:path';
import type { Pack } from './api';
import { loadRules } from './load/load-rules';
import { runCases } from './load/run-cases';
import { readPack } from './read/read-pack';
import { drawFacts, removeFacts } from './remove-facts';

const DIR = path.resolve(__dirname, '../../../test/fixtures/sixth');
const NOW = Date.parse('2027-05-03T17:00:00Z');
const marl = (): Pack => {
  const pack = loadRules(DIR).packs.get('fernhollow-marl')?.[0];
  if (!pack) throw new Error('no pack');
  return pack;
};

describe('an invented ordinance that uses every word', () => {
  const pack = marl();

  it('says in its cases what each of them means', () => {
    const { problems, results } = runCases(DIR);
    expect(problems).toEqual([]);
    expect(results.filter(({ failures }) => failures.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThan(30);
  });

  it('never flips a finding when facts are taken away', () => {
    const { flips, seen } = removeFacts(pack, { findings: 20_000, seed: 6, now: NOW });
    expect(flips).toEqual([]);
    expect([...seen.keys()].sort()).toEqual(['not_applicable', 'satisfied', 'unknown', 'violated']);
  });

  it('is judged alike each time, by findings and by statuses', () => {
    const [facts = {}] = drawFacts(pack, { seed: 2, now: NOW, count: 1 });
    const question = {
      clauses: [...pack.clauses.keys()],
      facts: (name: string) => {
        const json = facts[name];
        return json === undefined ? undefined : { json, from: { source: 'payload' } as const };
      },
      now: NOW,
    };
    expect(JSON.stringify(marl().evaluate(question))).toBe(JSON.stringify(pack.evaluate(question)));
    expect(pack.statuses(question)).toEqual(pack.evaluate(question).map(({ status }) => status));
  });

  it.each([
    '- Close a road for a while (`close_road`, par. 13): by Field warden; records road, last day on which it is closed; done once for each road; holds until last day on which it is closed',
    '- Open it again (`open_road`, par. 13): by Field warden; records road; done for each road; undoes close_road',
    '- Order to mend (`order`, par. 10): by Field warden; records day by which it is to be mended; starts mend, appeal_in_time',
    "- least distance where it is plowed in: the figure of the table 'Distances where it is plowed in the same day' for what is nearest",
    '| house | 500 ft | 750 ft | not allowed | 200 ft | 300 ft | 400 ft |',
  ])('tells an officer %j', (line) => {
    expect(readPack(pack).split('\n')).toContain(line);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startApi, type Api } from '../e2e/support/api';
import { play } from './support/play';
import { readScenario, readStage, type Scenario, type Stage } from './support/scenario-file';

/**
 * Folders of scenarios, one an ordinance; each has a `stage.yaml` that its scenarios share. They are played on one store:
 * that every store answers alike is for the suites of the stores and of the API.
 */
const FOLDERS = readdirSync(__dirname).filter((name) => existsSync(path.join(__dirname, name, 'stage.yaml')));
const RULES = path.resolve(__dirname, '../../rules');

const filesOf = (folder: string): readonly string[] =>
  readdirSync(path.join(__dirname, folder))
    .filter((file) => file.endsWith('.yaml') && file !== 'stage.yaml')
    .sort();
const stageOf = (folder: string): Stage => readStage(path.join(__dirname, folder, 'stage.yaml'));

async function played(stage: Stage, scenario: Scenario): Promise<readonly string[]> {
  const api: Api = await startApi('sqlite');
  try {
    return await play(api, stage, scenario);
  } finally {
    await api.stop();
  }
}

describe.each(FOLDERS)('scenarios of %s', (folder) => {
  const stage = stageOf(folder);
  const scenarios = filesOf(folder).map((file) => readScenario(path.join(__dirname, folder, file), stage));

  it('each plays its own, for rows of the law that there are', () => {
    const titles = scenarios.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    const known = readFileSync(path.join(RULES, 'rows.yaml'), 'utf8');
    const strange = scenarios.flatMap(({ rows }) => rows).filter((row) => !known.includes(`- id: ${row}\n`));
    expect(strange).toEqual([]);
  });

  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    async (_title, scenario) => {
      expect(await played(stage, scenario)).toEqual([]);
    },
  );
});

describe('a scenario that is wrong', () => {
  const folder = 'lodi-onsite-waste';
  const stage = stageOf(folder);
  const head = 'scenario: Planted\ncite: x\nrows: [LO-23]\n';
  const read = (steps: string) => readScenario('planted.yaml', stage, `${head}steps:\n${steps}`);
  const registers = '  - { when: 2026-08-03 09:00, who: the clerk, does: registers plant main';

  it.each([
    ['an answer', '{ answer: 400 }', 'answered 201, not 400'],
    ['a standing', '{ standing: issued }', 'it stands as: expected "issued"'],
    ['a finding', '{ findings: { B.1: { status: violated } } }', 'there is no finding under B.1'],
    ['a violated clause', '{ violated: [B.1] }', 'violated: expected ["B.1"], found []'],
    ['a satisfied clause', '{ satisfied: [B.1] }', 'B.1: not satisfied'],
    ['an event', '{ events: [ApplicationFiled] }', 'events: expected ["ApplicationFiled"], found'],
    ['a violation', '{ violations: [B.1] }', 'violations: expected ["B.1"], found []'],
  ])('is seen to be, where it expects %s that is not there', async (_what, then, failure) => {
    const failures = await played(stage, read(`${registers}, then: ${then} }`));
    expect(failures).toEqual([expect.stringContaining(failure)]);
    expect(failures[0]).toContain('planted.yaml:5 registers plant main');
  });

  it.each([
    ['a word that means nothing', `${registers}, them: { answer: 201 } }`, "'them' means nothing in a step"],
    ['no deed', '  - { who: the clerk }', "add 'does'"],
    ['an opening that is not there', '', 'there is no opening'],
  ])('is refused, where it has %s', (_what, steps, message) => {
    const given = steps === '' ? `${head}given: [the moon]\nsteps: []` : `${head}steps:\n${steps}`;
    expect(() => readScenario('planted.yaml', stage, given)).toThrow(message);
  });

  it.each([
    ['a sentence that nobody knows', 'dances', 'nobody knows how to do'],
    ['a name that was not given', 'looks at the moon', "nothing here is called 'the moon'"],
  ])('is refused, where it has %s', async (_what, does, message) => {
    const steps = `  - { when: 2026-08-03 09:00, who: the clerk, does: ${does} }`;
    await expect(played(stage, read(steps))).rejects.toThrow(message);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '@headworks/kernel';
import { openKeys, readConfig, type Config } from '@headworks/wiring';
import type { Flags } from '../command';
import { createApiKey, listApiKeys } from './keys';

describe('keys on the command line', () => {
  let dir: string;
  let config: Config;
  let said: string[];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headworks-keys-'));
    writeFileSync(join(dir, 'log.sqlite'), '');
    config = readConfig({ DATA_DIR: dir });
    said = [];
    const hear = (text: unknown): boolean => said.push(String(text)) > 0;
    jest.spyOn(process.stdout, 'write').mockImplementation(hear);
    jest.spyOn(process.stderr, 'write').mockImplementation(hear);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(dir, { recursive: true });
  });

  const GOOD: Flags = {
    name: 'Acme',
    role: ['holder'],
    jurisdiction: ['a-town'],
    holder: ['hauler:12345', 'hauler:O’Neil: Sons'],
  };

  it('a holder’s key says whom it acts for, and the list shows it', async () => {
    expect(await createApiKey.run(config, [], GOOD)).toBe(0);
    const [secret = ''] = said.join('').split('\n');
    const keys = await openKeys(config);
    expect(await keys.findApiKey(sha256Hex(secret))).toMatchObject({
      roles: ['holder'],
      holds: [
        { kind: 'hauler', key: '12345' },
        { kind: 'hauler', key: 'O’Neil: Sons' },
      ],
    });
    await keys.close();
    expect(await listApiKeys.run(config, [], {})).toBe(0);
    expect(said.at(-1)).toMatch(
      /Acme {2}holder {2}a-town {2}hauler:12345,hauler:O’Neil: Sons {2}\S+Z {2}live/,
    );
  });

  it.each([
    ['a holder of nothing', { holder: undefined }, /sees and files its own alone: say whose it is/],
    ['a thing without a kind', { holder: ['12345'] }, /written kind:key, as hauler:12345; not '12345'/],
    ['whose, but no holder', { role: ['clerk'] }, /add --role holder, or leave it out/],
    ['an unknown role', { role: ['boss'] }, /at least one --role of .*; not boss/],
    ['no jurisdiction', { jurisdiction: [] }, /at least one --jurisdiction/],
    ['no name', { name: undefined }, /has a --name/],
  ] as const)('refuses %s in a sentence, and makes no key', async (_, flags, sentence) => {
    expect(await createApiKey.run(config, [], { ...GOOD, ...flags })).toBe(2);
    expect(said.join('')).toMatch(sentence);
    const keys = await openKeys(config);
    expect(await keys.listApiKeys()).toEqual([]);
    await keys.close();
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@headworks/wiring';
import type { Flags } from '../command';
import { importLoads } from './import';

const MAPPING = `
import: loads
zone: America/Chicago
body:
  pack: example-law
  load: tipping
  subject: { kind: parcel, key: A 1 }
  hauler: { kind: hauler, key: "7" }
  ticket: { column: No }
  occurredAt: { time: At }
  quantity: { column: Gal, unit: gal }
`;

describe('imports on the command line', () => {
  let dir: string;
  let out: string[];
  let err: string[];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headworks-import-'));
    writeFileSync(join(dir, 'm.yaml'), MAPPING);
    writeFileSync(
      join(dir, 'parcels.yaml'),
      'import: subjects\nkind: parcel\nzone: America/Chicago\nbody: {}\n',
    );
    writeFileSync(join(dir, 'wrong.yaml'), MAPPING.replace('zone: America/Chicago', 'zone: Here'));
    writeFileSync(join(dir, 'log.csv'), 'No,At,Gal\nT-1,2027-07-03 15:00,many\nT-2,2027-03-14 02:30,5\n');
    [out, err] = [[], []];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(dir, { recursive: true });
  });

  const run = (file: string | undefined, flags: Flags): Promise<number> => {
    const { mapping } = flags;
    const paths = { ...flags, ...(mapping !== undefined && { mapping: join(dir, mapping) }) };
    return importLoads.run(readConfig({}), file === undefined ? [] : [join(dir, file)], paths);
  };
  const READY: Flags = { mapping: 'm.yaml', key: 'hw_key', url: 'http://127.0.0.1:9' };

  it.each([
    ['no file', undefined, READY, /Say which file, and how it reads/],
    ['no mapping', 'log.csv', { key: 'hw_key' }, /Say which file, and how it reads/],
    [
      'a mapping that is not there',
      'log.csv',
      { ...READY, mapping: 'x.yaml' },
      /There is no mapping '.*x\.yaml'/,
    ],
    ['a wrong mapping', 'log.csv', { ...READY, mapping: 'wrong.yaml' }, /wrong\.yaml: zone: say the zone/],
    [
      'a mapping of other things',
      'log.csv',
      { ...READY, mapping: 'parcels.yaml' },
      /is a mapping of subjects/,
    ],
    ['no key', 'log.csv', { ...READY, key: '' }, /Say which API key to use/],
    ['a file that is not there', 'no.csv', READY, /There is no file '.*no\.csv'/],
  ] as const)('%s is one sentence, and exit code 2', async (_, file, flags, sentence) => {
    expect(await run(file, flags)).toBe(2);
    expect([out, err.join('')]).toEqual([[], expect.stringMatching(sentence)]);
  });

  it('all errors are listed before anything is asked of a server', async () => {
    expect(await run('log.csv', READY)).toBe(2);
    const [first, second, last] = err.join('').trim().split('\n');
    expect(first).toMatch(/^line 2, Gal: 'many' is no number/);
    expect(second).toMatch(/^line 3, At: 2027-03-14 02:30:00 does not exist/);
    expect(last).toBe('2 errors; nothing was sent.');
  });

  it('a server that is not there is no error of a row', async () => {
    writeFileSync(join(dir, 'log.csv'), 'No,At,Gal\nT-1,2027-07-03 15:00,5\n');
    expect(await run('log.csv', READY)).toBe(2);
    expect(err.join('')).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:9\/v1/);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMapping } from '../../apps/cli/src/import/mapping';
import { runImport } from '../../apps/cli/src/import/run-import';
import { httpServer } from '../../apps/cli/src/import/server';
import { ADMIN, startApi, type Api } from './support/api';
import { expectStatus } from './support/town';

const FIXTURES = join(__dirname, '../fixtures/demo');
const read = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

let api: Api;
beforeAll(async () => {
  api = await startApi('sqlite');
  expectStatus(await api.at('2027-10-20T12:00:00Z'), 200);
});
afterAll(() => api.stop());

function run(file: string, mappingName: string, change: (text: string) => string = (text) => text) {
  const mapping = readMapping(read(`${mappingName}.mapping.yaml`));
  if ('faults' in mapping) throw new Error(mapping.faults.join('\n'));
  return runImport({ file, text: change(read(file)), mapping, server: httpServer(api.base, ADMIN) });
}

it('registers parcels and records a log on a running server; again, nothing is recorded twice', async () => {
  const before = await api.count();
  expect(await run('parcels.geojson', 'parcels')).toMatchObject({ recorded: 6, faults: [] });
  expect(await run('haulers-log-2027.csv', 'haulers-log')).toMatchObject({ recorded: 9, faults: [] });
  const after = await api.count();
  expect(after - before).toBeGreaterThan(15);
  expect(await run('parcels.geojson', 'parcels')).toMatchObject({ recorded: 0, standing: 6 });
  expect(await run('haulers-log-2027.csv', 'haulers-log')).toMatchObject({ recorded: 0, standing: 9 });
  expect(await api.count()).toBe(after);
});

it('the server’s errors come at once, by line and column, and nothing is sent', async () => {
  const before = await api.count();
  const { faults } = await run('haulers-log-2027.csv', 'haulers-log', (text) =>
    text.replaceAll('S-27', 'S-X').replace('8/10/2027', '8/10/2028'),
  );
  expect(faults).toEqual([
    expect.stringMatching(/^line 7, Date and Start: .*later than now/),
    expect.stringMatching(/^line 7, Date and End: .*later than now/),
  ]);
  expect(await api.count()).toBe(before);
});

it('a parcel that somebody registered otherwise is told, and stays as it is', async () => {
  const { faults } = await run('parcels.geojson', 'parcels', (text) =>
    text.replace('"the triangle"', '"a strip"'),
  );
  expect(faults).toEqual([expect.stringMatching(/^feature 4: /)]);
});

it('another content of a ticket that stands is told before anything is sent', async () => {
  const { faults } = await run('haulers-log-2027.csv', 'haulers-log', (text) =>
    text.replace('"4,000"', '"4,400"'),
  );
  expect(faults).toEqual([expect.stringMatching(/^line 7: .*\(409\)$/)]);
});

it('a ticket without a permit of its day, and a server that is not there', async () => {
  const { faults } = await run('dump-tickets.csv', 'tickets-asked');
  expect(faults[0]).toMatch(
    /^line 2: hauler 12345 has no permit \(disposal\) on 2027-01-06; see GET \/v1\/permits\?/,
  );
  await expect(httpServer('http://127.0.0.1:9', 'k').call('GET', '/packs')).rejects.toThrow(
    /Nothing answers at http:\/\/127\.0\.0\.1:9\/v1 \(.*\); start Headworks, or say where it is: --url\./,
  );
  await expect(httpServer(api.base, 'hw_wrong').call('GET', '/packs')).rejects.toThrow(
    /The key is not taken/,
  );
});

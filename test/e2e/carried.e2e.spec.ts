import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unsealEvent } from '@headworks/event-store';
import {
  backupIn,
  backupKeysIn,
  exportLogIn,
  importLogIn,
  verifyChainIn,
  verifyViewsIn,
} from '@headworks/wiring';
import { startApi, STORES, type Api, type Json, type StoreKind } from './support/api';
import { eventsOf, expectStatus, idOf, itemsOf, load, registerSite } from './support/town';

const LOADED = '2027-07-03T15:00:00-05:00';
const GENERATOR = { name: 'Mrs. Sealed', address: 'N1000 County Road P', phone: '262 555 0100' };

/** A town's small day, with a personal field and a key of its own; the server goes on. */
async function day(api: Api): Promise<{ site: string; key: string; body: Json; load: string }> {
  await api.at('2027-07-03T14:00:00-05:00');
  const site = await registerSite(api, 'C 1');
  const key = await api.keyOf(['clerk']);
  await api.at('2027-07-03T15:05:00-05:00');
  const source = { wasteType: 'dairy', quantity: '2500 gal', location: 'N1000', generator: GENERATOR };
  const body = load('C 1', LOADED, { sources: [source] });
  const made = await api.post('/v1/loads', body, { key, headers: { 'idempotency-key': 'carried-1' } });
  return { site, key, body, load: idOf(expectStatus(made, 201)) };
}

const OTHER: Readonly<Record<StoreKind, StoreKind>> = { sqlite: 'postgres', postgres: 'sqlite' };

describe.each(STORES)('what a server on %s exported', (from) => {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-carried-'));
  const [file, keysFile] = [join(dir, 'log.ndjson'), join(dir, 'keys.ndjson')];
  let old: Api;
  let moved: Api;
  let was: Awaited<ReturnType<typeof day>>;
  beforeAll(async () => {
    old = await startApi(from);
    was = await day(old);
    await exportLogIn(old.program.config, file, keysFile);
    moved = await startApi(OTHER[from], 'virtual', {}, (config) => importLogIn(config, file, keysFile));
  });
  afterAll(async () => {
    await old.stop();
    await moved.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it('goes on in the other store: the same events, views, keys, and personal fields that can be read', async () => {
    const history = async (api: Api) =>
      eventsOf(expectStatus(await api.get(`/v1/loads/${was.load}/history`, { key: was.key }), 200));
    expect(await history(moved)).toEqual(await history(old));
    const [sealed] = await moved.program.services.store.readStream(`load-${was.load}`);
    const opened = sealed && (await unsealEvent(sealed, moved.program.keys));
    // Whether it can be read is asked, not shown: a failure would print the whole event.
    expect(JSON.stringify(opened).includes(GENERATOR.name)).toBe(true);
    const lists = async (api: Api, path: string) =>
      itemsOf(expectStatus(await api.get(`/v1/${path}`, { key: was.key }), 200));
    for (const path of ['loads', 'violations', 'subjects/site', 'duties']) {
      expect([path, await lists(moved, path)]).toEqual([path, await lists(old, path)]);
    }
    expect((await verifyViewsIn(moved.program.config)).filter(({ right }) => !right)).toEqual([]);
  });

  it('knows what was promised: the same Idempotency-Key is answered, and written no second time', async () => {
    const before = await moved.count();
    const options = { key: was.key, headers: { 'idempotency-key': 'carried-1' } };
    expect(idOf(await moved.post('/v1/loads', was.body, options))).toBe(was.load);
    expect(await moved.count()).toBe(before);
    const other = await moved.post('/v1/loads', { ...was.body, ticket: 'X' }, options);
    expectStatus(other, 422);
  });

  it('takes new writes, and its clock goes on from where it stood', async () => {
    expectStatus(await moved.at('2027-07-03T13:00:00-05:00'), 409);
    await moved.at('2027-07-04T08:00:00-05:00');
    expectStatus(
      await moved.post('/v1/loads', load('C 1', '2027-07-04T08:00:00-05:00'), { key: was.key }),
      201,
    );
    expect((await verifyChainIn(moved.program.config)).faults).toEqual([]);
  });

  it('lies in files that only their owner reads, without a personal field in the clear', async () => {
    expect([file, keysFile].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(readFileSync(file, 'utf8')).not.toContain(GENERATOR.name);
    await expect(exportLogIn(old.program.config, file)).rejects.toThrow(
      'stands already; name a file that does not',
    );
    await expect(importLogIn(old.program.config, join(dir, 'none'))).rejects.toThrow('There is no file');
    await expect(exportLogIn(old.program.config, join(dir, 'no', 'log'))).rejects.toThrow(
      "can't be written (ENOENT)",
    );
  });
});

describe('a backup that is put back', () => {
  it('is the server as it was then, its views made anew', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headworks-backup-'));
    const old = await startApi('sqlite');
    let restored: Api | undefined;
    try {
      const was = await day(old);
      const { line, right } = await backupIn(old.program.config, dir);
      expect([right, line]).toEqual([true, expect.stringContaining('every hash is right')]);
      // One folder only because it is a test: it is put back as it lies.
      backupKeysIn(old.program.config, dir);
      await old.at('2027-07-04T08:00:00-05:00');
      expectStatus(await old.post('/v1/loads', load('C 1', '2027-07-04T08:00:00-05:00')), 201);
      restored = await startApi('sqlite', 'virtual', { DATA_DIR: dir });
      const { body } = expectStatus(await restored.get('/v1/loads', { key: was.key }), 200);
      expect((body['items'] as readonly Json[]).map(({ id }) => id)).toEqual([was.load]);
      expectStatus(await restored.get(`/v1/subjects/site/${was.site}`, { key: was.key }), 200);
    } finally {
      await restored?.stop();
      await old.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

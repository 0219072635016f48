import { sha256Hex } from '@headworks/kernel';
import { ROLES as KNOWN_ROLES } from '@headworks/wiring';
import { ACCESS, ROLES, type Endpoint } from '../../apps/api/src/access/access';
import { PACK, STORES, TOWN, startApi, type Answered, type Api, type Json } from './support/api';
import { LATE, expectStatus, factsWith, idOf, itemsOf, load, registerSite } from './support/town';

const AT = '2027-07-03T14:55:00-05:00';
const OTHER = 'wi-lodi-city';

/** Objects of the town that addresses are filled with. */
interface Objects {
  readonly site: string;
  readonly load: string;
  readonly violation: string;
}

describe.each(STORES)('the table of endpoints and roles on %s', (store) => {
  let api: Api;
  let objects: Objects;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at('2027-07-03T15:00:00-05:00'), 200);
    const site = await registerSite(api, 'K-1');
    const made = await api.post('/v1/loads', load('K-1', AT, { facts: factsWith({ saturated: true }) }));
    const [violation] = expectStatus(made, 201).body['violations'] as readonly string[];
    const late = {
      facts: { distance_to_residence: '640 ft' },
      occurredAt: '2027-07-03T14:00:00-05:00',
      ...LATE,
    };
    expectStatus(await api.post(`/v1/subjects/site/${site}/facts`, late), 201);
    objects = { site, load: idOf(made), violation: violation ?? '' };
  });
  afterAll(() => api.stop());

  /** An address of the table with real objects in it, and a body that is good where nobody stops it. */
  function filled({ path, method }: Endpoint): { readonly path: string; readonly body: Json | undefined } {
    const { site, load: loadId, violation } = objects;
    const id = path.startsWith('/v1/loads')
      ? loadId
      : path.startsWith('/v1/violations')
        ? violation
        : path.startsWith('/v1/jurisdictions')
          ? TOWN
          : site;
    const names: Readonly<Record<string, string>> = {
      id,
      pack: PACK,
      name: 'spreading',
      kind: 'site',
      act: 'inspect_frost',
      load: 'spreading',
      limit: 'site_year',
    };
    const address = path.replace('*', '/').replace(/:(\w+)/g, (_, name: string) => names[name] ?? name);
    return { path: address, body: method === 'GET' ? undefined : bodyOf(path) };
  }

  const bodyOf = (path: string): Json => {
    const name = path.split('/').at(-1) ?? '';
    const bodies: Readonly<Record<string, Json>> = {
      checks: { pack: PACK, assessment: 'spreading', subject: { kind: 'site', key: 'K-1' } },
      ':kind': { jurisdiction: TOWN, key: 'K-2' },
      facts: { facts: { distance_to_residence: '700 ft' } },
      ':act': { pack: PACK, facts: { frost_depth: '1 in' } },
      supersession: { successors: [{ key: 'K-3' }], on: '2027-07-03', reason: 'r' },
      loads: load('K-1', AT),
      corrections: { reason: 'r', set: { quantity: '2400 gal' } },
      clock: { now: '2027-07-03T15:00:00-05:00' },
    };
    return bodies[name] ?? {};
  };

  /** Dry where there is such a thing: a call of this test changes nothing that another one sees. */
  const call = (row: Endpoint, key: string | null): Promise<Answered> => {
    const { path, body } = filled(row);
    const dry = row.method === 'POST' && path !== '/v1/checks' ? '?dryRun=true' : '';
    return api.call(row.method, path + dry, body, { key });
  };

  it('the roles are those that a key can be made with', () => {
    expect([...ROLES]).toEqual(KNOWN_ROLES);
  });

  it.each(ACCESS.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (_, row) => {
    const anyone = await call(row, null);
    expect(anyone.status).toBe(row.who === 'anyone' ? 200 : 401);
    for (const role of ROLES) {
      const { status, text } = await call(row, await api.keyOf([role]));
      const may = row.who === 'anyone' || row.who.includes(role);
      // An act is its body's: the table lets actors through, and the pack says whose it is.
      const itsBody =
        row.method === 'GET' || !row.path.endsWith('/acts/:act') || role === 'officer' || role === 'admin';
      expect([role, status, status === 200 ? '' : text]).toEqual([
        role,
        may && itsBody ? 200 : 403,
        status === 200 ? '' : text,
      ]);
    }
  });

  describe('another agency', () => {
    const perObject = ACCESS.filter(
      ({ path }) => /^\/v1\/(?!sandbox).*:/.test(path) && path !== '/v1/subjects/:kind',
    );

    it.each(perObject.map((row) => [`${row.method} ${row.path}`, row] as const))(
      '%s: what is not its own does not exist',
      async (_, row) => {
        const foreign = await call(row, await api.keyOf(['admin'], [OTHER]));
        expect(foreign.status).toBe(404);
        if (!row.path.includes(':id') || row.path.startsWith('/v1/jurisdictions')) return;
        // Word for word what is said of a thing that there never was.
        const nowhere = filled(row).path.replace(/[0-9a-f-]{36}/, '00000000-0000-4000-8000-000000000000');
        const dry = row.method === 'POST' ? '?dryRun=true' : '';
        const nothing = await api.call(row.method, nowhere + dry, filled(row).body, {
          key: await api.keyOf(['admin']),
        });
        expect([nothing.status, nothing.body['detail']]).toEqual([404, foreign.body['detail']]);
      },
    );

    it('finds nothing of others in its lists, also where it asks for them', async () => {
      const key = await api.keyOf(['admin'], [OTHER]);
      for (const list of [
        'subjects/site',
        'loads',
        'violations',
        'duties',
        'ledgers',
        'audit/late',
        'packs',
      ]) {
        const own = expectStatus(await api.get(`/v1/${list}`, { key }), 200);
        expect([list, itemsOf(own)]).toEqual([list, []]);
        if (list === 'packs') continue;
        expect(itemsOf(await api.get(`/v1/${list}?jurisdiction=${TOWN}`, { key }))).toEqual([]);
        const all = itemsOf(await api.get(`/v1/${list}?jurisdiction=${TOWN}`));
        expect([list, all.length > 0]).toEqual([list, true]);
      }
      expect(itemsOf(await api.get('/v1/jurisdictions', { key })).map(({ id }) => id)).toEqual([OTHER]);
    });

    it('neither asks nor writes under the law of another', async () => {
      const key = await api.keyOf(['admin'], [OTHER]);
      const asked = { pack: PACK, assessment: 'spreading' };
      expectStatus(await api.post('/v1/checks', asked, { key }), 404);
      expectStatus(await api.post('/v1/subjects/site', { jurisdiction: TOWN, key: 'K-9' }, { key }), 404);
      expectStatus(await api.post('/v1/loads', load('K-1', AT), { key }), 404);
    });

    it('a key of two jurisdictions sees both', async () => {
      const key = await api.keyOf(['reader'], [OTHER, TOWN]);
      expectStatus(await api.get(`/v1/loads/${objects.load}`, { key }), 200);
      expect(itemsOf(await api.get('/v1/jurisdictions', { key }))).toHaveLength(2);
    });
  });

  it('a revoked key is refused at once', async () => {
    const key = await api.keyOf(['clerk']);
    expectStatus(await api.get('/v1/loads', { key }), 200);
    const rows = await api.program.keys.listApiKeys();
    const row = rows.find(({ secretHash }) => secretHash === sha256Hex(key));
    await api.app.keys.revoke(row?.id ?? '', '2027-01-02T00:00:00.000Z');
    expectStatus(await api.get('/v1/loads', { key }), 401);
  });

  it('personal fields are open to those whose work needs them, and to others only known to be there', async () => {
    const source = {
      wasteType: 'dairy',
      quantity: { value: '2500', unit: 'gal' },
      location: 'N1234 County Road N',
      generator: { name: 'A. Farmer', phone: '262-555-0100' },
    };
    const made = expectStatus(
      await api.post(
        '/v1/loads',
        load('K-1', AT, { ticket: 'P-1', sources: [source], signedBy: 'B. Driver' }),
      ),
      201,
    );
    const seenBy = async (role: string): Promise<Answered> =>
      expectStatus(await api.get(`/v1/loads/${idOf(made)}`, { key: await api.keyOf([role]) }), 200);
    expect((await seenBy('clerk')).body).toMatchObject({ signedBy: 'B. Driver', sources: [source] });
    for (const [who, answer] of [
      ['reader', await seenBy('reader')],
      ['history', await api.get(`/v1/loads/${idOf(made)}/history`)],
      ['list', await api.get('/v1/loads?ticket=P-1')],
    ] as const) {
      expect([who, /Farmer|262-555|County Road|B\. Driver|A256GCM/.exec(answer.text)]).toEqual([who, null]);
    }
    expect((await seenBy('reader')).body).toMatchObject({ sources: [{ generator: { sealed: true } }] });
  });
});

import { sha256Hex } from '@headworks/kernel';
import { ROLES as KNOWN_ROLES } from '@headworks/wiring';
import { ACCESS, ROLES, type Endpoint } from '../../apps/api/src/access/access';
import { PACK, STORES, TOWN, startApi, type Answered, type Api, type Json } from './support/api';
import {
  application,
  applied,
  CITY,
  CITY_PACK,
  cityInOrder,
  decide,
  DISPOSER,
  FILED_AT,
  issuedPermit,
  manifestBody,
  planWith,
  staffOf,
} from './support/city';
import { HAULER, LATE, expectStatus, factsWith, idOf, itemsOf, load, registerSite } from './support/town';

const AT = '2027-07-03T14:55:00-05:00';
const OTHER = 'wi-wood-county';
const BOTH = [TOWN, CITY];
/** What every key of this test holds: a holder's role shows what the table says, not what it lacks. */
const HELD = [HAULER, DISPOSER, { kind: 'site', key: 'K-1' }];

/** Objects of the town and the city that addresses are filled with. */
interface Objects {
  readonly site: string;
  readonly load: string;
  readonly violation: string;
  /** Applications, each where one of the decisions is due, and an issued permit with a manifest that waits. */
  readonly filed: string;
  readonly complete: string;
  readonly approved: string;
  readonly permit: string;
  readonly manifest: string;
  /** Of the permit, and an address under which duties of the city are found. */
  readonly duty: string;
  readonly link: string;
  readonly closedDays: string;
}

/** Whose a decision or an act is, where the table lets several roles through: the pack says, and admin may always. */
const BODIES: Readonly<Record<string, string>> = {
  'information-requests': 'clerk',
  completion: 'clerk',
  approval: 'officer',
  denial: 'officer',
  issuance: 'officer',
  revocation: 'officer',
  conditions: 'officer',
  voidance: 'officer',
  ':act': 'officer',
};
/** The City's text gives these to nobody, or nothing is there to take back: they are asked for, and refused for that. */
const NOBODYS: Readonly<Record<string, number>> = {
  suspension: 409,
  reinstatement: 409,
  extension: 422,
  waiver: 422,
  reversal: 409,
  confirmation: 409,
};

/** An application of each kind, a permit, and a manifest of which something is missing. */
async function cityObjects(api: Api): Promise<Omit<Objects, 'site' | 'load' | 'violation' | 'closedDays'>> {
  expectStatus(await api.at(FILED_AT), 200);
  const staff = await staffOf(api);
  await cityInOrder(api, staff);
  const licence = { license_confirmed: true, license_valid_until: '2027-12-31' };
  const completed = async (): Promise<string> => {
    const id = await applied(api, staff.holder);
    const seen = { pack: CITY_PACK, facts: licence };
    expectStatus(await api.post(`/v1/permits/${id}/acts/confirm_license`, seen, { key: staff.clerk }), 201);
    expectStatus(await decide(api, staff.clerk, id, 'completion', {}), 201);
    return id;
  };
  const approved = await completed();
  const approval = { reason: 'in order', sets: planWith({}), issue: false };
  expectStatus(await decide(api, staff.officer, approved, 'approval', approval), 201);
  const certificate = {
    pack: CITY_PACK,
    facts: { certificate_adequate: true, certificate_gives_notice: true },
  };
  const judged = `/v1/permits/${approved}/acts/judge_certificate`;
  expectStatus(await api.post(judged, certificate, { key: staff.officer }), 201);
  const permit = await issuedPermit(api, staff);
  const [filed, complete] = [await applied(api, staff.holder), await completed()];
  // A Saturday; what is asked is for the Tuesday after.
  expectStatus(await api.at('2027-07-03T14:00:00-05:00'), 200);
  const asked = await api.post('/v1/manifests', manifestBody(permit, '2027-07-06T09:30:00-05:00'), {
    key: staff.holder,
  });
  const manifest = idOf(expectStatus(asked, 201));
  const [duty] = itemsOf(await api.get(`/v1/duties?jurisdiction=${CITY}`));
  const link = expectStatus(await api.post('/v1/duties/links', { jurisdiction: CITY }), 200).body['link'];
  return {
    ...{ filed, complete, approved, permit, manifest },
    ...{ duty: duty?.['id'] as string, link: link as string },
  };
}

describe.each(STORES)('the table of endpoints and roles on %s', (store) => {
  let api: Api;
  let objects: Objects;
  beforeAll(async () => {
    api = await startApi(store);
    const ofCity = await cityObjects(api);
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
    const days = { days: [{ date: '2028-03-07', name: 'Storm' }], reason: 'r', evidence: 'e' };
    const closed = await api.post(`/v1/jurisdictions/${TOWN}/calendars/wi-legal-holidays/days`, days);
    const [event] = expectStatus(closed, 201).body['events'] as readonly Json[];
    const closedDays = event?.['event'] as string;
    objects = { site, load: idOf(made), violation: violation ?? '', closedDays, ...ofCity };
  });
  afterAll(() => api.stop());

  /** An address of the table with real objects in it, and a body that is good where nobody stops it. */
  function filled({ path, method }: Endpoint): { readonly path: string; readonly body: Json | undefined } {
    const isOfCity = /^\/v1\/(applications|permits|manifests|packs\/:pack\/(permits|manifests))/.test(path);
    const names: Readonly<Record<string, string>> = {
      id: idFor(path),
      pack: isOfCity ? CITY_PACK : PACK,
      name: 'spreading',
      kind: 'site',
      act: isOfCity ? 'judge_certificate' : 'inspect_frost',
      load: 'spreading',
      limit: isOfCity ? 'permit_year' : 'site_year',
      type: 'disposal',
      manifest: 'disposal',
      calendar: 'wi-legal-holidays',
      event: objects.closedDays,
    };
    const address = path.replace('*', '/').replace(/:(\w+)/g, (_, name: string) => names[name] ?? name);
    if (path.endsWith('.ics')) return { path: `${address}?link=${objects.link}`, body: undefined };
    return { path: address, body: method === 'GET' ? undefined : bodyOf(path) };
  }

  function idFor(path: string): string {
    const { site, load: loadId, violation, filed, complete, approved, permit, manifest, duty } = objects;
    const [, , collection] = path.split('/');
    if (collection === 'applications') {
      if (path.endsWith('/approval')) return complete;
      return path.endsWith('/issuance') ? approved : filed;
    }
    const ids: Readonly<Record<string, string>> = {
      loads: loadId,
      violations: violation,
      jurisdictions: TOWN,
      permits: permit,
      manifests: manifest,
      duties: duty,
    };
    return ids[collection ?? ''] ?? site;
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
      applications: application(),
      'information-requests': { reason: 'r' },
      information: { facts: { waste_quality: 'better' } },
      approval: { reason: 'r', sets: planWith({}), issue: false },
      denial: { reason: 'r', grounds: ['B.2'] },
      withdrawal: { reason: 'r' },
      suspension: { reason: 'r', grounds: ['H'] },
      reinstatement: { reason: 'r' },
      revocation: { reason: 'r', grounds: ['H'] },
      conditions: { reason: 'r', conditions: ['c'] },
      voidance: { reason: 'r' },
      manifests: manifestBody(objects.permit, '2027-07-06T09:30:00-05:00', { ticket: 'A-2' }),
      refusal: { reason: 'r' },
      extension: { reason: 'r' },
      waiver: { reason: 'r' },
      reversal: { reason: 'r', evidence: 'e' },
      confirmation: { reason: 'r', evidence: 'e' },
      days: { days: [{ date: '2027-07-09', name: 'Storm' }], reason: 'r', evidence: 'e' },
      annulment: { reason: 'r', evidence: 'e' },
      links: { jurisdiction: CITY },
    };
    const ofPermit: Readonly<Record<string, Json>> = {
      facts: { facts: { waste_quality: 'better' } },
      ':act': { pack: CITY_PACK, facts: { certificate_adequate: true, certificate_gives_notice: true } },
    };
    const isOfPermit = path.startsWith('/v1/permits');
    return (isOfPermit ? ofPermit[name] : undefined) ?? bodies[name] ?? {};
  };

  /** Dry where there is such a thing: a call of this test changes nothing that another one sees. */
  const call = (row: Endpoint, key: string | null): Promise<Answered> => {
    const { path, body } = filled(row);
    const dry = row.method === 'POST' && path !== '/v1/checks' ? '?dryRun=true' : '';
    const lines = { raw: '{}\n', headers: { 'content-type': 'application/x-ndjson' } };
    const isLines = path === '/v1/checks/batch';
    const isPlain = isLines || path === '/v1/duties/links';
    return api.call(row.method, isPlain ? path : path + dry, body, { key, ...(isLines && lines) });
  };

  it('the roles are those that a key can be made with', () => {
    expect([...ROLES]).toEqual(KNOWN_ROLES);
  });

  // The board is there with a Redis alone: operating.e2e.spec.ts.
  const here = ACCESS.filter(({ board }) => board !== true);
  it.each(here.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (_, row) => {
    const anyone = await call(row, null);
    expect(anyone.status).toBe(row.who === 'anyone' ? 200 : 401);
    for (const role of ROLES) {
      const { status, text } = await call(row, await api.keyOf([role], BOTH, HELD));
      const may = row.who === 'anyone' || row.who.includes(role);
      const last = row.path.split('/').at(-1) ?? '';
      // The table lets those through who may have such a thing to decide; the pack says whose it is.
      const body = row.method === 'GET' ? undefined : BODIES[last];
      const isItsBody = body === undefined || role === body || role === 'admin';
      const [wanted] = may && isItsBody ? [NOBODYS[last] ?? 200] : [403];
      expect([role, status, status === wanted ? '' : text]).toEqual([role, wanted, '']);
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
          key: await api.keyOf(['admin'], BOTH),
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
        'permits',
        'manifests',
        'packs',
      ]) {
        const own = expectStatus(await api.get(`/v1/${list}`, { key }), 200);
        // Its own packs are no other's.
        const others = itemsOf(own).filter(({ jurisdiction }) => jurisdiction !== OTHER);
        expect([list, others]).toEqual([list, []]);
        if (list === 'packs') continue;
        const place = list === 'permits' || list === 'manifests' ? CITY : TOWN;
        expect(itemsOf(await api.get(`/v1/${list}?jurisdiction=${place}`, { key }))).toEqual([]);
        const all = itemsOf(await api.get(`/v1/${list}?jurisdiction=${place}`));
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

import { OidcIssuer } from '../servers/oidc-issuer';
import { STORES, startApi, TOWN, type Api, type Json } from './support/api';
import {
  application,
  CITY,
  CITY_PACK,
  cityInOrder,
  DISPOSER,
  FILED_AT,
  issuedPermit,
  manifestBody,
  OTHER_DISPOSER,
  PLANT,
  placeJudged,
  staffOf,
  type Staff,
} from './support/city';
import { expectStatus, factsWith, idOf, itemsOf, load, registerSite } from './support/town';

const PLANNED = '2027-07-06T09:30:00-05:00';
const LOAD_AT = '2027-07-06T08:56:00-05:00';

/** What one disposer has on file. */
interface File {
  readonly permit: string;
  readonly manifest: string;
  readonly load: string;
  readonly violation: string;
}

describe.each(STORES)('holders on %s', (store) => {
  let api: Api;
  let staff: Staff;
  let mine: File;
  let others: File;
  let plant: string;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at(FILED_AT), 200);
    staff = await staffOf(api);
    const city = await cityInOrder(api, staff);
    plant = city.plant;
    await placeJudged(api, staff, city.place);
    const permits = [
      await issuedPermit(api, staff),
      await issuedPermit(api, { ...staff, holder: staff.otherHolder }, { applicant: OTHER_DISPOSER }),
    ] as const;
    expectStatus(await api.at('2027-07-06T09:00:00-05:00'), 200);
    mine = await fileOf(permits[0], DISPOSER, staff.holder);
    others = await fileOf(permits[1], OTHER_DISPOSER, staff.otherHolder);
  });
  afterAll(() => api.stop());

  /** A manifest that is accepted, and a load without one: that is a violation. */
  async function fileOf(permit: string, hauler: Json, key: string): Promise<File> {
    const asked = await api.post('/v1/manifests', manifestBody(permit, PLANNED, { hauler }), { key });
    const { plannedAt: _planned, ...body } = manifestBody(permit, PLANNED, { hauler });
    const brought = { ...body, load: 'discharge', occurredAt: LOAD_AT, finishedAt: LOAD_AT };
    const made = expectStatus(await api.post('/v1/loads', brought, { key }), 201);
    const [violation = ''] = made.body['violations'] as readonly string[];
    return { permit, manifest: idOf(expectStatus(asked, 201)), load: idOf(made), violation };
  }

  const idsIn = async (path: string, key: string): Promise<readonly unknown[]> =>
    itemsOf(expectStatus(await api.get(path, { key }), 200)).map(({ id }) => id);

  it.each([
    ['permits', 'permit'],
    ['permits?asOf=2027-07-06T00:00:00-05:00', 'permit'],
    ['manifests', 'manifest'],
    ['loads', 'load'],
    ['violations', 'violation'],
    ['violations?asOf=2027-07-06T12:00:00-05:00', 'violation'],
  ] as const)('the list of %s is of its own', async (list, name) => {
    expect(await idsIn(`/v1/${list}`, staff.holder)).toContain(mine[name]);
    expect(await idsIn(`/v1/${list}`, staff.holder)).not.toContain(others[name]);
    expect(await idsIn(`/v1/${list}`, staff.otherHolder)).not.toContain(mine[name]);
    expect(await idsIn(`/v1/${list}`, staff.reader)).toEqual(
      expect.arrayContaining([mine[name], others[name]]),
    );
  });

  it('asking for another’s in a list finds nothing', async () => {
    for (const path of [
      'permits?holderKind=hauler&holderKey=67890',
      'loads?haulerKind=hauler&haulerKey=67890',
      `loads?permitId=${others.permit}`,
      `manifests?permitId=${others.permit}`,
      'violations?responsibleKind=hauler&responsibleKey=67890',
      `ledgers?permitId=${others.permit}`,
      `duties?permitId=${others.permit}`,
    ]) {
      expect([path, itemsOf(expectStatus(await api.get(`/v1/${path}`, { key: staff.holder }), 200))]).toEqual(
        [path, []],
      );
    }
    const own = await api.get(`/v1/ledgers?permitId=${mine.permit}`, { key: staff.holder });
    expect(itemsOf(own)).toMatchObject([{ permitId: mine.permit }]);
  });

  it('things are its own as well: itself, and neither the plant nor another', async () => {
    const keys = async (kind: string) =>
      itemsOf(await api.get(`/v1/subjects/${kind}`, { key: staff.holder })).map(({ key }) => key);
    expect([await keys('hauler'), await keys('plant')]).toEqual([[DISPOSER.key], []]);
    expectStatus(await api.get(`/v1/subjects/plant/${plant}`, { key: staff.holder }), 404);
    expectStatus(await api.get(`/v1/subjects/plant/${plant}/history`, { key: staff.holder }), 404);
    expectStatus(await api.get(`/v1/subjects/plant/${plant}/history`, { key: staff.reader }), 200);
  });

  const ADDRESSES: readonly (readonly [string, (file: File) => string])[] = [
    ['a permit', ({ permit }) => `permits/${permit}`],
    ['an application', ({ permit }) => `applications/${permit}`],
    ['what can be done on a permit', ({ permit }) => `permits/${permit}/acts`],
    ['the history of a permit', ({ permit }) => `permits/${permit}/history`],
    ['a permit’s paper', ({ permit }) => `permits/${permit}/history?format=markdown`],
    ['the ledger of a permit', ({ permit }) => `permits/${permit}/ledgers/permit_year`],
    ['a manifest', ({ manifest }) => `manifests/${manifest}`],
    ['the history of a manifest', ({ manifest }) => `manifests/${manifest}/history`],
    ['a load', ({ load: id }) => `loads/${id}`],
    ['the history of a load', ({ load: id }) => `loads/${id}/history`],
    ['a violation', ({ violation }) => `violations/${violation}`],
    ['the history of a violation', ({ violation }) => `violations/${violation}/history`],
  ];
  it.each(ADDRESSES)('%s is seen by its holder, and does not exist for another', async (_, path) => {
    const [own, foreign] = [`/v1/${path(mine)}`, `/v1/${path(others)}`];
    expectStatus(await api.get(own, { key: staff.holder }), 200);
    const not = expectStatus(await api.get(foreign, { key: staff.holder }), 404);
    const nowhere = foreign.replace(/[0-9a-f-]{36}/, '00000000-0000-4000-8000-000000000000');
    const nothing = expectStatus(await api.get(nowhere, { key: staff.holder }), 404);
    expect(not.body['detail']).toBe(nothing.body['detail']);
  });

  it('files for itself alone', async () => {
    const before = await api.count();
    const other = { hauler: OTHER_DISPOSER };
    const { plannedAt: _planned, ...body } = manifestBody(mine.permit, PLANNED, other);
    const refused: readonly (readonly [string, Json, number])[] = [
      ['applications', application({ applicant: OTHER_DISPOSER }), 403],
      ['manifests', manifestBody(mine.permit, PLANNED, other), 403],
      ['loads', { ...body, load: 'discharge', occurredAt: LOAD_AT }, 403],
      [`applications/${others.permit}/information`, { facts: {} }, 404],
      [`applications/${others.permit}/withdrawal`, { reason: 'r' }, 404],
      [`permits/${others.permit}/renewal`, {}, 404],
      [
        `permits/${others.permit}/acts/ask_hearing`,
        { pack: CITY_PACK, facts: { hearing_grounds: 'g' } },
        404,
      ],
      [`manifests/${others.manifest}/withdrawal`, { reason: 'r' }, 404],
    ];
    for (const [path, sent, status] of refused) {
      const answer = await api.post(`/v1/${path}`, sent, { key: staff.holder });
      expect([path, answer.status, answer.text]).toEqual([path, status, answer.text]);
    }
    expect(await api.count()).toBe(before);
    const said = await api.post('/v1/applications', application({ applicant: OTHER_DISPOSER }), {
      key: staff.holder,
    });
    expect(said.body['detail']).toBe(
      'You act for hauler 12345, not for hauler 67890; file for one that you hold, or ask a clerk.',
    );
  });

  it('asks about itself alone, and is told nothing of another’s permit', async () => {
    const check = { pack: CITY_PACK, assessment: 'manifest', subject: PLANT, facts: {} };
    const ask = (more: Json) => api.post('/v1/checks', { ...check, ...more }, { key: staff.holder });
    expectStatus(await ask({ hauler: DISPOSER, permitId: mine.permit }), 200);
    expectStatus(await ask({ hauler: DISPOSER, permitId: others.permit }), 404);
    expectStatus(await ask({ hauler: OTHER_DISPOSER }), 403);
  });

  it('with another role beside it, sees as that one', async () => {
    const both = await api.keyOf(['holder', 'reader'], [CITY], [DISPOSER]);
    expectStatus(await api.get(`/v1/permits/${others.permit}`, { key: both }), 200);
  });

  it('of two haulers, sees and files for both', async () => {
    const both = await api.keyOf(['holder'], [CITY], [DISPOSER, OTHER_DISPOSER]);
    expect(await idsIn('/v1/loads', both)).toEqual(expect.arrayContaining([mine.load, others.load]));
    expectStatus(await api.post('/v1/applications?dryRun=true', application(), { key: both }), 200);
  });

  it('a farm that is held sees what was brought to it, and duties that its loads began', async () => {
    await registerSite(api, 'F-1');
    const wet = load('F-1', LOAD_AT, { facts: factsWith({ saturated: true }) });
    const made = expectStatus(await api.post('/v1/loads', wet), 201);
    const farm = await api.keyOf(['holder'], [TOWN], [{ kind: 'site', key: ' f-1' }]);
    expect(await idsIn('/v1/loads', farm)).toEqual([idOf(made)]);
    expect(await idsIn('/v1/subjects/site', farm)).toHaveLength(1);
    const stranger = await api.keyOf(['holder'], [TOWN], [{ kind: 'site', key: 'F-2' }]);
    expect(await idsIn('/v1/loads', stranger)).toEqual([]);
    const hauler = await api.keyOf(['holder'], [TOWN]);
    const duties = itemsOf(await api.get('/v1/duties', { key: hauler }));
    expect(duties.length).toBeGreaterThan(0);
    expect(itemsOf(await api.get('/v1/duties', { key: stranger }))).toEqual([]);
  });
});

it('a holder known by a token is one as well', async () => {
  const issuer = await OidcIssuer.start();
  const api = await startApi('sqlite', 'virtual', issuer.env);
  try {
    expectStatus(await api.at(FILED_AT), 200);
    const claims = { roles: ['holder'], jurisdictions: [CITY] };
    const key = await issuer.token({ ...claims, holds: ['hauler:12345'] });
    const other = await issuer.token({ ...claims, sub: 'subject-2', holds: ['hauler:67890'] });
    const filed = expectStatus(await api.post('/v1/applications', application(), { key }), 201);
    expectStatus(await api.get(`/v1/permits/${idOf(filed)}`, { key }), 200);
    expectStatus(await api.get(`/v1/permits/${idOf(filed)}`, { key: other }), 404);
    expectStatus(await api.post('/v1/applications', application(), { key: other }), 403);
  } finally {
    await api.stop();
    await issuer.stop();
  }
});

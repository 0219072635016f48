import { startApi, STORES, type Answered, type Api, type Json } from './support/api';
import {
  CITY_PACK,
  cityInOrder,
  DISPOSER,
  FILED_AT,
  issuedPermit,
  manifestBody,
  PLANT,
  staffOf,
  type Staff,
} from './support/city';
import { eventsOf, expectStatus, idOf, LATE, typesOf } from './support/town';

describe.each(STORES)('histories on %s', (store) => {
  let api: Api;
  let staff: Staff;
  let permit: string;
  let plant: string;
  let load: string;
  let violation: string;
  beforeAll(async () => {
    api = await startApi(store);
    expectStatus(await api.at(FILED_AT), 200);
    staff = await staffOf(api);
    ({ plant } = await cityInOrder(api, staff));
    permit = await issuedPermit(api, staff);
    expectStatus(await api.at('2027-07-06T10:05:00-05:00'), 200);
    const { plannedAt: _planned, ...body } = manifestBody(permit, '2027-07-06T09:30:00-05:00');
    const times = { occurredAt: '2027-07-06T10:00:00-05:00', finishedAt: '2027-07-06T10:05:00-05:00' };
    const made = await api.post('/v1/loads', { ...body, load: 'discharge', ...times }, { key: staff.holder });
    load = idOf(expectStatus(made, 201));
    [violation = ''] = made.body['violations'] as readonly string[];
    // Decided on the first of the month, entered now: in law it stands before the load.
    const reason = '=HYPERLINK("http://evil.example")\n# Revoked';
    const said = { ...LATE, reason, conditions: ['By day.'], occurredAt: '2027-07-01T09:00:00-05:00' };
    expectStatus(await api.post(`/v1/permits/${permit}/conditions`, said, { key: staff.officer }), 201);
  });
  afterAll(() => api.stop());

  const history = (path: string, accept?: string, key = staff.clerk): Promise<Answered> =>
    api.get(`/v1/${path}`, { key, ...(accept !== undefined && { headers: { accept } }) });
  const mediaType = ({ headers }: Answered): string | null => headers.get('content-type');

  it('of a permit has every event with who, both instants, findings, and what caused it', async () => {
    const told = expectStatus(await history(`permits/${permit}/history`), 200);
    expect(mediaType(told)).toMatch('application/json');
    expect(told.headers.get('vary')).toContain('accept');
    const events = eventsOf(told);
    expect(events[0]).toMatchObject({
      event: `permit-${permit}@0`,
      type: 'ApplicationFiled',
      occurred: { at: '2026-08-14T14:10:00.000Z' },
      recordedAt: '2026-08-14T14:10:00.000Z',
      actor: { roles: ['holder'] },
      law: { pack: CITY_PACK, version: '1' },
    });
    const approved = events.find(({ type }) => type === 'ApplicationApproved');
    expect(approved).toMatchObject({ by: { body: 'city' }, data: { reason: 'in order' } });
    const { findings = [] } = (approved?.['data'] ?? {}) as { readonly findings?: readonly Json[] };
    const [finding] = findings;
    expect(finding).toMatchObject({
      cite: expect.any(String) as unknown,
      text: expect.any(String) as unknown,
    });
    const numbered = events.find(({ type }) => type === 'PermitNumbered');
    const issued = events.find(({ type }) => type === 'PermitIssued');
    expect(numbered?.['cause']).toEqual(expect.stringContaining('@'));
    expect(events.indexOf(numbered ?? {})).toBeGreaterThan(events.indexOf(issued ?? {}));
  });

  it('is filtered by type and by instants, and paged in both orders', async () => {
    const types = async (query: string) =>
      typesOf(expectStatus(await history(`permits/${permit}/history?${query}`), 200));
    expect(await types('type=PermitIssued')).toEqual(['PermitIssued']);
    expect(await types('from=2027-07-01T00:00:00-05:00&to=2027-07-02T00:00:00-05:00')).toEqual([
      'PermitConditioned',
    ]);
    const [recorded, legal] = [await types('order=recorded'), await types('order=legal')];
    expect(recorded.indexOf('PermitConditioned')).toBeGreaterThan(recorded.indexOf('LoadPosted'));
    expect(legal.indexOf('PermitConditioned')).toBeLessThan(legal.indexOf('LoadPosted'));
    const first = await history(`permits/${permit}/history?order=legal&limit=2&explain=status`);
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = expectStatus(await api.get(link, { key: staff.clerk }), 200);
    expect([...typesOf(first), ...typesOf(second)]).toEqual(legal.slice(0, 4));
    expect(link).toContain('explain=status');
    expect((await history(`permits/${permit}/history`)).headers.get('link')).toBeNull();
  });

  it('was otherwise on record then', async () => {
    const known = await history(`permits/${permit}/history?knownAt=2026-12-31T00:00:00-06:00`);
    expect(typesOf(known)).not.toContain('PermitConditioned');
    expect(typesOf(known)).toContain('PermitIssued');
    const before = await history(`permits/${permit}/history?asOf=2026-08-01T00:00:00-05:00`);
    expect(typesOf(before)).toEqual([]);
  });

  it('is a paper: by Accept or by parameter, in legal order, with findings as sentences', async () => {
    const paper = expectStatus(await history(`permits/${permit}/history`, 'text/markdown'), 200);
    expect(mediaType(paper)).toBe('text/markdown; charset=utf-8');
    const again = await history(`permits/${permit}/history?format=markdown`, 'text/csv');
    expect(again.text).toBe(paper.text);
    const lines = paper.text.split('\n');
    expect(lines[0]).toMatch(/^# Approval and permit to dispose of on-site waste, no\. 1$/);
    expect(paper.text).toContain('**SANDBOX: the time of this log is virtual.**');
    expect(lines).toContain(`- Permit number: 1, in the register ${CITY_PACK}/disposal/2027`);
    expect(lines).toContain('- Holder: hauler 12345');
    expect(lines).toContain('## 1. Application filed, 2026-08-14 09:10');
    expect(lines).toContain('- Gallons a year that the application asks for or the plan allows: 400000 gal');
    expect(paper.text).toMatch(/^- F\.1\.content, 272-21\.F\(1\): satisfied\. The application states fully/m);
    expect(paper.text).toContain('- Done by: City of Lodi');
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(at('Permit conditioned, 2027-07-01 09:00')).toBeLessThan(at('Load posted, 2027-07-06'));
    // What a caller wrote is text, and no heading of the paper.
    expect(lines).not.toContain('# Revoked');
    expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1);
  });

  it('is a table: a row an event, and no cell is a formula', async () => {
    const table = expectStatus(await history(`permits/${permit}/history`, 'text/csv'), 200);
    expect(mediaType(table)).toBe('text/csv; charset=utf-8; header=present');
    expect(table.headers.get('content-disposition')).toBe(
      `attachment; filename="SANDBOX-permit-${permit}.csv"`,
    );
    expect(table.text.startsWith('event,type,name,occurred,')).toBe(true);
    const events = eventsOf(await history(`permits/${permit}/history?limit=500`));
    expect(table.text.match(/^permit-/gm)).toHaveLength(events.length);
    expect(table.text).toContain(`"'=HYPERLINK(""http://evil.example"")`);
  });

  it('of a thing, a load, a manifest and a violation come in all forms', async () => {
    const papers: readonly (readonly [string, string])[] = [
      [`subjects/plant/${plant}/history`, `# plant ${PLANT.key}`],
      [`loads/${load}/history`, `of hauler ${DISPOSER.key}`],
      [`violations/${violation}/history`, '# Violation of '],
    ];
    for (const [path, title] of papers) {
      const json = expectStatus(await history(path), 200);
      const paper = expectStatus(await history(path, 'text/markdown'), 200);
      expect([path, paper.text.split('\n')[0]]).toEqual([path, expect.stringContaining(title)]);
      expect([path, paper.text]).toEqual([path, expect.stringContaining('times are of America/Chicago')]);
      const table = expectStatus(await history(path, 'text/csv'), 200);
      expect([path, eventsOf(json).length > 0, table.text.length > 100]).toEqual([path, true, true]);
    }
  });

  it('tells nobody whose waste it was: personal fields are only known to be there', async () => {
    for (const format of ['json', 'markdown', 'csv']) {
      const told = expectStatus(await history(`loads/${load}/history?format=${format}`), 200);
      expect([format, /Farmer|608-555|B\. Driver|A256GCM/.exec(told.text)]).toEqual([format, null]);
    }
  });

  it.each(['format=pdf', 'order=sideways', 'from=yesterday', 'limit=501', 'after=-1'])(
    'what can not be asked is refused as JSON, whatever form was asked for: %s',
    async (query) => {
      const refused = expectStatus(await history(`permits/${permit}/history?${query}`, 'text/markdown'), 400);
      expect(mediaType(refused)).toMatch('application/problem+json');
    },
  );

  it('what does not exist is no paper either', async () => {
    const path = 'permits/00000000-0000-4000-8000-000000000000/history?format=markdown';
    expectStatus(await history(path), 404);
  });
});

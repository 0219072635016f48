import { join } from 'node:path';
import ICAL from 'ical.js';
import { sha256Hex } from '@headworks/kernel';
import { startApi, STORES, type Api, type Json } from './support/api';
import { expectStatus, idOf, itemsOf } from './support/town';

const VILLAGE = 'xx-fernhollow';
const WEIR = 'fernhollow-weir';
const RULES = join(__dirname, '../fixtures/duties');
/** Thursday; ten working days later is the 16th, since Monday the 5th is Weir Day. */
const FILED = '2027-07-01T10:00:00-05:00';
const PERSONS = { kind: 'miller', key: 'M-77 Jane Miller' };

describe.each(STORES)('duties over HTTP on %s', (store) => {
  let api: Api;
  const keys: Record<'board' | 'officer' | 'clerk' | 'holder' | 'stranger', string> = {
    board: '',
    officer: '',
    clerk: '',
    holder: '',
    stranger: '',
  };
  beforeAll(async () => {
    api = await startApi(store, 'virtual', { RULES_DIR: RULES });
    for (const role of ['board', 'officer', 'clerk', 'holder'] as const)
      keys[role] = await api.keyOf([role], [VILLAGE], [PERSONS]);
    keys.stranger = await api.keyOf(['holder'], [VILLAGE], [{ kind: 'miller', key: 'M-1' }]);
    expectStatus(await api.at(FILED), 200);
  });
  afterAll(() => api.stop());

  const filed = async (): Promise<string> =>
    idOf(
      expectStatus(
        await api.post('/v1/applications', {
          pack: WEIR,
          permitType: 'milling',
          applicant: PERSONS,
          facts: { wheels: 1, in_flood_plain: false },
        }),
        201,
      ),
    );
  const dutyOf = async (permit: string, clause = 'decide'): Promise<Json> => {
    const found = itemsOf(await api.get(`/v1/duties?permitId=${permit}&clause=${clause}`));
    return found[0] ?? {};
  };
  const see = async (id: unknown, query = ''): Promise<Json> =>
    expectStatus(await api.get(`/v1/duties/${String(id)}${query}`), 200).body;

  it('shows one with its count, as JSON and as a paper for the file', async () => {
    const { id } = await dutyOf(await filed());
    expect(await see(id)).toMatchObject({
      status: 'open',
      due: { date: '2027-07-16', at: '2027-07-17T05:00:00.000Z' },
      startedAt: '2027-07-01T05:00:00.000Z',
      extendedBy: 'moot',
      waivedBy: null,
    });
    const derivation = `/v1/duties/${String(id)}/derivation`;
    const { body } = expectStatus(await api.get(derivation), 200);
    expect(body['derivation']).toContainEqual(
      expect.objectContaining({
        on: '2027-07-05',
        counted: false,
        source: expect.stringContaining('par. 9'),
      }),
    );
    const asked = { headers: { accept: 'text/markdown' } };
    const paper = expectStatus(await api.get(derivation, asked), 200);
    expect(paper.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const said of [
      /^# decide: Weirs/,
      /SANDBOX/,
      /fern-office, version 1/,
      /America\/Chicago/,
      /Printed: 2027/,
    ])
      expect(paper.text).toMatch(said);
    expect((await api.get(`${derivation}?format=markdown`)).text).toBe(paper.text);
    expectStatus(await api.get(`/v1/duties/${String(id)}`, { key: keys.holder }), 200);
    expectStatus(await api.get(`/v1/duties/${String(id)}`, { key: keys.stranger }), 404);
    expectStatus(await api.get(`/v1/duties/${String(id)}?asOf=2027-06-01T00:00:00Z`), 404);
  });

  it('gives more time by the body that may, and refuses with findings what nobody may', async () => {
    const { id } = await dutyOf(await filed());
    const at = `/v1/duties/${String(id)}`;
    const body = { reason: 'the hearing was put off', evidence: 'minute 4' };
    expectStatus(await api.post(`${at}/extension`, body, { key: keys.clerk }), 403);
    const dry = expectStatus(await api.post(`${at}/extension?dryRun=true`, body, { key: keys.board }), 200);
    expect(dry.body).toMatchObject({ dryRun: true, events: [{ type: 'DutyExtended' }] });
    const given = expectStatus(await api.post(`${at}/extension`, body, { key: keys.board }), 201);
    expect(given.body).toMatchObject({ duty: { due: { date: '2027-07-23' } } });
    expect(await see(id)).toMatchObject({ extended: [{ times: 1, reason: body.reason }] });
    const refused = expectStatus(await api.post(`${at}/waiver`, body, { key: keys.board }), 422);
    expect(refused.body).toMatchObject({ findings: [{ clause: 'decide', status: 'violated' }] });
    expectStatus(await api.post(`${at}/reversal`, body, { key: keys.clerk }), 403);
    expectStatus(await api.post(`${at}/reversal`, body, { key: keys.officer }), 409);
  });

  it('lists what is due and not done, as of any instant', async () => {
    const [one, other] = [await filed(), await filed()];
    expectStatus(await api.at('2027-07-02T10:00:00-05:00'), 200);
    const approval = { reason: 'sound', sets: {} };
    expectStatus(await api.post(`/v1/applications/${one}/approval`, approval, { key: keys.board }), 201);
    expectStatus(await api.post('/v1/applications', { pack: WEIR }, { key: keys.board }), 400);
    const list = async (query: string) =>
      itemsOf(await api.get(`/v1/duties?clause=decide&who=moot&jurisdiction=${VILLAGE}&${query}`)).map(
        ({ permitId }) => permitId,
      );
    const due = 'notDone=true&dueBefore=2027-07-20T00:00:00Z';
    expect(await list(due)).toContain(other);
    expect(await list(due)).not.toContain(one);
    const then = '2027-07-01T20:00:00Z';
    expect(await list(`${due}&asOf=${then}`)).toEqual(expect.arrayContaining([one, other]));
    expect(await list(`${due}&knownAt=${then}`)).toEqual(expect.arrayContaining([one, other]));
    expect(await list('status=met')).toContain(one);
    expect(await list('status=met&asOf=2027-06-01T00:00:00Z')).toEqual([]);
    expectStatus(await api.get('/v1/duties?status=met&notDone=true'), 400);
  });

  it('moves what is open where a day is closed late, and leaves what was decided to an officer', async () => {
    const early = await filed();
    const { id: missed } = await dutyOf(early);
    expectStatus(await api.at('2027-07-20T10:00:00-05:00'), 200);
    const status = async () => (await api.get(`/v1/permits/${early}`)).body['status'];
    expect(await status()).toBe('deemed_approved');
    expect(await see(missed)).toMatchObject({ status: 'missed', outcome: 'deemed_approved' });
    const late = await filed();
    const { id: open } = await dutyOf(late);
    expect(await see(open)).toMatchObject({ due: { date: '2027-08-03' } });
    const days = `/v1/jurisdictions/${VILLAGE}/calendars/fern-office/days`;
    const closed = {
      days: [
        { date: '2027-07-09', name: 'Storm' },
        { date: '2027-07-22', name: 'Flood' },
      ],
      reason: 'the brook was out',
      evidence: 'order 3',
    };
    expectStatus(await api.post(days, closed, { key: keys.clerk }), 403);
    expectStatus(await api.post(days.replace('fern-office', 'gone'), closed, { key: keys.officer }), 404);
    const answer = expectStatus(await api.post(days, closed, { key: keys.officer }), 201);
    expect(answer.body['followed']).toContainEqual(expect.objectContaining({ type: 'DutyMoved' }));
    const event = (answer.body['events'] as readonly Json[])[0]?.['event'] as string;
    expect(await see(open)).toMatchObject({
      due: { date: '2027-08-04' },
      moved: [{ from: { date: '2027-08-03' }, to: { date: '2027-08-04' }, by: [event] }],
    });
    expect(itemsOf(await api.get(`/v1/jurisdictions/${VILLAGE}/closed-days`))).toMatchObject([
      { date: '2027-07-09', event, name: 'Storm' },
      { date: '2027-07-22', event, name: 'Flood' },
    ]);
    const stale = async (query = '') => itemsOf(await api.get(`/v1/stale${query}`)).map(({ duty }) => duty);
    expect(await status()).toBe('deemed_approved');
    expect(await stale()).toContain(missed);
    expect(await stale('?asOf=2027-07-20T14:00:00Z')).toEqual([]);
    const said = { reason: 'the storm of the 9th', evidence: 'order 3' };
    expectStatus(await api.post(`/v1/duties/${String(missed)}/reversal`, said, { key: keys.officer }), 201);
    expect(await stale()).not.toContain(missed);
    expect(await status()).toBe('filed');
    expect(await see(missed)).toMatchObject({ status: 'open', due: { date: '2027-07-20' } });
    const [other] = await stale();
    const confirmed = await api.post(`/v1/duties/${String(other)}/confirmation`, said, { key: keys.officer });
    expectStatus(confirmed, 201);
    expect(await stale()).not.toContain(other);
    api = await api.restart();
    expect(await see(open)).toMatchObject({ due: { date: '2027-08-04' } });
  });

  it('moves back what is open where a day is taken back that was closed by mistake', async () => {
    const { id } = await dutyOf(await filed());
    expect(await see(id)).toMatchObject({ due: { date: '2027-08-04' } });
    const of = `/v1/jurisdictions/${VILLAGE}`;
    const days = [{ date: '2027-07-23', name: 'Flood' }];
    const said = { reason: 'the order named another day', evidence: 'order 4' };
    const as = { key: keys.officer };
    const closed = await api.post(`${of}/calendars/fern-office/days`, { days, ...said }, as);
    const event = (expectStatus(closed, 201).body['events'] as readonly Json[])[0]?.['event'] as string;
    expect(await see(id)).toMatchObject({ due: { date: '2027-08-05' } });
    const path = `${of}/closed-days/${event}/annulment`;
    expectStatus(await api.post(path, said, { key: keys.clerk }), 403);
    expectStatus(await api.post(path, { reason: 'x' }, as), 400);
    expectStatus(await api.post(path.replace(event, 'law-gone@7'), said, as), 404);
    expectStatus(await api.post(path.replace(VILLAGE, 'xx-gone'), said, as), 404);
    const dry = expectStatus(await api.post(`${path}?dryRun=true`, said, as), 200);
    expect(dry.body).toMatchObject({ dryRun: true, events: [{ type: 'ClosedDaysAnnulled' }] });
    const back = expectStatus(await api.post(path, said, as), 201);
    expect(back.body).toMatchObject({ annuls: event, events: [{ type: 'ClosedDaysAnnulled' }] });
    expect(back.body['followed']).toContainEqual(expect.objectContaining({ type: 'DutyMoved' }));
    const [annulled] = back.body['events'] as readonly Json[];
    const shown = async () => {
      expect(await see(id)).toMatchObject({ due: { date: '2027-08-04' } });
      expect(itemsOf(await api.get(`${of}/closed-days`))).toContainEqual(
        expect.objectContaining({
          event,
          takenBack: expect.objectContaining({ event: annulled?.['event'] }),
        }),
      );
    };
    await shown();
    const again = expectStatus(await api.post(path, said, as), 409);
    expect(again.body['detail']).toContain('taken back');
    api = await api.restart();
    await shown();
  });

  it('shows duties in a calendar, to whoever has the signed address', async () => {
    const permit = await filed();
    const { id } = await dutyOf(permit);
    const asked = { jurisdiction: VILLAGE, permitId: permit };
    const made = expectStatus(await api.post('/v1/duties/links', asked, { key: keys.holder }), 200);
    const path = `/v1/duties.ics?link=${String(made.body['link'])}`;
    const eventOf = async (from = path) => {
      const { text, headers } = expectStatus(await api.get(from, { key: null }), 200);
      expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
      expect(text).not.toMatch(/Jane|M-77/);
      const events = new ICAL.Component(ICAL.parse(text) as never[]).getAllSubcomponents('vevent');
      const event = events.map((one) => new ICAL.Event(one)).find(({ uid }) => uid.startsWith(String(id)));
      return {
        day: event?.startDate.toString(),
        isDate: event?.startDate.isDate,
        sequence: Number(event?.sequence),
        status: event?.component.getFirstPropertyValue('status'),
      };
    };
    expect(await eventOf()).toEqual({ day: '2027-08-04', isDate: true, sequence: 0, status: 'CONFIRMED' });
    const more = { reason: 'the hearing was put off' };
    expectStatus(await api.post(`/v1/duties/${String(id)}/extension`, more, { key: keys.board }), 201);
    expect(await eventOf()).toMatchObject({ day: '2027-08-11', sequence: 1 });
    const approval = { reason: 'sound', sets: {} };
    expectStatus(await api.post(`/v1/applications/${permit}/approval`, approval, { key: keys.board }), 201);
    expect(await eventOf()).toMatchObject({ day: '2027-08-11', sequence: 2, status: 'CANCELLED' });
    // A link sees what its maker saw, of one body or permit as of all.
    const ofOthers = await api.post('/v1/duties/links', asked, { key: keys.stranger });
    const others = `/v1/duties.ics?link=${String(ofOthers.body['link'])}`;
    expect(await eventOf(others)).toMatchObject({ day: undefined });
    for (const body of [{ who: 'moot' }, {}]) {
      const all = await api.post('/v1/duties/links', { jurisdiction: VILLAGE, ...body }, { key: keys.clerk });
      expect(await eventOf(`/v1/duties.ics?link=${String(all.body['link'])}`)).toMatchObject({ sequence: 2 });
    }
    expectStatus(await api.get(`${path.slice(0, -3)}AAA`, { key: null }), 401);
    expectStatus(await api.get('/v1/duties.ics', { key: null }), 400);
    const rows = await api.program.keys.listApiKeys();
    await api.app.keys.revoke(
      rows.find(({ secretHash }) => secretHash === sha256Hex(keys.holder))?.id ?? '',
      '2027-07-18T00:00:00Z',
    );
    expectStatus(await api.get(path, { key: null }), 401);
  });
});

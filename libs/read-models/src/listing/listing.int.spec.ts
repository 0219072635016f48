import { openMemoryStore, type OpenStore } from '@headworks/event-store';
import { nameId, type CodedError } from '@headworks/kernel';
import { allViews } from '../all-views';
import type { ViewDatabase } from '../database/view-database';
import { countDue, dueRows, dueRowsOf } from '../due';
import { findDuty, listDuties, type DutyFilter } from '../duties/query';
import { listLate } from '../late/query';
import { findLedger, listLedgers } from '../ledgers/query';
import { findLoad, listLoads } from '../loads/query';
import { findManifest, listManifests } from '../manifests/query';
import { findPermit, listPermits } from '../permits/query';
import { startViews, type RunningViews } from '../running/start-views';
import { findSubject, listSubjects } from '../subjects/query';
import { newPlace, placeKinds, type Place } from '../testing/databases.testing';
import {
  append,
  CITY,
  detected,
  discharged,
  field,
  filed,
  finding,
  HAULER,
  issued,
  lately,
  loadId,
  ofPermit,
  PACK,
  permitId,
  opening,
  posted,
  said,
  streamOf,
  submitted,
  told,
  TOWN,
  ZONES,
  type Told,
} from '../testing/events.testing';
import { findViolation, listViolations } from '../violations/query';
import { encodeCursor } from './page';

const NOW = Date.parse('2027-07-10T17:00:00.000Z');
const inCity = (event: Told, stream = event.stream): Told => ({ ...event, stream, jurisdiction: CITY });
const day = (n: number) => `2027-07-0${n}T20:00:00.000Z`;

/** When the test's events are recorded: a second apart in each stream. */
const secondsIn = (n: number) => `2027-09-01T00:00:0${n}.000Z`;

const duty = (key: string, id: string, dueAt: string): Told =>
  told(streamOf(key), 'FactsRecorded', {
    facts: {},
    duties: { opened: [opening(id, dueAt)], closed: [] },
  });

const approved = (name: string, at = day(2)): Told =>
  ofPermit(name, 'ApplicationApproved', { reason: '', sets: {}, waived: [] }, at);

const LATE = { reason: 'paper', evidence: 'sheet 7' };
const ADA = { id: 'ada', roles: ['clerk'] };

/** A town with three fields and a city with one of the same name. */
const STORY: readonly Told[] = [
  told(streamOf('A'), 'SubjectRegistered', { ...field('A'), name: 'Back forty', facts: { slope: '4 %' } }),
  told(streamOf('B'), 'SubjectRegistered', { ...field('b'), facts: {} }),
  {
    ...lately(told(streamOf('W'), 'SubjectRegistered', { kind: 'works', key: 'w', facts: {} }), LATE),
    actor: ADA,
  },
  discharged('1', 'A', { findings: [finding('A', 'violated')] }, day(1)),
  discharged('2', 'a', { findings: [finding('B', 'unknown', 'fact_missing')] }, day(2)),
  lately(discharged('3', 'B', { hauler: { kind: 'hauler', key: 'H-2' } }, day(3)), LATE),
  discharged('4', 'C', { findings: [finding('A', 'violated')] }, day(4)),
  told(`load-${loadId('4')}`, 'LoadCorrected', { reason: 'twice', set: {}, void: true }),
  posted('2', 'A', { quantity: { value: '0.5', unit: 'gal' } }, day(2)),
  posted('1', 'A', {}, day(1)),
  posted('3', 'B', { limits: ['weekly'] }, '2028-02-01T12:00:00.000Z'),
  detected('1', 'A', {}, day(1)),
  detected('2', 'B', { lasting: true, clause: 'B', responsible: { kind: 'hauler', key: 'H-2' } }, day(3)),
  told(detected('2', 'B').stream, 'ViolationAbated', { cause: 'x@1' }, '2027-07-05T12:00:00.000Z'),
  detected('3', 'B', { lasting: true, clause: 'B' }, day(4)),
  lately(duty('A', 'd-1', day(6)), { reason: 'on leave', evidence: 'log 2' }),
  duty('B', 'd-2', day(5)),
  duty('B', 'd-3', day(7)),
  told(streamOf('B'), 'DutyMissed', { ...opening('d-3', day(7)), due: { at: day(7) } }),
  inCity(told(streamOf('A', CITY), 'SubjectRegistered', { ...field('A'), facts: {} })),
  inCity(lately(discharged('5', 'A', {}, day(1)), LATE)),
  inCity(posted('5', 'A', {}, day(1)), streamOf('A', CITY)),
  inCity(detected('5', 'A', {}, day(1))),
  inCity(duty('A', 'd-5', day(4)), streamOf('A', CITY)),
  filed('1', {}, day(1)),
  approved('1'),
  issued('1', {}, day(3)),
  ofPermit(
    '1',
    'PermitNumbered',
    { permit: permitId('1'), series: 'north-law/yearly/2027', number: 7 },
    day(3),
  ),
  filed('2', { applicant: { kind: 'hauler', key: 'H-2' }, permitType: 'road' }, day(2)),
  filed('3', { renews: permitId('1') }, day(3)),
  approved('3', day(3)),
  issued('3', { valid: { from: '2028-01-01', until: '2028-12-31' } }, day(4)),
  inCity(filed('5', {}, day(1))),
  inCity(approved('5')),
  inCity(issued('5', { valid: { from: '2026-01-01', until: '2026-12-31' } }, day(3))),
  submitted('m1', '1', { plannedAt: day(1) }),
  said('m1', '1', 'ManifestAccepted', {}, day(1)),
  submitted('m2', '1', { plannedAt: day(2), hauler: { kind: 'hauler', key: 'H-2' } }),
  said('m2', '1', 'ManifestPending', { missing: ['depth'] }, day(2)),
  submitted('m3', '3', { plannedAt: day(3), until: day(9) }),
  said('m3', '3', 'ManifestAccepted', {}, day(3)),
  submitted('m4', '1', { plannedAt: day(4), subject: field('B') }),
  said('m4', '1', 'ManifestRefused', { findings: [finding('B', 'violated')] }, day(4)),
  inCity(submitted('m5', '5', { plannedAt: day(1) })),
];

describe.each(placeKinds)('lists on %s', (kind) => {
  let place: Place;
  let database: ViewDatabase;
  let store: OpenStore;
  let views: RunningViews;

  beforeAll(async () => {
    place = await newPlace(kind);
    database = place.open();
    store = await openMemoryStore();
    views = await startViews({
      store,
      database,
      views: allViews(ZONES),
      elapsedMs: () => performance.now(),
      onError: ({ message }) => {
        throw new Error(message);
      },
    });
    await views.reached(await append(store, STORY), 10_000);
  });

  afterAll(async () => {
    await views.stop();
    await store.close();
    await place.dispose();
  });

  const loadNames = async (
    filter: Parameters<typeof listLoads>[2],
    scope: Parameters<typeof listLoads>[1] = [TOWN],
  ) => (await listLoads(database, scope, filter)).items.map(({ ticket }) => ticket);

  it('show subjects by key, with their facts', async () => {
    const { items, next } = await listSubjects(database, [TOWN]);
    expect(items.map(({ kind: what, key }) => `${what} ${key}`)).toEqual(['field A', 'field b', 'works w']);
    expect(next).toBeUndefined();
    expect(items[0]).toMatchObject({
      name: 'Back forty',
      registered: true,
      superseded: null,
      facts: { slope: { value: '4 %', until: null, event: `${streamOf('A')}@0` } },
      counts: { postings: 2 },
    });
    const keys = async (filter: Parameters<typeof listSubjects>[2]) =>
      (await listSubjects(database, [TOWN], filter)).items.map(({ key }) => key);
    expect(await keys({ kind: 'works' })).toEqual(['w']);
    expect(await keys({ key: ' B' })).toEqual(['b']);
    expect(await keys({ registered: false })).toEqual([]);
  });

  it.each<[string, Parameters<typeof listLoads>[2], readonly string[]]>([
    ['all, the newest first', {}, ['T-4', 'T-3', 'T-2', 'T-1']],
    ['by subject, in any spelling', { subject: field(' a') }, ['T-2', 'T-1']],
    ['by the id of a subject', { subjectId: streamOf('B').slice(8) }, ['T-3']],
    ['by hauler', { hauler: { kind: 'hauler', key: 'h-2' } }, ['T-3']],
    ['by ticket', { ticket: 'T-2' }, ['T-2']],
    ['by pack', { pack: 'another' }, []],
    ['from an instant on', { from: day(3) }, ['T-4', 'T-3']],
    ['before an instant', { to: day(3) }, ['T-2', 'T-1']],
    ['that are short of a fact', { finding: 'unknown' }, ['T-2']],
    ['that violate, but not a void one', { finding: 'violated' }, ['T-1']],
    ['that are void', { voided: true }, ['T-4']],
    ['that stand', { voided: false }, ['T-3', 'T-2', 'T-1']],
  ])('show loads %s', async (_, filter, tickets) => {
    expect(await loadNames(filter)).toEqual(tickets);
  });

  it('show ledgers with their exact totals', async () => {
    const { items } = await listLedgers(database, [TOWN], { stream: streamOf('A') });
    expect(items).toMatchObject([
      {
        subjectId: streamOf('A').slice(8),
        pack: PACK,
        limit: 'yearly',
        window: '2027',
        count: 2,
        totals: [{ value: '2500.5', unit: 'gal' }],
        postings: [{ load: loadId('1') }, { load: loadId('2') }],
      },
    ]);
    expect((await listLedgers(database, [TOWN], { limit: 'weekly' })).items).toMatchObject([
      { window: '2028' },
    ]);
    expect((await listLedgers(database, [TOWN], { window: '2029' })).items).toEqual([]);
    expect((await listLedgers(database, [TOWN], { pack: 'another' })).items).toEqual([]);
  });

  it('page ledgers, not their postings', async () => {
    const first = await listLedgers(database, [TOWN], {}, { limit: 1 });
    expect(first.items.map(({ window, count }) => [window, count])).toEqual([['2028', 1]]);
    const second = await listLedgers(database, [TOWN], {}, { limit: 1, cursor: first.next ?? '' });
    expect(second.items.map(({ window, count }) => [window, count])).toEqual([['2027', 2]]);
    expect(second.next).toBeUndefined();
    expect(await findLedger(database, [TOWN], second.items[0]?.id ?? '')).toEqual(second.items[0]);
  });

  it.each<[string, Parameters<typeof listViolations>[3], readonly string[]]>([
    ['all, the newest first', {}, ['3', '2', '1']],
    ['by clause', { clause: 'B' }, ['3', '2']],
    ['by pack', { pack: 'another' }, []],
    ['by subject', { subject: field('b') }, ['3', '2']],
    ['by the id of a subject', { subjectId: streamOf('A').slice(8) }, ['1']],
    ['by who is responsible', { responsible: HAULER }, ['3', '1']],
    ['by load', { loadId: loadId('2') }, ['2']],
    ['by status', { status: 'abated' }, ['2']],
    ['between instants', { from: day(2), to: day(4) }, ['2']],
  ])('show violations %s', async (_, filter, names) => {
    const { items } = await listViolations(database, [TOWN], NOW, filter);
    expect(items.map(({ loadId: load }) => load)).toEqual(names.map(loadId));
  });

  it('count the days of a violation up to now', async () => {
    const { items } = await listViolations(database, [TOWN], NOW);
    expect(items).toMatchObject([
      { status: 'open', from: '2027-07-04', until: null, days: 7 },
      { status: 'abated', from: '2027-07-03', until: '2027-07-05', days: 2 },
      { status: 'open', from: '2027-07-01', days: 1, withdrawn: null },
    ]);
    const later = await listViolations(database, [TOWN], NOW + 86_400_000, { status: 'open' });
    expect(later.items.map(({ days }) => days)).toEqual([8, 1]);
  });

  it.each<[string, Parameters<typeof listPermits>[2], readonly string[]]>([
    ['all, the last filed first', {}, ['3', '2', '1']],
    ['by holder, in any spelling', { holder: { kind: 'hauler', key: 'h-2' } }, ['2']],
    ['by type', { permitType: 'road' }, ['2']],
    ['by pack', { pack: 'another' }, []],
    ['by status', { status: 'issued' }, ['3', '1']],
    ['that are only filed', { status: 'filed' }, ['2']],
    ['by number', { series: 'north-law/yearly/2027', number: 7 }, ['1']],
    ['by a number that nobody has', { series: 'north-law/yearly/2027', number: 8 }, []],
    ['filed between instants', { from: day(2), to: day(3) }, ['2']],
    ['that one holds', { holding: [{ kind: 'hauler', key: 'h-1' }] }, ['3', '1']],
    ['that several hold', { holding: [HAULER, { kind: 'hauler', key: 'H-2' }] }, ['3', '2', '1']],
    ['that nobody holds', { holding: [] }, []],
  ])('show permits %s', async (_, filter, names) => {
    const { items } = await listPermits(database, [TOWN], filter);
    expect(items.map(({ id }) => id)).toEqual(names.map(permitId));
  });

  it.each<[string, Parameters<typeof listManifests>[3], readonly string[]]>([
    ['all, the latest planned first', {}, ['m4', 'm3', 'm2', 'm1']],
    ['by permit', { permitId: permitId('3') }, ['m3']],
    ['by hauler', { hauler: { kind: 'hauler', key: 'h-2' } }, ['m2']],
    ['by thing', { subject: field('b') }, ['m4']],
    ['by ticket', { ticket: 'M-m1' }, ['m1']],
    ['by pack', { pack: 'another' }, []],
    ['by kind', { manifest: 'ask', from: day(4) }, ['m4']],
    ['planned between instants', { from: day(2), to: day(3) }, ['m2']],
    ['that are accepted and not over', { status: 'accepted' }, ['m3']],
    ['that wait and are not over', { status: 'pending' }, []],
    ['that lapsed', { status: 'lapsed' }, ['m2', 'm1']],
    ['that were refused', { status: 'refused' }, ['m4']],
    ['of one holder', { holding: [{ kind: 'hauler', key: 'H-2' }] }, ['m2']],
    ['of nobody', { holding: [] }, []],
  ])('show manifests %s', async (_, filter, names) => {
    const now = Date.parse(day(5));
    const { items } = await listManifests(database, [TOWN], now, filter);
    expect(items.map(({ id }) => id)).toEqual(names.map(loadId));
  });

  it('tell the status of a manifest by the time of the asking, to the millisecond', async () => {
    const at = async (ms: number) => (await findManifest(database, '*', ms, loadId('m1')))?.status;
    const until = Date.parse('2027-07-04T05:00:00.000Z');
    expect([await at(until - 1), await at(until)]).toEqual(['accepted', 'lapsed']);
    const shown = await findManifest(database, '*', 0, loadId('m2'));
    expect(shown).toMatchObject({ status: 'pending', missing: ['depth'], why: null, dischargedAt: null });
  });

  it('show a holder its own and nothing of others', async () => {
    const own = [{ kind: 'hauler', key: ' h-2' }];
    expect(await loadNames({ holding: own })).toEqual(['T-3']);
    expect(await loadNames({ holding: [field('a')] })).toEqual(['T-2', 'T-1']);
    expect(await loadNames({ holding: own, subject: field('A') })).toEqual([]);
    expect(await loadNames({ holding: [{ kind: 'field', key: 'H-2' }] })).toEqual([]);
    expect(await loadNames({ holding: [] })).toEqual([]);
    const violations = await listViolations(database, [TOWN], NOW, { holding: own });
    expect(violations.items.map(({ loadId: load }) => load)).toEqual([loadId('2')]);
    const subjects = await listSubjects(database, [TOWN], { holding: [field('b'), HAULER] });
    expect(subjects.items.map(({ key }) => key)).toEqual(['b']);
    const ledgers = await listLedgers(database, [TOWN], { streams: [streamOf('B')] });
    expect(ledgers.items.map(({ stream }) => stream)).toEqual([streamOf('B')]);
    const duties = await listDuties(database, [TOWN], NOW, {
      holding: { things: own, streams: [streamOf('A')] },
    });
    expect(duties.items.map(({ id }) => id)).toEqual(['d-1']);
    const mine = await listDuties(database, [TOWN], NOW, { holding: { things: [HAULER], streams: [] } });
    expect(mine.items).toEqual([]);
  });

  it('show duties, the next due first', async () => {
    const ids = async (filter: DutyFilter) =>
      (await listDuties(database, [TOWN], NOW, filter)).items.map(({ id }) => id);
    expect(await ids({})).toEqual(['d-2', 'd-1', 'd-3']);
    expect(await ids({ status: ['missed'] })).toEqual(['d-3']);
    expect(await ids({ dueBefore: day(6) })).toEqual(['d-2']);
    expect(await ids({ stream: streamOf('A') })).toEqual(['d-1']);
    expect(await ids({ clause: 'D' })).toEqual([]);
  });

  it('show what was recorded late, the last recorded first', async () => {
    const { items } = await listLate(database, [TOWN]);
    expect(items).toEqual([
      {
        event: `${streamOf('A')}@3`,
        type: 'FactsRecorded',
        jurisdiction: TOWN,
        stream: streamOf('A'),
        occurredAt: day(3),
        recordedAt: secondsIn(3),
        actor: { id: 'tester', roles: [] },
        reason: 'on leave',
        evidence: 'log 2',
      },
      expect.objectContaining({ type: 'SubjectRegistered', actor: ADA, ...LATE }),
      expect.objectContaining({ type: 'LoadDischarged', occurredAt: day(3), ...LATE }),
    ]);
  });

  it.each<[string, Parameters<typeof listLate>[2], readonly string[]]>([
    ['from an instant of recording on', { from: secondsIn(3) }, ['FactsRecorded']],
    ['before an instant of recording', { to: secondsIn(3) }, ['SubjectRegistered', 'LoadDischarged']],
    ['by who recorded', { actor: 'ada' }, ['SubjectRegistered']],
    ['of loads', { streamKind: 'load' }, ['LoadDischarged']],
    ['of things', { streamKind: 'subject' }, ['FactsRecorded', 'SubjectRegistered']],
    ['by all of it at once', { streamKind: 'load', actor: 'ada' }, []],
  ])('show what was recorded late %s', async (_, filter, types) => {
    expect((await listLate(database, [TOWN], filter)).items.map(({ type }) => type)).toEqual(types);
  });

  it('wake for open duties and for permits whose validity ends, as one list in the order of the law', async () => {
    const [first, second] = [
      { stream: streamOf('B'), duty: 'd-2', dueAt: day(5) },
      { stream: streamOf('A'), duty: 'd-1', dueAt: day(6) },
    ];
    const endOf = (name: string, year: number) => ({
      stream: `permit-${permitId(name)}`,
      duty: permitId(name),
      dueAt: `${year}-01-01T06:00:00.000Z`,
    });
    const all = await dueRows(database, { limit: 500 });
    const rest = [first, second, endOf('1', 2028), endOf('3', 2029)];
    expect(all.filter(({ duty }) => duty !== 'd-5')).toEqual([endOf('5', 2027), ...rest]);
    expect(await dueRows(database, { from: day(5), before: day(6), limit: 9 })).toEqual([first]);
    expect(await dueRows(database, { from: day(5), limit: 2 })).toEqual([first, second]);
    expect(await dueRows(database, { after: first, limit: 9 })).toEqual(rest.slice(1));
    expect(await countDue(database, day(6))).toBe(all.filter(({ dueAt }) => dueAt < day(6)).length);
  });

  it('tell whom an alarm is for by its id alone, while it is open', async () => {
    const [one, two] = await dueRows(database, { from: day(6), limit: 2 });
    expect(await dueRowsOf(database, [String(two?.duty), 'd-nobody', 'd-1'])).toEqual([one, two]);
    expect(await dueRowsOf(database, [])).toEqual([]);
  });

  describe('keep tenants apart', () => {
    const ledgerId = nameId('ledger', streamOf('A', CITY), PACK, 'yearly', '2027');
    const violation = detected('5', 'A').stream.slice('violation-'.length);
    const lists: readonly [
      string,
      (scope: readonly string[] | '*') => Promise<{ items: readonly { jurisdiction: string }[] }>,
    ][] = [
      ['subjects', (scope) => listSubjects(database, scope)],
      ['loads', (scope) => listLoads(database, scope)],
      ['ledgers', (scope) => listLedgers(database, scope)],
      ['violations', (scope) => listViolations(database, scope, NOW)],
      ['duties', (scope) => listDuties(database, scope, NOW)],
      ['what was recorded late', (scope) => listLate(database, scope)],
      ['permits', (scope) => listPermits(database, scope)],
      ['manifests', (scope) => listManifests(database, scope, NOW)],
    ];

    it.each(lists)('in the list of %s', async (_, list) => {
      const tenants = async (scope: readonly string[] | '*') =>
        [...new Set((await list(scope)).items.map(({ jurisdiction }) => jurisdiction))].toSorted();
      expect(await tenants([TOWN])).toEqual([TOWN]);
      expect(await tenants([CITY])).toEqual([CITY]);
      expect(await tenants([CITY, TOWN])).toEqual([TOWN, CITY]);
      expect(await tenants('*')).toEqual([TOWN, CITY]);
      expect(await tenants([])).toEqual([]);
      expect(await tenants(['xx-elsewhere'])).toEqual([]);
    });

    it.each<[string, (scope: readonly string[] | '*') => Promise<unknown>]>([
      ['subject', (scope) => findSubject(database, scope, streamOf('A', CITY).slice(8))],
      ['load', (scope) => findLoad(database, scope, loadId('5'))],
      ['ledger', (scope) => findLedger(database, scope, ledgerId)],
      ['violation', (scope) => findViolation(database, scope, NOW, violation)],
      ['duty', (scope) => findDuty(database, scope, NOW, 'd-5')],
      ['permit', (scope) => findPermit(database, scope, permitId('5'))],
      ['manifest', (scope) => findManifest(database, scope, NOW, loadId('m5'))],
    ])('where a %s is asked for by id', async (_, find) => {
      expect(await find([CITY])).toMatchObject({ jurisdiction: CITY });
      expect(await find('*')).toMatchObject({ jurisdiction: CITY });
      expect(await find([TOWN])).toBeUndefined();
      expect(await find([])).toBeUndefined();
    });
  });

  describe('go page by page', () => {
    it('over all rows once, also where many share what they are sorted by', async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listLoads(
          database,
          '*',
          {},
          { limit: 2, ...(cursor !== undefined && { cursor }) },
        );
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...page.items.map(({ ticket }) => ticket));
        cursor = page.next;
      } while (cursor !== undefined);
      expect(seen.slice(0, 3)).toEqual(['T-4', 'T-3', 'T-2']);
      expect(seen.slice(3).toSorted()).toEqual(['T-1', 'T-5']);
    });

    it('and neither repeat nor hide a row where others come in between', async () => {
      const first = await listSubjects(database, [CITY], {}, { limit: 1 });
      expect(first).toMatchObject({ items: [{ key: 'A' }] });
      const added = ['0', 'M', 'Z'].map((key) =>
        inCity(told(streamOf(key, CITY), 'SubjectRegistered', { ...field(key), facts: {} })),
      );
      await views.reached(await append(store, added), 10_000);
      const start = await listSubjects(database, [CITY], {}, { limit: 1 });
      const second = await listSubjects(database, [CITY], {}, { limit: 5, cursor: start.next ?? '' });
      expect(start.items.map(({ key }) => key)).toEqual(['0']);
      expect(second.items.map(({ key }) => key)).toEqual(['A', 'M', 'Z']);
    });

    it.each<[string, string]>([
      ['no base64', 'läuft'],
      ['empty', ''],
      ['no JSON', Buffer.from('{').toString('base64url')],
      ['of another list', encodeCursor('duties_v1', ['2027', 'x'])],
      ['too short', encodeCursor('loads_v2', ['x'])],
      ['with a NUL in it', encodeCursor('loads_v2', ['2027\0', 'x'])],
      ['no texts', Buffer.from(JSON.stringify(['loads_v2', 1, {}])).toString('base64url')],
    ])('and refuse a cursor that is %s', async (_, cursor) => {
      const refused = (await listLoads(database, '*', {}, { cursor }).catch(
        (error: unknown) => error,
      )) as CodedError;
      expect(refused).toMatchObject({ code: 'invalid-request', faults: [{ code: 'cursor' }] });
      expect(refused.message).toBe(
        "This is no cursor of this list. To go on, send 'next' as it was given, or start anew.",
      );
    });

    it.each([0, -1, 1.5, 501, Number.NaN])('and refuse a limit of %s', async (limit) => {
      await expect(listLoads(database, '*', {}, { limit })).rejects.toMatchObject({
        code: 'invalid-request',
        faults: [{ code: 'limit' }],
      });
    });
  });

  it('find nothing for a text that no log can hold', async () => {
    expect(await findLoad(database, '*', 'a\0b')).toBeUndefined();
    expect(await loadNames({ ticket: '\ud800' }, '*')).toEqual([]);
  });

  it('take a text that looks like SQL for what it is: a text', async () => {
    expect(await loadNames({ ticket: "' or 1=1 --" }, '*')).toEqual([]);
  });
});

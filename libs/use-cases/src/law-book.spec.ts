import { nameId, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import { LawBook } from './law-book';
import { WEIR_RULES, Weirs } from './testing/weirs.testing';

const VILLAGE = 'xx-fernhollow';

function event(revision: number, type: string, data: JsonObject, at: string): RecordedEvent {
  return {
    id: nameId('event', revision),
    type,
    data,
    stream: `law-${VILLAGE}`,
    revision,
    position: `p${revision}`,
    hash: '',
    metadata: {
      occurred: { at },
      recordedAt: at,
      actor: { id: 'o', roles: [] },
      jurisdiction: VILLAGE,
      correlationId: 'c',
      commandId: 'c',
      schema: 1,
    },
  };
}

const adopted = (revision: number, version: string, sha256 = version) => {
  const text = { kind: 'calendar', id: 'fern-office', version, status: 'draft', sha256, text: '' };
  return event(revision, 'LawAdopted', { ...text, inForce: { from: 'unknown' } }, '2027-01-01T00:00:00.000Z');
};
const storm = (revision: number, date: string, at: string) =>
  event(
    revision,
    'CalendarAmended',
    {
      calendar: 'fern-office',
      days: [{ date, name: 'Storm', closedFor: 'everyone' }],
      reason: 'r',
      evidence: 'e',
    },
    at,
  );

const dayOf = (book: LawBook['now']) =>
  book.packs.get('fernhollow-weir')?.[0]?.due('decide', Date.parse('2027-07-01T15:00:00Z')).date;

it('is what was loaded until a day is closed, and then as it stood or was known at each cut', () => {
  const book = new LawBook(WEIR_RULES);
  book.take(adopted(0, '1'));
  expect(book.now).toBe(WEIR_RULES);
  book.take(storm(1, '2027-07-09', '2027-07-08T00:00:00.000Z'));
  book.take(storm(2, '2027-07-12', '2027-07-11T00:00:00.000Z'));
  expect(dayOf(book.now)).toBe('2027-07-20');
  expect(book.now).toBe(book.at({}));
  expect(book.now.calendarsChangedBy?.(VILLAGE)?.event).toBe(`law-${VILLAGE}@2`);
  expect(book.now.calendarsChangedBy?.('elsewhere')).toBeUndefined();
  expect(dayOf(book.at({ upTo: 'p1' }))).toBe('2027-07-19');
  expect(dayOf(book.at({ asOfMs: Date.parse('2027-07-10T00:00:00Z') }))).toBe('2027-07-19');
  expect(book.at({ upTo: null })).toBe(WEIR_RULES);
});

it('takes each event once and in its turn', () => {
  const book = new LawBook(WEIR_RULES);
  book.take(storm(1, '2027-07-09', '2027-07-08T00:00:00.000Z'));
  expect(book.now).toBe(WEIR_RULES);
  const first = storm(0, '2027-07-09', '2027-07-08T00:00:00.000Z');
  book.take(first);
  book.take(first);
  expect(dayOf(book.now)).toBe('2027-07-19');
});

it('a later text of a calendar is a change of it, and the first is none', () => {
  const book = new LawBook(WEIR_RULES);
  book.take(adopted(0, '1'));
  expect(book.now.calendarsChangedBy).toBeUndefined();
  book.take(adopted(1, '2'));
  expect(book.now.calendarsChangedBy?.(VILLAGE)?.event).toBe(`law-${VILLAGE}@1`);
  expect(dayOf(book.now)).toBe('2027-07-16');
});

it('another process counts by a day once it has read of it', async () => {
  const weirs = await Weirs.opened();
  const permit = await weirs.filed();
  const other = weirs.beside();
  await weirs.closed('2027-07-09');
  const [amended] = await weirs.shared.store.readStream(`law-${VILLAGE}`);
  expect((await other.duty(permit)).id).toBe((await weirs.duty(permit)).id);
  expect(dayOf(other.services.rules)).toBe('2027-07-16');
  await other.headworks.reconciler.follow(amended ? [amended] : []);
  expect(dayOf(other.services.rules)).toBe('2027-07-19');
});

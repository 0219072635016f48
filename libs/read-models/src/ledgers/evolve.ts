import { localDateAt } from '@headworks/calendars';
import {
  compareKeys,
  insertSorted,
  legalKey,
  type BroughtForward,
  type LegalKey,
  type LoadPosted,
  type PostingReversed,
  type RecordedInError,
} from '@headworks/domain';
import { address, dateParts, isoInstant, nameId, type RecordedEvent } from '@headworks/kernel';
import type { View } from '../view';
import { ledgersTable, type LedgerPosting, type LedgerRow } from './table';

/** Zones of the jurisdictions: the law's days are local ones. */
export type Zones = ReadonlyMap<string, string>;

/** Postings of a thing, by limit and window. Folded from the events alone: no pack is asked. */
export const ledgersView = (zones: Zones): View<LedgerRow> => ({
  ...ledgersTable,
  groupsOf({ type, stream }) {
    const counts = ['LoadPosted', 'PostingReversed', 'BroughtForward', 'RecordedInError'];
    return counts.includes(type) ? [stream] : [];
  },
  evolve(rows, event) {
    const jurisdiction = event.metadata.jurisdiction ?? rows[0]?.jurisdiction ?? '';
    const ledger = { stream: event.stream, jurisdiction, zones };
    switch (event.type) {
      case 'LoadPosted': {
        const key = legalKey(event);
        return post(rows, ledger, event.data as LoadPosted, { posting: address(event), key });
      }
      case 'PostingReversed':
        return without(rows, ({ posting }) => posting === (event.data as PostingReversed).posting);
      case 'RecordedInError':
        return without(rows, ({ posting }) => posting === (event.data as RecordedInError).annuls);
      case 'BroughtForward':
        return bringForward(rows, ledger, event);
      default:
        return rows;
    }
  },
});

function zoneOf({ zones, jurisdiction }: Ledger): string {
  const zone = zones.get(jurisdiction);
  if (zone !== undefined) return zone;
  throw new Error(`no pack of '${jurisdiction}' is loaded that says its zone`);
}

interface Ledger {
  readonly stream: string;
  readonly jurisdiction: string;
  readonly zones: Zones;
}

interface Place {
  readonly posting: string;
  readonly key: LegalKey;
  readonly broughtFrom?: string;
}

function post(
  rows: readonly LedgerRow[],
  ledger: Ledger,
  data: LoadPosted,
  { posting, key, broughtFrom }: Place,
): readonly LedgerRow[] {
  const on = localDateAt(zoneOf(ledger), key.ms);
  // Events don't say the window of a limit yet, so it is the calendar year; `on` lets a reader cut another one.
  const window = String(dateParts(on).year);
  return data.limits.reduce((all, limit) => {
    const entry: LedgerPosting = {
      posting,
      load: data.load,
      loadRevision: data.loadRevision,
      loadType: data.loadType,
      hauler: data.hauler,
      quantity: data.quantity,
      occurredAt: isoInstant(key.ms),
      on,
      row: data.rows[limit] ?? {},
      ...(broughtFrom !== undefined && { broughtFrom }),
      recordedAt: key.recordedAt,
      revision: key.revision,
    };
    const id = nameId('ledger', ledger.stream, data.pack, limit, window);
    const row = all.find((other) => other.id === id) ?? newRow(id, ledger, data.pack, limit, window);
    const postings = insertSorted(row.doc.postings, entry, byLegalOrder);
    return [...all.filter((other) => other.id !== id), withPostings(row, postings)];
  }, rows);
}

const newRow = (
  id: string,
  { stream, jurisdiction }: Ledger,
  pack: string,
  limit: string,
  window: string,
): LedgerRow => ({
  id,
  stream,
  jurisdiction,
  pack,
  limit_name: limit,
  window_name: window,
  posting_count: 0,
  doc: { postings: [] },
});

const withPostings = (row: LedgerRow, postings: readonly LedgerPosting[]): LedgerRow => ({
  ...row,
  posting_count: postings.length,
  doc: { postings },
});

const keyOf = ({ occurredAt, recordedAt, revision }: LedgerPosting): LegalKey => ({
  ms: Date.parse(occurredAt),
  recordedAt,
  revision,
});
const byLegalOrder = (a: LedgerPosting, b: LedgerPosting): number => compareKeys(keyOf(a), keyOf(b));

/** A window that nothing stands in any more has no row. */
function without(
  rows: readonly LedgerRow[],
  gone: (posting: LedgerPosting) => boolean,
): readonly LedgerRow[] {
  return rows
    .map((row) => {
      const kept = row.doc.postings.filter((posting) => !gone(posting));
      return kept.length === row.posting_count ? row : withPostings(row, kept);
    })
    .filter((row) => row.posting_count > 0);
}

/** All that the predecessor carries over, in place of what it carried before. */
function bringForward(
  rows: readonly LedgerRow[],
  ledger: Ledger,
  event: RecordedEvent,
): readonly LedgerRow[] {
  const { from, postings } = event.data as BroughtForward;
  const kept = without(rows, ({ broughtFrom }) => broughtFrom === from);
  return postings.reduce((all, posting, revision) => {
    const key = { ms: Date.parse(posting.occurredAt), recordedAt: '', revision };
    const place = { posting: `${address(event)}#${posting.posting}`, key, broughtFrom: from };
    return post(all, ledger, posting, place);
  }, kept);
}

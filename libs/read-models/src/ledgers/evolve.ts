import { localDateAt } from '@headworks/calendars';
import {
  legalKey,
  type BroughtForward,
  type LegalKey,
  type LoadPosted,
  type PostingReversed,
  type RecordedInError,
} from '@headworks/domain';
import { address, dateParts, isoInstant, nameId, type RecordedEvent } from '@headworks/kernel';
import type { View } from '../view';
import { ledgersTable, type LedgerRow } from './table';

/** Zones of the jurisdictions: the law's days are local ones. */
export type Zones = ReadonlyMap<string, string>;

/** Postings of things, by limit and window. Folded from the events alone: no pack is asked. */
export const ledgersView = (zones: Zones): View<LedgerRow> => ({
  ...ledgersTable,
  partsOf(event) {
    const part = partOf(event);
    return part === undefined ? [] : [part];
  },
  evolve(rows, event, part) {
    switch (event.type) {
      case 'LoadPosted': {
        const place = { part, posting: address(event), key: legalKey(event) };
        return rowsOf(event, event.data as LoadPosted, place, zones);
      }
      case 'BroughtForward':
        return broughtForward(event, part, zones);
      default:
        // Reversed, or recorded in error: it counts nowhere.
        return rows.length === 0 ? rows : [];
    }
  },
});

/** A posting is a part by its address; what one predecessor brings forward is one, since it replaces what it brought. */
function partOf(event: RecordedEvent): string | undefined {
  switch (event.type) {
    case 'LoadPosted':
      return address(event);
    case 'PostingReversed':
      return own(event, (event.data as PostingReversed).posting);
    case 'RecordedInError':
      return own(event, (event.data as RecordedInError).annuls);
    case 'BroughtForward':
      return `${event.stream} from ${(event.data as BroughtForward).from}`;
    default:
      return undefined;
  }
}

/** A stream takes back only what it said itself. */
const own = ({ stream }: RecordedEvent, posting: string): string | undefined =>
  posting.startsWith(`${stream}@`) ? posting : undefined;

interface Place {
  readonly part: string;
  readonly posting: string;
  readonly key: LegalKey;
  readonly broughtFrom?: string;
}

function rowsOf(
  { stream, metadata }: RecordedEvent,
  data: LoadPosted,
  { part, posting, key, broughtFrom }: Place,
  zones: Zones,
): readonly LedgerRow[] {
  const jurisdiction = metadata.jurisdiction ?? '';
  const on = localDateAt(zoneOf(zones, jurisdiction), key.ms);
  // Events don't say the window of a limit yet, so it is the calendar year; `on` lets a reader cut another one.
  const window = String(dateParts(on).year);
  return data.limits.map((limit) => ({
    id: nameId('ledger-posting', posting, limit),
    part,
    jurisdiction,
    ledger_id: nameId('ledger', stream, data.pack, limit, window),
    stream,
    pack: data.pack,
    limit_name: limit,
    window_name: window,
    doc: {
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
    },
  }));
}

function zoneOf(zones: Zones, jurisdiction: string): string {
  const zone = zones.get(jurisdiction);
  if (zone !== undefined) return zone;
  throw new Error(`no pack of '${jurisdiction}' is loaded that says its zone`);
}

/** All that the predecessor carries over, in place of what it carried before; at the places the domain gives them. */
function broughtForward(event: RecordedEvent, part: string, zones: Zones): readonly LedgerRow[] {
  const { from, postings } = event.data as BroughtForward;
  return postings.flatMap((posting, revision) => {
    const key = { ms: Date.parse(posting.occurredAt), recordedAt: '', revision };
    const at = `${address(event)}#${posting.posting}`;
    return rowsOf(event, posting, { part, posting: at, key, broughtFrom: from }, zones);
  });
}

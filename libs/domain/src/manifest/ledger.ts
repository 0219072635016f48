import { endOfDay, startOfDay } from '@headworks/calendars';
import type { FactEntry, FactSource, LimitDef, Pack } from '@headworks/rules-engine';
import { dayIn } from '../pack-at';
import { inWindow, windowOf } from '../postings';
import type { SubjectState } from '../subject/subject';
import { heldAt, type Reservation } from './reservations';

/** For what a ledger is asked: as if it were the last of its window, whatever is planned or posted there already. */
export interface Asking {
  readonly manifest: string;
  readonly plannedMs: number;
  readonly nowMs: number;
  /** Only reservations made before this one count: of what holds already, the earlier keeps its place. */
  readonly before?: Reservation;
}

/** The earlier rows of a limit's window as a manifest sees them: what was posted, and what others still hold. */
export function reservedLedger(pack: Pack, limit: LimitDef, state: SubjectState, asking: Asking): FactSource {
  // Looked at only when a clause asks for the series.
  let entry: FactEntry | undefined;
  const fold = (): FactEntry => {
    const day = dayIn(pack, asking.plannedMs);
    const posted = inWindow(pack, limit, state.postings, day).filter(
      ({ data }) => data.load !== asking.manifest,
    );
    const rows = [
      ...posted.map(({ data }) => data.rows[limit.name] ?? {}),
      ...reserved(pack, limit, state, asking).map(({ data }) => data.rows[limit.name] ?? {}),
    ];
    const head = `${state.stream}@${state.revision}`;
    return { json: rows, from: { source: 'ledger', event: head, count: rows.length } };
  };
  return (fact) => (fact === limit.series ? (entry ??= fold()) : undefined);
}

/** Reservations of others that hold in the window of the planned day. */
function reserved(
  pack: Pack,
  limit: LimitDef,
  { reservations }: SubjectState,
  { manifest, plannedMs, nowMs, before }: Asking,
): readonly Reservation[] {
  const { first, last } = windowOf(limit, dayIn(pack, plannedMs));
  const [from, until] = [startOfDay(pack.zone, first), endOfDay(pack.zone, last)];
  return heldAt(reservations, nowMs).filter(
    ({ data, plannedMs: ms, revision }) =>
      data.manifest !== manifest &&
      ms >= from &&
      ms < until &&
      (before === undefined || revision < before.revision) &&
      reservesIn(pack, limit, data),
  );
}

export const reservesIn = (
  pack: Pack,
  limit: LimitDef,
  data: Pick<Reservation['data'], 'pack' | 'limits'>,
): boolean => data.pack === pack.ref.pack && data.limits.includes(limit.name);

import {
  PAGE_LIMIT,
  listDutyRows,
  listPermitRows,
  listViolationRows,
  permitItem,
  permitsView,
  violationItem,
  violationsView,
  type DutyFilter,
  type DutyItem,
  type Page,
  type PageRequest,
  type PermitFilter,
  type PermitItem,
  type Scope,
  type View,
  type ViewDatabase,
  type ViewRow,
  type ViolationFilter,
  type ViolationItem,
} from '@headworks/read-models';
import type { JsonObject } from '@headworks/kernel';
import {
  eventsAt,
  Headworks,
  resolveCut,
  type Cut,
  type CutQuery,
  type Services,
} from '@headworks/use-cases';

/** Lists as of an instant, or of what was known at one. Folded from the log at the cut: a view knows only what stands now. */
export interface ListsAt {
  permitsAt(scope: Scope, cut: CutQuery, filter: PermitFilter, page: PageRequest): Promise<Page<PermitItem>>;
  violationsAt(
    scope: Scope,
    cut: CutQuery,
    filter: ViolationFilter,
    page: PageRequest,
  ): Promise<Page<ViolationItem>>;
  /** In the order of what is due now: a duty may have been due on another day then. */
  dutiesAt(scope: Scope, cut: CutQuery, filter: DutyFilter, page: PageRequest): Promise<Page<JsonObject>>;
  /** Consequences that would stand otherwise under the calendars of the cut. */
  staleAt(scope: Scope, cut: CutQuery, filter: DutyFilter, page: PageRequest): Promise<Page<JsonObject>>;
}

export const listsAt = (database: ViewDatabase, services: Services): ListsAt => ({
  async permitsAt(scope, cutQuery, { status, ...filter }, page) {
    const cut = await resolveCut(services, cutQuery);
    const asOfMs = cut.asOfMs ?? services.clock.now();
    return listAt({
      candidates: (part) => listPermitRows(database, scope, filter, part),
      rowAt: (row) => rowAt(services, permitsView, row, cut),
      item: (row) => permitItem(row, asOfMs),
      matches: (item) => status === undefined || item.status === status,
      page,
    });
  },
  async violationsAt(scope, cutQuery, { status, ...filter }, page) {
    const cut = await resolveCut(services, cutQuery);
    const asOfMs = cut.asOfMs ?? services.clock.now();
    return listAt({
      candidates: (part) => listViolationRows(database, scope, filter, part),
      rowAt: (row) => rowAt(services, violationsView, row, cut),
      item: (row) => violationItem(row, asOfMs),
      matches: (item) => status === undefined || item.status === status,
      page,
    });
  },
  async dutiesAt(scope, cutQuery, { status, dueBefore, ...filter }, page) {
    const cut = await resolveCut(services, cutQuery);
    const { duties } = new Headworks(services);
    return listAt({
      candidates: (part) => listDutyRows(database, scope, 0, filter, part),
      rowAt: (row) => duties.rowAt(row, cut),
      item: (row) => row,
      matches: (item) => isDuty(item as unknown as DutyItem, status, dueBefore),
      page,
    });
  },
  async staleAt(scope, cutQuery, filter, page) {
    const cut = await resolveCut(services, cutQuery);
    const { duties } = new Headworks(services);
    return listAt({
      // One that was taken back since stood at an earlier cut, so every status is looked at that a miss can come to.
      candidates: (part) => listDutyRows(database, scope, 0, { ...filter, wasMissed: true }, part),
      rowAt: (row) => duties.staleAt(row, cut),
      item: (row) => row,
      matches: () => true,
      page,
    });
  },
});

const isDuty = (
  { status, due }: DutyItem,
  wanted: DutyFilter['status'],
  dueBefore: string | undefined,
): boolean =>
  (wanted?.includes(status) ?? true) && (dueBefore === undefined || (due !== null && due.at < dueBefore));

/** Rows that a page looks at, at most: one that finds few among many is short and has a next one. */
const MOST_LOOKED_AT = 1_000;

interface ListedAt<Row, Then, Item> {
  /** Those that stand now: a row is never taken away, so none that stood then is missing. */
  readonly candidates: (page: PageRequest) => Promise<Page<Row>>;
  readonly rowAt: (row: Row) => Promise<Then | undefined>;
  readonly item: (row: Then) => Item;
  /** What may have been otherwise then is asked of the row as it was. */
  readonly matches: (item: Item) => boolean;
  readonly page: PageRequest;
}

export async function listAt<Row, Then, Item>(listed: ListedAt<Row, Then, Item>): Promise<Page<Item>> {
  const items: Item[] = [];
  const most = listed.page.limit ?? PAGE_LIMIT.default;
  let { page } = listed;
  for (let looked = 0; ;) {
    const found = await listed.candidates({ ...page, limit: most - items.length });
    for (const candidate of found.items) {
      const row = await listed.rowAt(candidate);
      if (row === undefined) continue;
      const item = listed.item(row);
      if (listed.matches(item)) items.push(item);
    }
    looked += found.items.length;
    if (found.next === undefined) return { items };
    if (items.length >= most || looked >= MOST_LOOKED_AT) return { items, next: found.next };
    page = { cursor: found.next };
  }
}

/** The row as its view would have it of the events at the cut; its part is its stream. */
async function rowAt<Row extends ViewRow>(
  services: Services,
  view: View<Row>,
  { part }: Row,
  cut: Cut,
): Promise<Row | undefined> {
  let rows: readonly Row[] = [];
  for (const event of await eventsAt(services, part, cut)) {
    if (view.partsOf(event).includes(part)) rows = view.evolve(rows, event, part);
  }
  return rows[0];
}

import {
  PAGE_LIMIT,
  listPermitRows,
  listViolationRows,
  permitItem,
  permitsView,
  violationItem,
  violationsView,
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
import { eventsAt, resolveCut, type Cut, type CutQuery, type Services } from '@headworks/use-cases';

/** Lists as of an instant, or of what was known at one. Folded from the log at the cut: a view knows only what stands now. */
export interface ListsAt {
  permitsAt(scope: Scope, cut: CutQuery, filter: PermitFilter, page: PageRequest): Promise<Page<PermitItem>>;
  violationsAt(
    scope: Scope,
    cut: CutQuery,
    filter: ViolationFilter,
    page: PageRequest,
  ): Promise<Page<ViolationItem>>;
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
});

/** Rows that a page looks at, at most: one that finds few among many is short and has a next one. */
const MOST_LOOKED_AT = 1_000;

interface ListedAt<Row, Item> {
  /** Those that stand now: a row is never taken away, so none that stood then is missing. */
  readonly candidates: (page: PageRequest) => Promise<Page<Row>>;
  readonly rowAt: (row: Row) => Promise<Row | undefined>;
  readonly item: (row: Row) => Item;
  /** What may have been otherwise then is asked of the row as it was. */
  readonly matches: (item: Item) => boolean;
  readonly page: PageRequest;
}

export async function listAt<Row, Item>(listed: ListedAt<Row, Item>): Promise<Page<Item>> {
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

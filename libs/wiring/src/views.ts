import { parsePositionToken } from '@headworks/event-store';
import {
  allViews,
  countDue,
  dueRows,
  dueRowsOf,
  findDuty,
  listDuties,
  listLate,
  listLedgers,
  listLoads,
  listManifests,
  listPermits,
  listSubjects,
  listViolations,
  type DueDuty,
  type DueQuery,
  type DutyFilter,
  type DutyItem,
  type LateFilter,
  type LateItem,
  type LedgerFilter,
  type LedgerItem,
  type LoadFilter,
  type LoadItem,
  type ManifestFilter,
  type ManifestItem,
  type Page,
  type PageRequest,
  type PermitFilter,
  type PermitItem,
  type Scope,
  type SubjectFilter,
  type SubjectItem,
  type View,
  type ViewDatabase,
  type ViolationFilter,
  type ViolationItem,
} from '@headworks/read-models';
import type { RuleSet } from '@headworks/rules-engine';
import { shownGeometry } from '@headworks/use-cases';
import type { AutomationCheckpoint } from './follow-automations';
import type { Storage } from './storage';

/** The lists of the REST API, bound to the database of the views. */
export interface ViewQueries {
  subjects(scope: Scope, filter?: SubjectFilter, page?: PageRequest): Promise<Page<SubjectItem>>;
  loads(scope: Scope, filter?: LoadFilter, page?: PageRequest): Promise<Page<LoadItem>>;
  ledgers(scope: Scope, filter?: LedgerFilter, page?: PageRequest): Promise<Page<LedgerItem>>;
  /** `nowMs`: what the days of a lasting violation are counted up to. */
  violations(
    scope: Scope,
    nowMs: number,
    filter?: ViolationFilter,
    page?: PageRequest,
  ): Promise<Page<ViolationItem>>;
  /** `nowMs`: which of them are late by the clock alone. */
  duties(scope: Scope, nowMs: number, filter?: DutyFilter, page?: PageRequest): Promise<Page<DutyItem>>;
  duty(scope: Scope, nowMs: number, id: string): Promise<DutyItem | undefined>;
  late(scope: Scope, filter?: LateFilter, page?: PageRequest): Promise<Page<LateItem>>;
  permits(scope: Scope, filter?: PermitFilter, page?: PageRequest): Promise<Page<PermitItem>>;
  /** `nowMs`: what has lapsed by then. */
  manifests(
    scope: Scope,
    nowMs: number,
    filter?: ManifestFilter,
    page?: PageRequest,
  ): Promise<Page<ManifestItem>>;
  /** Open duties and permits whose validity ends, the earliest first: a permit's is named by its id. */
  due(query: DueQuery): Promise<readonly DueDuty[]>;
  /** Those of them that are open, by id. */
  dueOf(duties: readonly string[]): Promise<readonly DueDuty[]>;
  countDue(before: string): Promise<number>;
  /** Instant of what is due first. */
  nextDue(): Promise<string | undefined>;
}

export const viewsOf = (rules: RuleSet): readonly View[] =>
  allViews(new Map([...rules.jurisdictions].map(([id, { zone }]) => [id, zone])));

export const viewQueries = (database: ViewDatabase): ViewQueries => ({
  async subjects(scope, filter, page) {
    const found = await listSubjects(database, scope, filter, page);
    const items = found.items.map((item) => ({
      ...item,
      geometry: item.geometry && shownGeometry(item.geometry),
    }));
    return { ...found, items };
  },
  loads: (scope, filter, page) => listLoads(database, scope, filter, page),
  ledgers: (scope, filter, page) => listLedgers(database, scope, filter, page),
  violations: (scope, nowMs, filter, page) => listViolations(database, scope, nowMs, filter, page),
  duties: (scope, nowMs, filter, page) => listDuties(database, scope, nowMs, filter, page),
  duty: (scope, nowMs, id) => findDuty(database, scope, nowMs, id),
  late: (scope, filter, page) => listLate(database, scope, filter, page),
  permits: (scope, filter, page) => listPermits(database, scope, filter, page),
  manifests: (scope, nowMs, filter, page) => listManifests(database, scope, nowMs, filter, page),
  due: (query) => dueRows(database, query),
  dueOf: (duties) => dueRowsOf(database, duties),
  countDue: (before) => countDue(database, before),
  nextDue: async () => (await dueRows(database, { limit: 1 }))[0]?.dueAt,
});

const TABLE = 'automation_checkpoint';
/** A batch is a few loads: written after each, the place would be written far oftener than it is ever read. */
const WRITE_EVERY_MS = 1_000;

/** A checkpoint whose last place is written at the end. */
export interface KeptCheckpoint extends AutomationCheckpoint {
  readonly flush: () => Promise<void>;
}

/**
 * How far the automations have come, beside the views: lost with them, they only look at old events again and find
 * nothing to do; so is what was not written yet. A token of another log is no place to go on from, so they begin at the
 * first event.
 */
export function checkpointOf({ database, store }: Storage, elapsedMs: () => number): KeptCheckpoint {
  const { kysely } = database;
  let made: Promise<void> | undefined;
  // One that failed is tried again: two processes that make it at once meet in PostgreSQL, and one of them is refused.
  const ready = (): Promise<void> =>
    (made ??= kysely.schema
      .createTable(TABLE)
      .ifNotExists()
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('token', 'text', (column) => column.notNull())
      .execute()
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      }));
  let unwritten: string | undefined;
  let writtenMs = Number.NEGATIVE_INFINITY;
  async function keep(): Promise<void> {
    if (unwritten === undefined) return;
    const token = unwritten;
    unwritten = undefined;
    await ready();
    await kysely
      .insertInto(TABLE)
      .values({ id: 1, token })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ token }))
      .execute();
  }
  return {
    async read() {
      await ready();
      const row = await kysely.selectFrom(TABLE).select('token').where('id', '=', 1).executeTakeFirst();
      const token = row && String(row['token']);
      const parsed = token === undefined ? undefined : parsePositionToken(token);
      if (parsed?.storeId !== store.storeId) return undefined;
      return (await store.tokenOf(parsed.position).catch(() => undefined)) === token
        ? parsed.position
        : undefined;
    },
    async write(token) {
      unwritten = token;
      if (elapsedMs() - writtenMs < WRITE_EVERY_MS) return;
      writtenMs = elapsedMs();
      await keep();
    },
    flush: () => keep(),
  };
}

export {
  openPostgresViews,
  openSqliteViews,
  type SqliteViewsOptions,
  type ViewDatabase,
} from './database/view-database';
export type { SqliteDatabase } from './database/sqlite-dialect';
export { dropOldTables, oldTables } from './database/view-tables';
export { tableOf, viewRegistry, type View, type ViewRow } from './view';
export {
  rebuildView,
  startViews,
  verifyViews,
  type RunningViews,
  type StartViewsOptions,
  type ViewLag,
  type ViewsOptions,
} from './running/start-views';
export {
  remoteViews,
  serveViews,
  type Channel,
  type FromViews,
  type RemoteViews,
  type ToViews,
} from './running/remote-views';
export type { ViewNotice } from './running/follow';
export type { ViewDifference, ViewVerdict } from './running/verify';
export { PAGE_LIMIT, type Page, type PageRequest, type Scope } from './listing/page';
export { allViews } from './all-views';
export { type Zones } from './ledgers/evolve';
export type { SubjectAct, SubjectCounts } from './subjects/table';
export type { FindingSummary } from './findings';
export type { LoadDoc, LoadSource } from './loads/table';
export type { LedgerPosting } from './ledgers/table';
export type { DutyDoc } from './duties/table';
export * from './subjects/query';
export * from './loads/query';
export * from './ledgers/query';
export * from './violations/query';
export * from './duties/query';
export { countDue, dueRows, dueRowsOf, type DueDuty, type DueQuery } from './due';
export * from './late/query';
export * from './manifests/query';
export * from './permits/query';
export { permitsView } from './permits/evolve';
export { violationsView } from './violations/evolve';
export { streamOfThing } from './thing';

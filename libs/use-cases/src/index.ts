export * from './answers';
export { automations, Reconciler } from './automations/reconciler';
export type { Automation, Work } from './automations/automation';
export type { CorrectionBody } from './commands/correct-load';
export {
  claimReminder,
  REMINDER_TRIES,
  reminderId,
  tellReminder,
  type Claim,
} from './commands/record-reminder';
export type { LoadBody } from './commands/record-load';
export type { ActBody } from './commands/do-act';
export type { FactsBody } from './commands/record-facts';
export type { RegisterBody } from './commands/register-subject';
export type { SupersedeBody } from './commands/supersede-subject';
export * from './context';
export * from './holding';
export { Headworks } from './headworks';
export type { HistoryQuery } from './queries/history';
export { Duties } from './duties';
export type { CalendarDaysBody } from './commands/amend-calendar';
export type { OnDuty, OnDutyBody } from './commands/on-duty';
export { LawBook, type LawInForce } from './law-book';
export type { Home } from './queries/duty';
export { Permits } from './permits';
export { Manifests } from './manifests';
export type { ManifestBody } from './commands/manifests/submit-manifest';
export type { ManifestDecision, ManifestDecisionBody } from './commands/manifests/decide-on-manifest';
export { manifestStatus, type ManifestStatus } from './queries/manifests';
export type { ApplicationBody, RenewalBody } from './commands/permits/file-application';
export type { DecisionBody } from './commands/permits/decide-on-permit';
export * from './models';
export { withClause, type ListedDuty } from './queries/duties';
export type { CheckAnswer, CheckBody } from './queries/check';
export { eventsAt, resolveCut, type Cut, type CutQuery } from './queries/cut';
export { StreamRunner, type Job, type Model, type Outcome } from './stream-runner';
export { shownGeometry } from './geometry';

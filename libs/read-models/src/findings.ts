import type { Finding, FindingStatus, UnknownReason } from '@headworks/kernel';

/** A finding as a list shows it; the whole of it stands in the log. */
export type FindingSummary = {
  readonly clause: string;
  readonly status: FindingStatus;
  readonly reason?: UnknownReason;
};

export const summaryOf = ({ clause, status, reason }: Finding): FindingSummary => ({
  clause,
  status,
  ...(reason !== undefined && { reason }),
});

import type { Pack } from '@headworks/rules-engine';
import type { DeadlineClause } from './duty';

export type Leniency = 'extension' | 'waiver';

/** The body that may give more time for a duty of the clause, or let it go; undefined where the law names none. */
export function lenientBody(pack: Pack, { deadline }: DeadlineClause, what: Leniency): string | undefined {
  const body = what === 'extension' ? deadline.extendedBy?.grantedBy : deadline.waivedBy;
  return body !== undefined && pack.bodies.has(body) ? body : undefined;
}

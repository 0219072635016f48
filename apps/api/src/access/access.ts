import { markdownTable } from '../http/markdown';

/** What a key may be; `wiring` offers the same list to the command line. */
export const ROLES = ['admin', 'auditor', 'board', 'clerk', 'holder', 'officer', 'reader'] as const;
export type Role = (typeof ROLES)[number];

export type Method = 'GET' | 'POST' | 'PUT';

export interface Endpoint {
  readonly method: Method;
  /** As the router has it; `*` at the end stands for everything below. */
  readonly path: string;
  readonly who: readonly Role[] | 'anyone';
  /** Mounted only where time is virtual; elsewhere there is no such address. */
  readonly sandbox?: true;
  /** Mounted only where a Redis is named. A page: a browser asks its user, and sends the key as a password. */
  readonly board?: true;
}

const EVERY: readonly Role[] = ROLES;
const STAFF: readonly Role[] = ['admin', 'board', 'clerk', 'officer'];
const OFFICERS: readonly Role[] = ['admin', 'board', 'officer'];
const INSIDE: readonly Role[] = ROLES.filter((role) => role !== 'holder');
/** Whom the agency answers to for what was recorded, and how. */
const OVERSIGHT: readonly Role[] = ['admin', 'auditor', 'board'];
/** Acts are the law's: the pack says whose each is, and the use-case asks. A holder has acts too. */
const ACTORS: readonly Role[] = ['admin', 'board', 'clerk', 'holder', 'officer'];

const row = (method: Method, path: string, who: Endpoint['who']): Endpoint => ({ method, path, who });
const see = (path: string, who: Endpoint['who'] = EVERY): Endpoint => row('GET', path, who);
const write = (path: string, who: readonly Role[]): Endpoint => row('POST', path, who);

/**
 * Who may call what: the one table. The guard, docs/access.md, the roles in OpenAPI and the test of every cell come
 * from it; a route that is not in it stops the boot, and so does a row without a route. Beside it stands the tenant:
 * whatever the role, another agency's object is not found.
 */
export const ACCESS: readonly Endpoint[] = [
  see('/health', 'anyone'),
  see('/health/live', 'anyone'),
  see('/health/ready', 'anyone'),
  see('/openapi.json', 'anyone'),
  see('/docs*', 'anyone'),
  see('/metrics', ['admin', 'auditor']),
  { ...see('/board*', ['admin']), board: true },

  see('/v1/jurisdictions'),
  see('/v1/jurisdictions/:id'),
  see('/v1/jurisdictions/:id/closed-days'),
  write('/v1/jurisdictions/:id/calendars/:calendar/days', OFFICERS),
  write('/v1/jurisdictions/:id/closed-days/:event/annulment', OFFICERS),
  see('/v1/packs'),
  see('/v1/packs/:pack'),
  see('/v1/packs/:pack/assessments/:name'),
  see('/v1/packs/:pack/kinds/:kind'),
  see('/v1/packs/:pack/acts/:act'),
  see('/v1/packs/:pack/loads/:load'),
  see('/v1/packs/:pack/permits/:type'),
  see('/v1/packs/:pack/manifests/:manifest'),
  // A check writes nothing, so whoever may read may ask.
  write('/v1/checks', EVERY),
  write('/v1/checks/batch', EVERY),

  write('/v1/subjects/:kind', STAFF),
  see('/v1/subjects/:kind'),
  see('/v1/subjects/:kind/:id'),
  write('/v1/subjects/:kind/:id/facts', STAFF),
  see('/v1/subjects/:kind/:id/acts'),
  write('/v1/subjects/:kind/:id/acts/:act', ACTORS),
  see('/v1/subjects/:kind/:id/ledgers/:limit'),
  see('/v1/subjects/:kind/:id/history'),
  write('/v1/subjects/:kind/:id/supersession', STAFF),

  write('/v1/loads', ACTORS),
  see('/v1/loads'),
  see('/v1/loads/:id'),
  // What was recorded is the agency's record: a holder tells staff what is wrong with it.
  write('/v1/loads/:id/corrections', STAFF),
  see('/v1/loads/:id/history'),

  // Which body decides what is the pack's to say, and the use-case asks; the applicant's own steps are a holder's too.
  write('/v1/applications', ACTORS),
  see('/v1/applications/:id'),
  write('/v1/applications/:id/information-requests', STAFF),
  write('/v1/applications/:id/information', ACTORS),
  write('/v1/applications/:id/completion', STAFF),
  write('/v1/applications/:id/approval', STAFF),
  write('/v1/applications/:id/denial', STAFF),
  write('/v1/applications/:id/withdrawal', ACTORS),
  write('/v1/applications/:id/issuance', STAFF),

  see('/v1/permits'),
  see('/v1/permits/:id'),
  write('/v1/permits/:id/suspension', STAFF),
  write('/v1/permits/:id/reinstatement', STAFF),
  write('/v1/permits/:id/revocation', STAFF),
  write('/v1/permits/:id/conditions', STAFF),
  write('/v1/permits/:id/voidance', STAFF),
  write('/v1/permits/:id/renewal', ACTORS),
  see('/v1/permits/:id/acts'),
  write('/v1/permits/:id/acts/:act', ACTORS),
  write('/v1/permits/:id/facts', STAFF),
  see('/v1/permits/:id/ledgers/:limit'),
  see('/v1/permits/:id/history'),

  write('/v1/manifests', ACTORS),
  see('/v1/manifests'),
  see('/v1/manifests/:id'),
  write('/v1/manifests/:id/acceptance', STAFF),
  write('/v1/manifests/:id/refusal', STAFF),
  write('/v1/manifests/:id/withdrawal', ACTORS),
  see('/v1/manifests/:id/history'),

  see('/v1/violations'),
  see('/v1/violations/:id'),
  see('/v1/violations/:id/history'),
  see('/v1/duties'),
  see('/v1/duties/:id'),
  see('/v1/duties/:id/derivation'),
  // Which body gives more time or none is the pack's to say; what calendars overtook is any officer's to look at.
  write('/v1/duties/:id/extension', STAFF),
  write('/v1/duties/:id/waiver', STAFF),
  write('/v1/duties/:id/reversal', OFFICERS),
  write('/v1/duties/:id/confirmation', OFFICERS),
  see('/v1/stale', INSIDE),
  // Whoever may read makes a link that sees what they see; the link is its own credential.
  write('/v1/duties/links', EVERY),
  see('/v1/duties.ics', 'anyone'),
  see('/v1/ledgers'),
  see('/v1/audit/late', OVERSIGHT),

  { ...see('/v1/sandbox/clock'), sandbox: true },
  { ...row('PUT', '/v1/sandbox/clock', ['admin']), sandbox: true },
];

/** The row of a route as the router names it. */
export function rowOf(method: string, path: string): Endpoint | undefined {
  // Fastify adds HEAD to each GET.
  const wanted = method === 'HEAD' ? 'GET' : method;
  return ACCESS.find(({ method: known, path: pattern }) => known === wanted && matches(pattern, path));
}

const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*')
    ? path === pattern.slice(0, -1) || path.startsWith(`${pattern.slice(0, -1)}/`)
    : pattern === path;

/** The table as Markdown, as docs/access.md has it. */
export const accessTable = (): string =>
  markdownTable(
    ['call', 'anyone', ...ROLES],
    ACCESS.map(({ method, path, who, sandbox, board }) => [
      `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\`${sandbox ? ' (sandbox)' : board ? ' (with Redis)' : ''}`,
      who === 'anyone' ? 'yes' : '',
      ...ROLES.map((role) => (who !== 'anyone' && who.includes(role) ? 'yes' : '')),
    ]),
  );

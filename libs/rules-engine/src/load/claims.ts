import { nearest } from '@headworks/kernel';
import type { PackModel } from '../resolve/pack';
import { placeName } from '../resolve/scope';
import type { RawPack } from '../source/raw';
import type { Path, YamlFile } from '../source/yaml-file';
import type { PackFile } from './folder';
import type { LawRow } from './registry';

/** How much of its law a pack holds, for people who check that nothing was forgotten. */
export interface Coverage {
  readonly pack: string;
  /** The newest version, or undefined where no file stands yet. */
  readonly version: string | undefined;
  readonly clauses: number;
  readonly rowsTotal: number;
  readonly rowsCovered: number;
  readonly notTested: readonly string[];
  readonly later: readonly string[];
  /** Readings that were chosen, `id: choice`. */
  readonly interpretations: readonly string[];
  /** Figures that the law leaves to somebody, and who keeps them. */
  readonly missingFigures: readonly string[];
}

interface Claim {
  readonly row: string;
  readonly path: Path;
  readonly tested: boolean;
}

/** Every place of a pack that says which rows of the law it stands for. */
function claimsOf(raw: RawPack): readonly Claim[] {
  const claims: Claim[] = [];
  const add = (path: Path, rows: readonly string[] | undefined, tested = true): void => {
    (rows ?? []).forEach((row, index) => claims.push({ row, path: [...path, 'rows', index], tested }));
  };
  raw.clauses.forEach(({ rows }, index) => add(['clauses', index], rows));
  for (const section of ['acts', 'permits', 'manifests', 'limits', 'readings'] as const) {
    const entries: readonly [string, { readonly rows?: readonly string[] }][] = Object.entries(
      raw[section] ?? {},
    );
    for (const [name, { rows }] of entries) add([section, name], rows);
  }
  for (const section of ['penalties', 'appeals', 'defines'] as const) {
    (raw[section] ?? []).forEach(({ rows }, index) => add([section, index], rows));
  }
  (raw.not_tested ?? []).forEach(({ rows }, index) => add(['not_tested', index], rows, false));
  return claims;
}

/** A reading alone tests nothing: it says how a row is read, not that the row is kept. */
const keeps = ({ path }: Claim): boolean => path[0] !== 'readings';

/** Checks the rows that a version claims against the acceptance list. */
export function checkClaims({ file, pack }: PackFile, raw: RawPack, rows: ReadonlyMap<string, LawRow>): void {
  const tested = new Set(
    claimsOf(raw)
      .filter((claim) => claim.tested && keeps(claim))
      .map(({ row }) => row),
  );
  for (const { row, path, tested: isTested } of claimsOf(raw)) {
    const report = (message: string) => {
      const where = placeName(raw, path);
      file.problem(path, message, where === undefined ? {} : { where });
    };
    const known = rows.get(row);
    if (!known) {
      const near = nearest(row, rows.keys());
      report(`rows.yaml has no row '${row}'${near ? `: did you mean '${near}'?` : ''}`);
    } else if (known.pack !== pack) {
      report(`the row '${row}' belongs to '${known.pack}'`);
    } else if (known.later) {
      report(`the row '${row}' is marked later in rows.yaml: take that mark out, its turn has come`);
    } else if (!isTested && tested.has(row)) {
      report(`the row '${row}' is claimed elsewhere in this pack: take it out of not_tested`);
    }
  }
}

/** Rows of a pack that nothing claims, lists as not tested or puts off: something of the law was forgotten. */
export function checkGaps(
  rowsFile: YamlFile,
  rows: ReadonlyMap<string, LawRow>,
  newest: ReadonlyMap<string, RawPack>,
  broken: ReadonlySet<string>,
): void {
  const claimed = new Map([...newest].map(([pack, raw]) => [pack, claimedRows(raw)]));
  for (const { id, pack, later, index } of rows.values()) {
    if (later || broken.has(pack) || claimed.get(pack)?.has(id)) continue;
    const what = newest.has(pack) ? `nothing in '${pack}' claims it` : `'${pack}' has no file yet`;
    rowsFile.problem(
      [index, 'id'],
      `the row '${id}' is forgotten: ${what}. Claim it, list it under not_tested, or mark it later`,
    );
  }
}

const claimedRows = (raw: RawPack): ReadonlySet<string> =>
  new Set(
    claimsOf(raw)
      .filter(keeps)
      .map(({ row }) => row),
  );

export function coverageOf(
  pack: string,
  model: PackModel | undefined,
  rows: ReadonlyMap<string, LawRow>,
): Coverage {
  const own = [...rows.values()].filter((row) => row.pack === pack);
  const claims = model ? claimsOf(model.raw).filter(keeps) : [];
  const tested = new Set(claims.filter((claim) => claim.tested).map(({ row }) => row));
  const notTested = new Set(claims.filter((claim) => !claim.tested).map(({ row }) => row));
  return {
    pack,
    version: model?.raw.version,
    clauses: model?.raw.clauses.length ?? 0,
    rowsTotal: own.length,
    rowsCovered: own.filter(({ id }) => tested.has(id)).length,
    notTested: [...notTested],
    later: own.filter(({ later }) => later).map(({ id }) => id),
    interpretations: model ? readingsOf(model.raw) : [],
    missingFigures: model ? [...missingFigures(model.raw, []), ...model.missingItems] : [],
  };
}

function readingsOf(raw: RawPack): readonly string[] {
  const inClauses = raw.clauses.flatMap(({ interpretation }) =>
    interpretation ? [`${interpretation.id}: ${interpretation.choice}`] : [],
  );
  const listed = Object.entries(raw.readings ?? {}).map(([id, { chosen }]) => `${id}: ${chosen}`);
  return [...new Set([...listed, ...inClauses])];
}

function missingFigures(value: unknown, path: Path): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { missing, kept_by: keptBy } = value as Record<string, unknown>;
  if (typeof missing === 'string' && typeof keptBy === 'string') return [`${missing} (kept by ${keptBy})`];
  return Object.entries(value).flatMap(([key, inner]) => missingFigures(inner, [...path, key]));
}

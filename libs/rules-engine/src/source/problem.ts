/** One thing that is wrong in a rules directory: where, in what, and what to do about it. */
export interface Problem {
  /** Path from the directory above the rules, for example rules/some-pack/1.yaml. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly col: number;
  /** What stands there, for example `clause 4.2`. */
  readonly where?: string;
  readonly message: string;
}

export function formatProblem(problem: Problem): string {
  const where = problem.where ? `  ${problem.where}` : '';
  return `${problem.path}:${problem.line}:${problem.col}${where}\n    ${problem.message}`;
}

/** Nothing of a rules directory is used while anything in it is wrong: this lists all of it at once. */
export class RuleErrors extends Error {
  override readonly name = 'RuleErrors';

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'one error' : `${problems.length} errors`;
    super(`The rules can't be used: ${count}.\n${problems.map(formatProblem).join('\n')}`);
  }
}

/** File, line and column order, without doubles: one mistake seen by two checks is one mistake. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  const unique = problems.filter((problem) => {
    const key = formatProblem(problem);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return unique.sort((a, b) => {
    if (a.path !== b.path) return a.path < b.path ? -1 : 1;
    return a.line - b.line || a.col - b.col;
  });
}

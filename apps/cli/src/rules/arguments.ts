/** `[--json] [dir]`, in any order. The directory is `rules` where none is named. */
export function rulesArguments(args: readonly string[]): {
  readonly dir: string;
  readonly json: boolean;
  readonly rest: readonly string[];
} {
  const rest = args.filter((arg) => arg !== '--json');
  return { dir: rest[0] ?? process.env['RULES_DIR'] ?? 'rules', json: args.includes('--json'), rest };
}

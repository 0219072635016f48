import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** What the tools read beside the sources: the planted tree is checked by the very files that check the real one. */
const TOOLING = [
  'package.json',
  'tsconfig.json',
  '.oxlintrc.json',
  '.dependency-cruiser.cjs',
  'test/arch/oxlint-plugin.mjs',
];

/** A tree of files outside the checkout, with the repository's own tooling in it. The caller removes it. */
export function plantTree(files: Readonly<Record<string, string>>): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'headworks-planted-'));
  for (const file of TOOLING) cpSync(join(ROOT, file), join(root, file), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'dir');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Runs a tool of node_modules/.bin and gives what it printed; that it found faults (exit 1) is no error here. */
export function runTool(tool: string, args: readonly string[], cwd: string): Promise<string> {
  const bin = join(ROOT, 'node_modules/.bin', tool);
  return new Promise((done, fail) => {
    execFile(bin, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout.trim() === '') fail(error ?? new Error(`${tool} printed nothing. ${stderr}`));
      else done(stdout);
    });
  });
}

import { isMet, type Row } from './measure';

const figure = (value: number): string =>
  value >= 1000
    ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
    : String(Number(value.toPrecision(3)));

/** The rows for people: what was measured, the ceiling beside it, and whether the target is met. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.name,
    `${figure(row.value)} ${row.unit}`,
    figure(row.ceiling),
    figure(row.ratio),
    row.target === 0 ? '-' : figure(row.target),
    row.target === 0 ? '' : isMet(row) ? 'met' : 'NOT MET',
  ]);
  const table = [['', 'measured', 'ceiling', 'ratio', 'target', ''], ...lines];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  const text = table.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : column < 5 ? cell.padStart(widths[column] ?? 0) : cell,
      )
      .join('  ')
      .trimEnd(),
  );
  const missed = rows.filter((row) => !isMet(row)).length;
  const summary =
    missed === 0 ? 'All targets are met.' : `${missed} of ${rows.length} rows miss their target.`;
  return `${text.join('\n')}\n\n${summary}\n`;
}

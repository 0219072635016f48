import type { PackModel } from '../resolve/pack';
import type { RawColumns, RawScalar, RawBand, RawTable } from '../source/raw';
import { bodyName, labelOf } from './words';

/** The tables of a pack as the law prints them: a line a row, a column a column. */
export function tableLines(model: PackModel): readonly string[] {
  return Object.values(model.raw.tables ?? {}).flatMap((table) => [
    '',
    `## ${table.label} (${table.cite})`,
    '',
    ...sheet(model, table),
    ...(table.missing
      ? ['', `Missing: ${table.missing.missing}, kept by ${bodyName(model, table.missing.kept_by)}.`]
      : []),
  ]);
}

function sheet(model: PackModel, table: RawTable): readonly string[] {
  const columns = columnsOf(table);
  const heads = columns.reduce<readonly string[]>(
    (before, { of }) =>
      before.flatMap((one) => of.map((word) => (one ? `${one}; ${shown(word)}` : shown(word)))),
    [''],
  );
  const by = columns.map((column) => labelOf(model, column.by)).join(' and ');
  const corner = by ? `by ${by}` : '';
  return [
    line([corner, ...(heads[0] === '' ? ['figure'] : heads)]),
    line(['', ...heads].map(() => '---')),
    ...Object.entries(table.rows).map(([name, cells]) =>
      line([words(name), ...[cells].flat(2).map((cell) => cellText(cell, table.unit))]),
    ),
  ];
}

const columnsOf = ({ columns }: RawTable): readonly RawColumns[] =>
  columns === undefined
    ? []
    : Array.isArray(columns)
      ? (columns as readonly RawColumns[])
      : [columns as RawColumns];

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const words = (name: string): string => name.replaceAll('_', ' ');

function shown(word: RawScalar | RawBand): string {
  if (typeof word !== 'object') return words(String(word));
  return Object.entries(word)
    .map(([key, figure]) => `${words(key)} ${String(figure)}`)
    .join(', ');
}

function cellText(cell: unknown, unit: string | undefined): string {
  const text = String(cell);
  if (text === 'missing') return 'missing';
  if (text === 'not_allowed') return 'not allowed';
  return unit !== undefined && /^[\d.]+$/.test(text) ? `${text} ${unit}` : text;
}

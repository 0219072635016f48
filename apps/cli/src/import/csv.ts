import { CsvError, parse } from 'csv-parse/sync';
import type { Row, RowFault, Rows } from './row';

interface Told {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

/** A CSV file with a line of headings (RFC 4180; spreadsheets put a mark before it, and end lines as they like). */
export function readCsv(text: string, delimiter: string): Rows {
  try {
    return rowsOf(
      parse(text, {
        ...{ delimiter, bom: true, info: true, trim: true },
        ...{ relax_column_count: true, skip_empty_lines: true, skip_records_with_empty_values: true },
      }) as unknown as readonly Told[],
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as { readonly lines?: unknown }).lines;
    const place = typeof line === 'number' ? `line ${line}` : 'the file';
    return { columns: [], rows: [], faults: [{ place, why: `it is no CSV: ${error.message}` }] };
  }
}

function rowsOf([head, ...told]: readonly Told[]): Rows {
  const columns = head?.record ?? [];
  const faults: RowFault[] = columns
    .filter((name, index) => columns.indexOf(name) !== index)
    .map((name) => ({ place: 'line 1', why: `two columns are called '${name}'; name them apart` }));
  if (!head) faults.push({ place: 'the file', why: 'it is empty; its first line names the columns' });
  const rows: Row[] = [];
  for (const { info, record } of told) {
    const place = `line ${info.lines}`;
    if (record.length === columns.length) {
      rows.push({ place, cells: new Map(record.map((cell, index) => [columns[index] ?? '', cell])) });
    } else {
      const why = `it has ${record.length} cells and the first line ${columns.length}; put a cell that holds a delimiter in quotes`;
      faults.push({ place, why });
    }
  }
  return { columns, rows, faults };
}

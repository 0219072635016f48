// The files of the demo, in the shapes that the trade has them, and the scenes that their days become.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readMapping, runImport } from './sandbox.mjs';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/demo');
export const fixture = (name) => join(FIXTURES, name);
const text = (name) => readFileSync(fixture(name), 'utf8');

const [LOG, ASKED, BROUGHT] = ['haulers-log', 'tickets-asked', 'tickets-brought'].map((name) =>
  readMapping(text(`${name}.mapping.yaml`)),
);

/** The cells of a CSV of the demo, for its calendar alone: what is recorded of it goes through the import. */
function rowsOf(name) {
  const [head, ...lines] = text(name).trim().split('\n');
  const columns = head.split(',');
  const cells = (line) => line.match(/("[^"]*"|[^,]*)(?:,|$)/g).map((cell) => cell.replace(/,$/, ''));
  return lines.map((line) =>
    Object.fromEntries(columns.map((column, index) => [column, cells(line)[index]])),
  );
}

/** `6/15/2027` or `6/16/2027 7:15 AM` as `2027-06-15` and `2027-06-16 07:15`. */
export function wall(written) {
  const [, month, day, year, hour, minute, half] = /(\d+)\/(\d+)\/(\d+)(?: (\d+):(\d+) ([AP])M)?/.exec(
    written,
  );
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (hour === undefined) return date;
  return `${date} ${String((Number(hour) % 12) + (half === 'P' ? 12 : 0)).padStart(2, '0')}:${minute}`;
}

const days = (rows) => [...new Set(rows.map((row) => wall(row.Date)))];

/** Every day of the logs and tickets as scenes: tickets are asked at 7:15, and entered when the day is over. */
export function scenesOfFiles() {
  const logs = ['haulers-log-2027.csv', 'haulers-log-2028.csv'].flatMap((name) => {
    const rows = rowsOf(name);
    const entered = days(rows).map((day) => ({
      at: `${day} 18:30`,
      run: (demo) => demo.load(name, LOG, day),
    }));
    const workedIn = rows
      .filter((row) => row.Reported)
      .map((row) => ({
        at: wall(row.Reported),
        run: (demo) => demo.workedIn(row['Tax key'], wall(row['Worked in'])),
      }));
    return [...entered, ...workedIn];
  });
  const tickets = rowsOf('dump-tickets.csv');
  const asked = days(tickets.filter((row) => row.Planned)).map((day) => ({
    at: `${day} 07:15`,
    run: (demo) => demo.ask('dump-tickets.csv', ASKED, day),
  }));
  const brought = days(tickets.filter((row) => row.Began)).map((day) => ({
    at: `${day} 23:00`,
    run: (demo) => demo.load('dump-tickets.csv', BROUGHT, day),
  }));
  return [...logs, ...asked, ...brought];
}

export function importDay(server, name, mapping, day) {
  return runImport({ file: name, text: text(name), mapping, server, from: day, until: day });
}

/** Files once more, by the command line: all of them stand, and nothing is recorded twice. */
export async function importAgain(sandbox) {
  const said = [];
  for (const [file, mapping] of [
    ['haulers-log-2027.csv', 'haulers-log'],
    ['dump-tickets.csv', 'tickets-asked'],
  ]) {
    const mapped = ['--mapping', fixture(`${mapping}.mapping.yaml`)];
    const told = await sandbox.cli('import', 'loads', fixture(file), ...mapped);
    if (!told.includes(': 0 recorded,')) throw new Error(`${file} was recorded twice: ${told}`);
    said.push(`${file}: ${told}`);
  }
  return said.join('\n  ');
}

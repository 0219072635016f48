import fc from 'fast-check';
import { COLUMNS, csvOf } from './csv';
import { shown, told } from './told.testing';

/** Reads a table as RFC 4180 has it, and refuses what is none. */
function read(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const quoted = /^"((?:[^"]|"")*)"(,|\r\n)/.exec(rest);
    const [all = '', value = '', end] = quoted ?? /^([^",\r\n]*)(,|\r\n)/.exec(rest) ?? [];
    if (all === '') throw new Error(`no CSV: ${JSON.stringify(rest.slice(0, 40))}`);
    row.push(quoted ? value.replaceAll('""', '"') : value);
    at += all.length;
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The cells of one event, by column. */
function cellsOf(event: Parameters<typeof shown>[0]): Readonly<Record<string, string>> {
  const [names = [], cells = []] = read(csvOf(told([shown(event)])));
  expect(cells).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}

it('has its columns first, and a row an event, with both instants', () => {
  expect(csvOf(told([]))).toBe(`${COLUMNS.join(',')}\r\n`);
  expect(
    cellsOf({
      by: { body: 'moot', person: 'ada', evidence: 'minutes 4' },
      late: { reason: 'typed, later', evidence: 'minutes 4' },
      cause: 'permit-1@3',
      changedBy: [
        { event: 'permit-1@9', type: 'RecordedInError' },
        { event: 'permit-1@10', type: 'RecordedInError' },
      ],
      data: {
        reason: 'in "order"',
        sets: { depth: { value: '300', unit: 'ft' } },
        findings: [
          { clause: 'A', cite: 'par. 1', status: 'satisfied', says: 'One.', text: '1 ft' },
          { clause: 'B', cite: 'par. 2', status: 'not_applicable', says: 'Two.' },
        ],
      },
    }),
  ).toEqual({
    event: 'permit-1@0',
    type: 'ApplicationApproved',
    name: 'Application approved',
    occurred: '2027-07-03T20:00:00.000Z',
    occurred_local: '2027-07-03 15:00:00 -05:00',
    recorded: '2027-07-04T13:00:05.000Z',
    actor: 'key-1',
    roles: 'clerk board',
    body: 'moot',
    person: 'ada',
    evidence: 'minutes 4',
    late_reason: 'typed, later',
    late_evidence: 'minutes 4',
    pack: 'some-law',
    pack_version: '2',
    reason: 'in "order"',
    cause: 'permit-1@3',
    changed_by: 'permit-1@9 permit-1@10',
    findings: 'A, par. 1: satisfied. One. (1 ft)\nB, par. 2: not applicable. Two.',
    data: '{"reason":"in \\"order\\"","sets":{"depth":{"value":"300","unit":"ft"}}}',
  });
});

it.each([
  ['=1+1'],
  ['+1'],
  ['-2+3'],
  ['@SUM(A1)'],
  ['\t=1'],
  ['\r=1'],
  ['\n=1'],
  ['  =HYPERLINK("http://evil.example","x")'],
  ["=cmd|' /C calc'!A0"],
])('%j is no formula, and can be read back', (reason) => {
  const text = csvOf(told([shown({ data: { reason } })]));
  expect(text).toContain(`"'${reason.replaceAll('"', '""')}"`);
  expect(cellsOf({ data: { reason } })).toMatchObject({ reason: `'${reason}` });
});

it.each([['612 ft'], ['a=b'], ['1-2'], ['']])('%j stays as it is', (reason) => {
  expect(cellsOf({ data: { reason } })).toMatchObject({ reason });
});

it('whatever was written, the table is one, and no cell begins as a formula does', () => {
  const text = fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '"', ',', '\r', '\n', '\t', ' ', 'a', '\u00e9'),
  });
  fc.assert(
    fc.property(text, text, (reason, evidence) => {
      const cells = cellsOf({ data: { reason }, late: { reason, evidence } });
      for (const cell of Object.values(cells)) expect(cell).not.toMatch(/^\s*[=+\-@]/);
      expect([reason, `'${reason}`]).toContain(cells['late_reason']);
    }),
    { numRuns: 500 },
  );
});

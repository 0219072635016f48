import { paperOf } from './paper';
import { shown, told } from './told.testing';

const finding = (clause: string, status: string, text: string) => ({
  ...{ clause, cite: 'par. 3', status, says: 'No pit is deeper than 600 ft.', text },
});

it('is a paper that can be filed: whose it is, then an entry an event, findings as sentences with citation', () => {
  const approved = shown({
    by: { body: 'moot', person: 'ada', evidence: 'minutes 4' },
    late: { reason: 'typed up later', evidence: 'minutes 4' },
    cause: 'permit-1@3',
    changedBy: [{ event: 'permit-1@9', type: 'RecordedInError' }],
    data: {
      reason: 'in order',
      sets: { depth: { value: '300', unit: 'ft' }, width: null },
      waived: [{ clause: 'season', power: 'hardship', reason: 'flood' }],
      findings: [finding('depth', 'satisfied', '300 ft, at most 600 ft: 300 ft to spare')],
    },
  });
  const paper = paperOf(
    told([approved, shown({ type: 'some-law.PitSeen', data: { act: 'look', pack: 'some-law' } })]),
  );
  expect(paper).toBe(`# Leave to dig, no. 7

- Holder: digger D-1
- Entries: as it happened; times are of America/Chicago

## 1. Application approved, 2027-07-03 15:00

- Happened: 2027-07-03 15:00:00 -05:00
- Recorded: 2027-07-04 08:00:05 -05:00 by key-1 (clerk, board)
- Done by: Village moot, person ada, evidence: minutes 4
- Recorded late: typed up later; evidence: minutes 4
- Law: some-law, version 2
- Reason: in order
- Waived: clause season, power hardship, reason flood
- Depth of the pit: 300 ft
- width: none
- Because of: permit-1@3
- Changed later by: permit-1@9 (RecordedInError)
- Event: permit-1@0

Findings:

- depth, par. 3: satisfied. No pit is deeper than 600 ft. (300 ft, at most 600 ft: 300 ft to spare)

## 2. Look into the pit, 2027-07-03 15:00

- Happened: 2027-07-03 15:00:00 -05:00
- Recorded: 2027-07-04 08:00:05 -05:00 by key-1 (clerk, board)
- Law: some-law, version 2
- Event: permit-1@0
`);
});

it('says what it is of, whether time is virtual, and that more follows', () => {
  const paper = paperOf(
    told([], {
      isSandbox: true,
      asked: [['As of', '2027-07-03T15:00:00-05:00']],
      history: { stream: 's', order: 'recorded', events: [], next: 41 },
    }),
  );
  expect(paper).toContain('**SANDBOX: the time of this log is virtual.**');
  expect(paper).toContain(
    '- Entries: as it was recorded; times are of America/Chicago\n- As of: 2027-07-03T15:00:00-05:00',
  );
  expect(paper).toContain('There is no entry.');
  expect(paper).toContain('Further entries follow; ask for those after 41.');
});

it('leaves out what says nothing, and facts that only stand there to be judged by', () => {
  const reserved = shown({
    type: 'CapacityReserved',
    data: { facts: { depth: '1 ft' }, grounds: [], limits: ['year'] },
  });
  const lines = paperOf(told([reserved])).split('\n');
  expect(lines.filter((line) => /Depth|Grounds/.test(line))).toEqual([]);
  expect(lines).toContain('- Limits: year');
});

it('shows what is sealed as being so, and a day as a day', () => {
  const event = shown({
    occurred: { date: '2027-07-03' as never, zone: 'America/Chicago' },
    data: { note: 'n', facts: { owner: { sealed: true }, list: [], holds: [true, false] } },
  });
  const paper = paperOf(told([event]));
  expect(paper).toContain('## 1. Application approved, 2027-07-03\n');
  expect(paper).toContain('- owner: sealed\n- list: none\n- holds: yes, no');
});

it.each([
  ['a heading', '\n# Revoked', '\\# Revoked'],
  ['another entry', 'x\r\n\r\n## 9. Approved', 'x ## 9. Approved'],
  ['a link', '[click](http://evil.example)', '\\[click\\](http://evil.example)'],
  ['an image', '![x](http://evil.example)', '!\\[x\\](http://evil.example)'],
  ['a script', '<script>alert(1)</script>', '\\<script\\>alert(1)\\</script\\>'],
  ['an entity', '&lt;b&gt;', '\\&lt;b\\&gt;'],
  ['emphasis', '**void** _so_ `code` ~no~', '\\*\\*void\\*\\* \\_so\\_ \\`code\\` \\~no\\~'],
  ['the name of a fact', 'depth_of_pit', 'depth_of_pit'],
  ['an instant', 'by 2027-07-03T20:00:00.000Z', 'by 2027-07-03 15:00:00 -05:00'],
  ['a table', 'a | b', 'a \\| b'],
  ['its own escape', 'a \\* b', 'a \\\\\\* b'],
  ['a line that is not seen', 'x\u2028# y', 'x # y'],
])('what a caller wrote forms nothing: %s', (_, reason, expected) => {
  const lines = paperOf(told([shown({ data: { reason } })])).split('\n');
  expect(lines).toContain(`- Reason: ${expected}`);
  expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(2);
});

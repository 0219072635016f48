import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '../servers/fresh-database';
import { runTs } from '../servers/run-ts';

const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'] as const;

async function told(zone: string, databaseUrl: string | undefined): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-zones-'));
  const env = {
    DATA_DIR: dir,
    RULES_DIR: join(__dirname, '../fixtures/duties'),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  const child = runTs(join(__dirname, 'clock-changes.testing.ts'), [JSON.stringify(env)]);
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  expect([await child.ended, child.errors()]).toEqual([0, '']);
  rmSync(dir, { recursive: true, force: true });
  return lines.join('\n');
}

it('both changes of the clocks, twice 01:30, no 02:30, a leap day: in any zone of machine and database the same to the byte', async () => {
  const answers: string[] = [];
  for (const [n, zone] of ZONES.entries()) {
    const database = await freshDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET timezone = '${ZONES[(n + 1) % ZONES.length] ?? zone}'`);
    answers.push(await told(zone, n === 0 ? undefined : database.url));
    await database.drop();
  }
  expect(new Set(answers).size).toBe(1);
  const { missed } = JSON.parse(answers[0] ?? '') as {
    missed: { data: { clause: string; due: { date: string; at: string } }; occurred: { at: string } }[];
  };
  const of = (clause: string) => missed.filter(({ data }) => data.clause === clause);
  expect(of('repair').map(({ occurred }) => new Date(occurred.at).toISOString())).toEqual([
    '2027-03-14T07:59:59.999Z',
    '2027-03-14T08:00:00.000Z',
    '2027-03-14T08:30:00.000Z',
    '2027-11-07T06:30:00.000Z',
    '2027-11-07T07:30:00.000Z',
    '2028-02-29T18:00:00.000Z',
    '2028-03-12T07:30:00.000Z',
    '2028-03-12T08:30:00.000Z',
    '2028-11-05T06:30:00.000Z',
    '2028-11-05T07:30:00.000Z',
  ]);
  expect(of('look').map(({ data }) => [data.due.date, new Date(data.due.at).toISOString()])).toEqual([
    ['2027-03-15', '2027-03-16T05:00:00.000Z'],
    ['2027-11-08', '2027-11-09T06:00:00.000Z'],
    ['2028-02-29', '2028-03-01T06:00:00.000Z'],
    ['2028-03-01', '2028-03-02T06:00:00.000Z'],
    ['2028-03-15', '2028-03-16T05:00:00.000Z'],
    ['2028-11-07', '2028-11-08T06:00:00.000Z'],
  ]);
});

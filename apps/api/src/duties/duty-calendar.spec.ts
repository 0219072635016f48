import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openMemoryKeyStore } from '@headworks/event-store';
import { readLink, signLink, type Linked } from './signed-links';

const ROOT = join(__dirname, '../../../..');

interface Parsed {
  readonly events: readonly string[];
  readonly text: string;
}

function parsedIn(zone: string): Parsed {
  const args = [
    '-r',
    join(ROOT, 'test/servers/register-ts.cjs'),
    join(__dirname, 'duty-calendar.testing.ts'),
  ];
  const env = { ...process.env, NODE_OPTIONS: '', TZ: zone };
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Parsed;
}

it('is the same days to a real parser, and the same bytes, in three zones', () => {
  const [first, ...others] = ['America/Chicago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(parsedIn);
  const says = 'decide; or tell, "why not" (moot)';
  expect(first?.events).toEqual([
    `spring@headworks 2027-03-14 0 CONFIRMED ${says}`,
    `autumn@headworks 2027-11-07 0 CONFIRMED ${says}`,
    `leap@headworks 2028-02-29 0 CONFIRMED ${says}`,
    `year@headworks 2027-12-31 3 CONFIRMED ${says}`,
    `hours@headworks 2027-07-10 0 CONFIRMED ${says}`,
    `met@headworks 2027-07-16 0 CANCELLED ${says}`,
    `met_late@headworks 2027-07-16 0 CANCELLED ${says}`,
    `waived@headworks 2027-07-16 0 CANCELLED ${says}`,
    `void@headworks 2027-07-16 0 CANCELLED ${says}`,
    `missed@headworks 2027-07-16 0 CONFIRMED ${says}`,
    `contestable@headworks 2027-07-16 0 CONFIRMED ${says}`,
  ]);
  expect(first?.text).not.toContain('KEY-OF');
  for (const other of others) expect(other).toMatchObject({ events: first?.events, text: first?.text });
});

it('a link is what this server signed, and nothing else', async () => {
  const keys = openMemoryKeyStore();
  const caller = {
    id: 'k1',
    roles: ['holder'],
    jurisdictions: ['xx'],
    holds: [{ kind: 'miller', key: 'M1' }],
  };
  const linked: Linked = { caller, jurisdiction: 'xx', who: 'moot', stream: 'permit-p', expiresMs: 5 };
  const link = await signLink(keys, linked);
  expect(await readLink(keys, link)).toEqual(linked);
  expect(await readLink(openMemoryKeyStore(), link)).toBeUndefined();
  const [text = '', signature = ''] = link.split('.');
  expect(Buffer.from(text, 'base64url').toString('latin1')).not.toMatch(/holder|miller|M1/);
  const other = Buffer.from(JSON.stringify({ v: 1, c: { ...caller, roles: ['admin'] }, j: 'xx', e: 5 }));
  for (const forged of [`${other.toString('base64url')}.${signature}`, `${text}.`, text, '', `${link}x.y`])
    expect([forged, await readLink(keys, forged.slice(0, -1))]).toEqual([forged, undefined]);
});

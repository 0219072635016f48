import { isoInstant } from '@headworks/kernel';
import { ALLOWED_MS, logOf, missedIn, orderRepairs, PACK, startIn } from './weirs.testing';

/**
 * Deadlines around both changes of the clocks of 2027 and 2028 and around a leap day, printed as they were recorded. In a
 * process of its own: the machine's zone is fixed when it starts. See clock-changes.spec.ts.
 */
const INSTANTS = [
  // 02:30 does not exist that night; an hour by the clock is none by the law.
  ...['2027-03-14T01:59:59.999-06:00', '2027-03-14T03:00:00-05:00', '2027-03-14T03:30:00-05:00'],
  // 01:30 twice, an hour apart.
  ...['2027-11-07T01:30:00-05:00', '2027-11-07T01:30:00-06:00'],
  '2028-02-29T12:00:00-06:00',
  ...['2028-03-12T01:30:00-06:00', '2028-03-12T03:30:00-05:00'],
  ...['2028-11-05T01:30:00-05:00', '2028-11-05T01:30:00-06:00'],
];
/** Days from which a weir leaks: looked at within 14 days, by the village's calendar. */
const LEAKS = ['2027-03-01', '2027-10-25', '2028-02-15', '2028-02-16', '2028-03-01', '2028-10-24'];

async function main(env: Readonly<Record<string, string>>): Promise<void> {
  const dues = INSTANTS.map((instant) => Date.parse(instant));
  let now = Math.min(...dues) - ALLOWED_MS;
  // Nothing wakes of itself: when what is recorded may not hang on the speed of the machine.
  const { program } = await startIn(
    { env, remove: async () => undefined },
    { HEADWORKS_ROLE: 'api' },
    () => now,
  );
  for (const [n, due] of dues.entries()) {
    now = Math.max(now, due - ALLOWED_MS);
    await orderRepairs(program, [due], `W${n}`);
  }
  for (const [n, from] of LEAKS.entries()) {
    now = Math.max(now, Date.parse(`${from}T18:00:00Z`));
    const request = {
      caller: { id: 'the-warden', roles: ['officer'], jurisdictions: '*' as const },
      receivedMs: now,
      correlationId: 'faults',
      dryRun: false,
      deadline: Number.POSITIVE_INFINITY,
    };
    await program.headworks.registerSubject(request, 'weir', {
      jurisdiction: 'xx-fernhollow',
      key: `L-${n}`,
      facts: { leaks_since: from },
    });
  }
  now = Date.parse('2028-12-24T00:00:00Z');
  await program.caughtUp();
  await program.settleDue();
  const missed = missedIn(await logOf(program)).map(({ stream, data, metadata }) => ({
    ...{ stream, pack: PACK, occurred: metadata.occurred, recordedAt: metadata.recordedAt, data },
  }));
  process.stdout.write(`${JSON.stringify({ now: isoInstant(now), missed })}\n`);
  await program.close();
}

void main(JSON.parse(process.argv[2] ?? '{}') as Record<string, string>).then(() => process.exit(0));

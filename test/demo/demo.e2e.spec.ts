import { execFile } from 'node:child_process';
import { join } from 'node:path';

const RUN = join(__dirname, 'run.mjs');

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const run = (...args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    // In a zone far from Wisconsin: the demo tells the same story everywhere.
    const env = { ...process.env, TZ: 'Pacific/Auckland' };
    execFile(process.execPath, [RUN, ...args], { env }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });

/**
 * The figures by hand, from test/fixtures/demo and test/demo/story.mjs.
 * Applications: two in 2026, three in 2027 (the third out of time, denied), two in 2028; so 6 permits.
 * Loads: 9 and 4 lines of the two logs; tickets with a beginning, 12 and 6 in 2027, 6 and 4 in 2028: 13 + 28.
 * Refusals: tickets on the holiday, at 15:45, over the plan (12 times 2,500 gallons fill its 30,000), and after the
 * revocation; and the permit of the day with 2.4 inches of frost.
 * Violations: the second use of a parcel, the well at 588 ft, a discharge that ended at 15:50, three of the one at night
 * (begun, ended, unasked): a day each. Sludge worked in on August 14 that was due on the 11th: 11, 12 and 13, three days.
 * Withdrawn and not counted: one worked in in time and told late, and the rate of a misread meter.
 * Missed: that sludge, and the decision that was due on Monday, October 2, 2028.
 */
const BY_HAND = {
  applications: 7,
  permits: 6,
  loads: 41,
  refusals: 5,
  violations: 7,
  violationDays: 9,
  dutiesMissed: 2,
};

it('the demo tells two years, and its figures are those of the files', async () => {
  const { code, out, err } = await run('--json');
  expect([code, err]).toEqual([0, '']);
  const { events, seconds, ...figures } = JSON.parse(out) as Readonly<Record<string, number>>;
  expect(figures).toEqual(BY_HAND);
  expect(events).toBeGreaterThan(500);
  // How many it takes is the machine's: under ten on two idle cores.
  expect(seconds).toBeGreaterThan(0);
});

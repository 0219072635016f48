// The story of two years, as scenes: each has the wall clock at which it plays. What the files bring is in files.mjs.
const RIVERSIDE = '12345';
const PRAIRIE = '777';
const BLUFF = '901';

const apply = (at, name, license, gallons, extra) => ({
  at,
  run: (demo) => demo.apply(name, license, gallons, extra),
});
const decide = (at, name, gallons, reason) => [
  { at: `${at} 09:00`, run: (demo) => demo.examine(name) },
  { at: `${at} 15:00`, run: (demo) => demo.approve(name, gallons, reason) },
];

export const SCENES = [
  { at: '2026-08-03 08:00', chapter: '2026: who and what there is, and the first applications' },
  { at: '2026-08-03 08:01', run: (demo) => demo.registerLodi() },
  { at: '2026-08-03 08:02', run: (demo) => demo.registerWhitewater() },
  apply('2026-08-14 09:10', 'Riverside 2027', RIVERSIDE, 40000),
  apply('2026-08-20 11:00', 'Prairie 2027', PRAIRIE, 20000),
  ...decide('2026-09-28', 'Riverside 2027', 30000, 'the plant has room for 30,000 gallons'),
  ...decide('2026-09-29', 'Prairie 2027', 20000, 'as asked'),

  { at: '2027-01-01 00:00', chapter: '2027' },
  { at: '2027-06-15 07:00', run: (demo) => demo.askHeadroom('D W 1700001', 4500, '0.5 acre') },
  {
    at: '2027-07-07 12:00',
    run: (demo) => demo.tellOpen('D W 1700002', 'nobody has told that it was worked in'),
  },
  { at: '2027-08-11 12:00', run: (demo) => demo.tellOpen('D W 1800005', 'it is not worked in') },
  apply('2027-08-12 10:00', 'Riverside 2028', RIVERSIDE, 30000),
  { at: '2027-08-13 12:00', run: (demo) => demo.tellOpen('D W 1800005', 'each day counts') },
  apply('2027-08-31 16:00', 'Prairie 2028', PRAIRIE, 20000),
  apply('2027-09-02 09:00', 'Bluff, too late', BLUFF, 15000),
  ...decide('2027-09-21', 'Riverside 2028', 30000, 'as asked'),
  ...decide('2027-09-22', 'Prairie 2028', 20000, 'as asked'),
  {
    at: '2027-09-23 10:00',
    run: (demo) => demo.deny('Bluff, too late', 'filed after September 1, and no ground shown'),
  },
  {
    at: '2027-10-07 09:00',
    run: (demo) => demo.correct('S-2708', 3900, 'the meter was misread: 3,900, not 4,500'),
  },

  { at: '2028-01-01 00:00', chapter: '2028' },
  { at: '2028-01-18 08:00', run: (demo) => demo.dailyPermit('D W 1900021', '1.5 in') },
  { at: '2028-01-25 08:00', run: (demo) => demo.dailyPermit('D W 1900021', '2.4 in') },
  {
    at: '2028-04-19 12:00',
    run: (demo) => demo.revoke('Prairie 2028', ['J', 'G.start'], 'discharged at night, and unasked'),
  },
  { at: '2028-07-03 08:00', run: (demo) => demo.tellDuty('D W 1700002', 'E.wet') },
  apply('2028-08-10 10:00', 'Riverside 2029', RIVERSIDE, 30000),
  apply('2028-08-17 10:00', 'Bluff 2029', BLUFF, 15000),
  // October 1, 2028 is a Sunday: the last day to decide is Monday, October 2.
  ...decide('2028-10-02', 'Riverside 2029', 30000, 'as asked, on the last day'),
  { at: '2028-10-03 08:00', run: (demo) => demo.tellMissed('Bluff 2029') },
  ...decide('2028-10-09', 'Bluff 2029', 15000, 'as asked, a week late'),
  { at: '2028-12-31 23:00', chapter: 'What the two years left' },
  { at: '2028-12-31 23:01', run: (demo) => demo.tellHistory('Prairie 2028') },
];

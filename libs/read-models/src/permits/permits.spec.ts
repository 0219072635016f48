import {
  filed,
  fold,
  HAULER,
  issued,
  ofPermit,
  permitId,
  posted,
  told,
  TOWN,
} from '../testing/events.testing';
import { permitsView } from './evolve';
import { permitItem } from './query';

const stream = `permit-${permitId('1')}`;
const day = (n: number) => `2027-07-0${n}T20:00:00.000Z`;
const only = (...events: Parameters<typeof fold>[1]) => fold(permitsView, events)[0];
const approved = ofPermit('1', 'ApplicationApproved', { reason: 'in order', sets: {}, waived: [] }, day(2));

it('stands in one row from its application on, under the holder’s normalised key', () => {
  expect(only(filed('1', { facts: { volume: '400 gal' } }, day(1)))).toMatchObject({
    id: permitId('1'),
    part: stream,
    jurisdiction: TOWN,
    pack: 'north-law',
    permit_type: 'yearly',
    holder_kind: 'hauler',
    holder_key: 'H-1',
    phase: 'filed',
    phase_since: day(1),
    series: null,
    number: 0,
    filed_at: day(1),
    valid_from: null,
    ends_at: null,
    is_renewal: 0,
    doc: { recordedAt: '2027-09-01T00:00:00.000Z' },
  });
});

it('is what its steps make of it, in legal order, and shows when', () => {
  const steps = [filed('1', {}, day(1)), approved, issued('1', {}, day(3))];
  expect(only(...steps)).toMatchObject({
    phase: 'issued',
    phase_since: day(3),
    valid_from: '2027-01-01',
    valid_until: '2027-12-31',
    ends_at: '2028-01-01T06:00:00.000Z',
  });
  const revoked = ofPermit('1', 'PermitRevoked', { grounds: ['G'], reason: '', ends: [] }, day(5));
  const suspended = ofPermit('1', 'PermitSuspended', { grounds: ['G'], reason: '', ends: [] }, day(4));
  expect(only(...steps, suspended)).toMatchObject({
    phase: 'suspended',
    ends_at: '2028-01-01T06:00:00.000Z',
  });
  // Suspended the day before, and recorded after the revocation: revoked it stays.
  expect(only(...steps, revoked, suspended)).toMatchObject({
    phase: 'revoked',
    phase_since: day(5),
    valid_from: '2027-01-01',
    ends_at: null,
  });
});

it('has a number once the register gave it one, and what follows it', () => {
  const row = only(
    filed('1', { renews: 'another' }),
    ofPermit('1', 'ApplicationApproved', {
      ...{ reason: '', sets: {} },
      waived: [{ clause: 'A', power: 'P', reason: 'x' }],
    }),
    issued('1'),
    ofPermit('1', 'PermitNumbered', { permit: permitId('1'), series: 'north-law/yearly/2027', number: 12 }),
    ofPermit('1', 'PermitRenewed', { by: 'the next' }),
  );
  expect(row).toMatchObject({ series: 'north-law/yearly/2027', number: 12 });
  expect(row).toMatchObject({ is_renewal: 1, is_renewed: 1, has_waiver: 1 });
  expect(row && permitItem(row)).toMatchObject({
    status: 'issued',
    number: 12,
    series: 'north-law/yearly/2027',
    applicant: HAULER,
    renews: 'another',
    renewedBy: 'the next',
    waived: true,
  });
});

it('takes back what was recorded in error or overtaken', () => {
  const denied = ofPermit('1', 'ApplicationDenied', { reason: '', grounds: ['A'], notRenewed: true });
  const annulled = told(stream, 'RecordedInError', { annuls: `${stream}@1`, reason: 'another file' });
  expect(only(filed('1'), denied)).toMatchObject({ phase: 'not_renewed' });
  expect(only(filed('1'), denied, annulled)).toMatchObject({ phase: 'filed' });
  const expired = ofPermit('1', 'PermitExpired', { valid: {}, ends: [] }, '2028-01-01T06:00:00.000Z');
  const reversed = ofPermit('1', 'ConsequenceReversed', { event: `${stream}@3`, why: 'decided_before' });
  const over = [filed('1', {}, day(1)), approved, issued('1'), expired];
  expect(only(...over)).toMatchObject({ phase: 'expired', ends_at: null });
  expect(only(...over, reversed)).toMatchObject({ phase: 'issued', ends_at: '2028-01-01T06:00:00.000Z' });
});

it('is not changed by facts and loads, and keeps nothing of what a list does not show', () => {
  const steps = [
    filed('1', { facts: { owner: 'A. Farmer' }, findings: [{ clause: 'SECRET' }] }),
    approved,
    issued('1', { findings: [{ clause: 'SECRET' }] }),
  ];
  const more = [
    { ...posted('1', 'A'), stream },
    told(stream, 'FactsRecorded', { facts: { owner: 'B. Farmer' } }),
    ofPermit('1', 'ApplicationDenied', { reason: 'because of A. Farmer', grounds: [] }),
  ];
  expect(JSON.stringify(only(...steps, ...more))).not.toMatch(/Farmer|SECRET/);
  expect(only(...steps, ...more.slice(0, 2))).toEqual(only(...steps));
});

it('nobody’s file is opened by what only names it', () => {
  expect(fold(permitsView, [issued('1'), { ...posted('1', 'A'), stream }])).toEqual([]);
});

it('as of an instant, what the law has ended by then has ended, written down or not', () => {
  const row = only(filed('1', {}, day(1)), approved, issued('1', {}, day(3)));
  const at = (instant: string) => row && permitItem(row, Date.parse(instant));
  expect(at('2028-01-01T05:59:59.999Z')).toMatchObject({
    status: 'issued',
    endsAt: '2028-01-01T06:00:00.000Z',
  });
  expect(at('2028-01-01T06:00:00.000Z')).toMatchObject({
    status: 'expired',
    since: '2028-01-01T06:00:00.000Z',
    endsAt: null,
  });
});

import { discharged, field, finding, fold, loadId, streamOf, told, TOWN } from '../testing/events.testing';
import { loadsView } from './evolve';

const stream = `load-${loadId('1')}`;
const only = (...events: Parameters<typeof fold>[1]) => fold(loadsView, events)[0];

const first = discharged('1', 'a 1', {
  vehicle: { kind: 'vehicle', key: 'lp 7' },
  finishedAt: '2027-07-03T20:30:00.000Z',
  facts: { form: 'wet' },
  findings: [finding('A', 'satisfied'), finding('B', 'unknown', 'fact_missing')],
  late: { reason: 'office closed' },
});
const corrected = (set: object, more: object = {}) =>
  told(stream, 'LoadCorrected', { reason: 'misread', set: { ...set }, ...more });
const judged = (...findings: readonly ReturnType<typeof finding>[]) =>
  told(stream, 'LoadJudged', { findings, cause: 'x@1' });

it('stands in one row with what it was found to be', () => {
  expect(only(first)).toMatchObject({
    id: loadId('1'),
    part: stream,
    jurisdiction: TOWN,
    pack: 'north-law',
    load_type: 'spread',
    subject_kind: 'field',
    subject_key: 'A 1',
    subject_id: streamOf('a 1').slice('subject-'.length),
    hauler_key: 'H-1',
    vehicle_key: 'LP 7',
    ticket: 'T-1',
    occurred_at: '2027-07-03T20:00:00.000Z',
    recorded_at: '2027-09-01T00:00:00.000Z',
    voided: 0,
    has_unknown: 1,
    has_violated: 0,
    doc: {
      subject: field('a 1'),
      finishedAt: '2027-07-03T20:30:00.000Z',
      late: { reason: 'office closed' },
      findings: [
        { clause: 'A', status: 'satisfied' },
        { clause: 'B', status: 'unknown', reason: 'fact_missing' },
      ],
      corrections: 0,
      contentEvent: `${stream}@0`,
    },
  });
});

it('shows every correction in its content, and keeps the findings until it is judged again', () => {
  const row = only(
    first,
    corrected({ quantity: { value: '2400', unit: 'gal' }, facts: { depth: '1 in' } }),
    corrected({ subject: field('B'), occurredAt: '2028-01-01T06:00:00.000Z' }),
  );
  expect(row).toMatchObject({
    subject_id: streamOf('B').slice('subject-'.length),
    occurred_at: '2028-01-01T06:00:00.000Z',
    recorded_at: '2027-09-01T00:00:00.000Z',
    has_unknown: 1,
    doc: {
      quantity: { value: '2400', unit: 'gal' },
      facts: { form: 'wet', depth: '1 in' },
      finishedAt: '2027-07-03T20:30:00.000Z',
      late: { reason: 'office closed' },
      corrections: 2,
      contentEvent: `${stream}@2`,
    },
  });
});

describe('its flags', () => {
  const flags = (...events: Parameters<typeof fold>[1]) => {
    const row = only(...events);
    return [row?.has_unknown, row?.has_violated];
  };

  it('follow the last judgement', () => {
    expect(flags(first, judged(finding('A', 'violated'), finding('B', 'satisfied')))).toEqual([0, 1]);
    expect(flags(first, judged(finding('A', 'violated')), judged(finding('A', 'satisfied')))).toEqual([0, 0]);
  });

  it('call nothing unknown that is only not due yet', () => {
    expect(flags(first, judged(finding('C', 'unknown', 'not_yet_due')))).toEqual([0, 0]);
    expect(flags(first, judged(finding('C', 'unknown', 'awaiting_judgement')))).toEqual([1, 0]);
  });

  it('are down on a void load, also when it is judged later', () => {
    const voided = corrected({}, { void: true });
    expect(flags(first, judged(finding('A', 'violated')), voided)).toEqual([0, 0]);
    expect(flags(first, voided, judged(finding('A', 'violated')))).toEqual([0, 0]);
    expect(only(first, voided)).toMatchObject({ voided: 1, doc: { findings: [{}, {}] } });
  });
});

it('holds no personal field, sealed or not', () => {
  const sealed = { person: 'p', alg: 'A256GCM', iv: 'iv', ct: 'ct' };
  const row = only(
    discharged('1', 'A', {
      signedBy: sealed,
      facts: { owner: sealed, form: 'wet' },
      sources: [
        {
          wasteType: 'septage',
          quantity: { value: '1', unit: 'gal' },
          servicedAt: '2027-07-03T18:00:00.000Z',
          location: sealed,
          generator: { name: 'never sealed' },
        },
      ],
    }),
  );
  expect(row?.doc.sources).toEqual([
    {
      wasteType: 'septage',
      quantity: { value: '1', unit: 'gal' },
      servicedAt: '2027-07-03T18:00:00.000Z',
    },
  ]);
  expect(row?.doc.facts).toEqual({ form: 'wet' });
  expect(JSON.stringify(row)).not.toMatch(/A256GCM|never sealed|signedBy/);
});

it('needs a load to correct', () => {
  expect(fold(loadsView, [corrected({ quantity: { value: '1', unit: 'gal' } })])).toEqual([]);
});

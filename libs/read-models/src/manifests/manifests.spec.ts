import {
  discharged,
  field,
  finding,
  fold,
  HAULER,
  loadId,
  ofPermit,
  permitId,
  posted,
  said,
  submitted,
  told,
  TOWN,
} from '../testing/events.testing';
import { manifestsView } from './evolve';

const only = (...events: Parameters<typeof fold>[1]) => fold(manifestsView, events)[0];
const status = (...events: Parameters<typeof fold>[1]) => only(...events)?.status;
const asked = submitted('1', '1', { findings: [finding('A', 'unknown', 'fact_missing')] });
const load = discharged('1', 'A', { permitId: permitId('1'), manifestId: loadId('1') });

it('stands in one row, as it was asked, without a personal field', () => {
  const sealed = { person: 'p', alg: 'A256GCM', iv: 'iv', ct: 'ct' };
  const source = { wasteType: 'septage', quantity: { value: '9', unit: 'gal' }, place: field('Z') };
  const row = only(
    submitted('1', '1', {
      sources: [{ ...source, generator: sealed, location: sealed }],
      signedBy: sealed,
      plannedAt: '2027-07-03T16:00:00-05:00',
    }),
  );
  expect(row).toMatchObject({
    id: loadId('1'),
    part: loadId('1'),
    jurisdiction: TOWN,
    pack: 'north-law',
    manifest_type: 'ask',
    permit_id: permitId('1'),
    subject_key: 'A',
    hauler_key: 'H-1',
    ticket: 'M-1',
    planned_at: '2027-07-03T21:00:00.000Z',
    until_at: '2027-07-04T05:00:00.000Z',
    status: 'pending',
    submitted: 1,
    doc: { load: { submitted: { hauler: HAULER, sources: [source] } } },
  });
  expect(JSON.stringify(row)).not.toContain('A256GCM');
});

describe('its status', () => {
  const accepted = said('1', '1', 'ManifestAccepted');
  const ends = { ends: [{ manifest: loadId('1'), was: 'accepted' }], grounds: [], reason: '' };
  const withdrawn = said('1', '1', 'AcceptanceWithdrawn', { why: 'restricted', ended: 'x@1' });

  it.each([
    ['waits', [], 'pending'],
    ['waits for what is missing', [said('1', '1', 'ManifestPending', { missing: ['depth'] })], 'pending'],
    ['is accepted', [accepted], 'accepted'],
    ['is refused', [said('1', '1', 'ManifestRefused')], 'refused'],
    ['is refused in the load’s own stream', [told(`load-${loadId('1')}`, 'ManifestRefused', {})], 'refused'],
    ['is withdrawn', [accepted, withdrawn], 'withdrawn'],
    ['is ended by a decision on the permit', [accepted, ofPermit('1', 'PermitRevoked', ends)], 'withdrawn'],
    [
      'is ended by name where an append was full',
      [accepted, ofPermit('1', 'FactsRecorded', { unjudged: { manifests: [loadId('1')] } })],
      'withdrawn',
    ],
    ['is discharged', [accepted, load], 'discharged'],
    ['is discharged before anyone accepted it', [load], 'discharged'],
    ['stays refused, whatever was dumped', [said('1', '1', 'ManifestRefused'), load], 'refused'],
    ['is discharged also after it was withdrawn', [accepted, withdrawn, load], 'discharged'],
    [
      'stays discharged, whatever ends after its load was posted',
      [
        accepted,
        load,
        { ...posted('1', 'A'), stream: accepted.stream },
        ofPermit('1', 'PermitRevoked', ends),
      ],
      'discharged',
    ],
  ])('%s', (_, events, expected) => {
    expect(status(asked, ...events)).toBe(expected);
  });

  it('is the same whichever stream is read first', () => {
    const ofLoad = [asked, load];
    const ofFile = [said('1', '1', 'ManifestPending', { missing: ['depth'] }), accepted];
    expect(only(...ofFile, ...ofLoad)).toEqual(only(...ofLoad, ...ofFile));
    expect(only(accepted)).toMatchObject({ submitted: 0, status: 'accepted' });
  });
});

it('shows the findings that were decided on last, as summaries', () => {
  const refused = said('1', '1', 'ManifestRefused', { findings: [finding('B', 'violated')] });
  expect(only(asked)?.doc.load.submitted?.findings).toEqual([
    { clause: 'A', status: 'unknown', reason: 'fact_missing' },
  ]);
  expect(only(asked, refused)?.doc.permit).toMatchObject({
    standing: { is: 'refused', data: { findings: [] } },
    findings: [{ clause: 'B', status: 'violated' }],
  });
});

it('a load that nobody asked for has no row, whoever posts it', () => {
  const stream = `permit-${permitId('1')}`;
  expect(fold(manifestsView, [discharged('1', 'A'), { ...posted('1', 'A'), stream }])).toEqual([]);
  expect(fold(manifestsView, [load])).toEqual([]);
});

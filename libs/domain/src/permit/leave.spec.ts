import { CodedError, type DomainEvent, type JsonObject } from '@headworks/kernel';
import { BOARD, FORM, PermitFileUnderTest, PRESS, pressDef, pressPack } from '../testing/permit.testing';
import { dataOf, over, typesOf } from '../testing/thing.testing';
import type { PermitIssued } from './events';
import { endsAt, isLive, validBetween } from './permit';
import { permitLive, permitSource } from './permit-facts';

const on = (day: string): { now: string } => ({ now: `${day}T15:00:00.000Z` });
const live = (permit: PermitFileUnderTest, at: string): boolean => isLive(permit.state.file, Date.parse(at));

function refusal(ask: () => unknown): CodedError {
  try {
    ask();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
const suspend = (permit: PermitFileUnderTest, told = {}, grounds: readonly string[] = ['clean']) =>
  permit.when({ type: 'suspend', reason: 'dirt', grounds }, { by: { person: 'wes' }, ...told });
const reinstate = (permit: PermitFileUnderTest, told = {}) =>
  permit.when({ type: 'reinstate', reason: 'cleaned' }, told);
const revoke = (permit: PermitFileUnderTest, told = {}, grounds: readonly string[] = ['clean']) =>
  permit.when({ type: 'revoke', reason: 'dirt', grounds }, { by: BOARD, ...told });

const submitted = (manifest: string, until: string): JsonObject => ({
  manifest,
  pack: PRESS,
  manifestType: 'pressing',
  until,
  missing: [],
  findings: [],
});
const pending = (manifest: string, until: string): DomainEvent => ({
  type: 'ManifestPending',
  data: submitted(manifest, until),
});
const accepted = (manifest: string, until: string): DomainEvent => ({
  type: 'ManifestAccepted',
  data: { manifest, reservations: [], until, findings: [] },
});

describe('leave', () => {
  it('is given from the first day to the end of the last, while nothing stops it', () => {
    const permit = new PermitFileUnderTest().issued();
    expect([
      live(permit, '2028-01-01T05:59:59.999Z'),
      live(permit, '2028-01-01T06:00:00.000Z'),
      live(permit, '2029-01-01T05:59:59.999Z'),
      live(permit, '2029-01-01T06:00:00.000Z'),
    ]).toEqual([false, true, true, false]);
    suspend(permit, on('2028-02-01'));
    reinstate(permit, on('2028-03-01'));
    revoke(permit, on('2028-06-01'));
    expect(
      ['2028-01-15', '2028-02-15', '2028-03-15', '2028-06-15'].map((day) => live(permit, `${day}T12:00:00Z`)),
    ).toEqual([true, false, true, false]);
  });

  it('has no end where the permit has no last day', () => {
    const issued = { valid: { from: '2028-01-01', until: null }, zone: 'America/Chicago' } as PermitIssued;
    expect([validBetween(issued).untilMs, endsAt(issued)]).toEqual([Number.POSITIVE_INFINITY, null]);
    expect(endsAt({ ...issued, valid: { from: '2028-01-01', until: '2028-12-31' } })).toBe(
      '2029-01-01T06:00:00.000Z',
    );
  });

  it('is found for who asks, with what speaks against it first', () => {
    const permit = new PermitFileUnderTest().issued();
    const def = pressDef();
    const find = (at: string, key?: string) =>
      permitLive(permit.state, def, Date.parse(at), key === undefined ? undefined : { kind: 'presser', key });
    expect(find('2028-02-01T15:00:00Z', 'p1')).toMatchObject({
      clause: 'permit:pressing',
      cite: 'par. 1',
      rows: ['FR-01'],
      status: 'satisfied',
    });
    expect(find('2027-12-31T15:00:00Z')).toMatchObject({
      status: 'violated',
      operands: [
        { fact: 'permit.status', value: 'issued' },
        { fact: 'permit.valid_from', value: '2028-01-01' },
        { fact: 'permit.valid_until', value: '2028-12-31' },
      ],
    });
    expect(find('2028-02-01T15:00:00Z', 'P2')).toMatchObject({
      status: 'violated',
      operands: [{ fact: 'permit.holder', value: 'P1' }, {}, {}, {}],
    });
    // Nobody wrote the end down yet; it has come all the same.
    expect(find('2029-02-01T15:00:00Z').operands[0]).toMatchObject({ value: 'expired' });
    expect(permitLive(permit.state, pressDef('tasting'), Date.parse('2028-02-01T15:00:00Z')).status).toBe(
      'violated',
    );
    expect(permitLive(undefined, def, 0)).toMatchObject({
      status: 'violated',
      operands: [{ value: 'nothing' }],
    });
  });
});

describe('a suspension', () => {
  it('rests on clauses that the pack allows for it, keeps what they find, and ends with a reinstatement', () => {
    const permit = new PermitFileUnderTest().issued();
    permit.act('see_vats', { vat_clean: false }, on('2028-01-30'));
    const faults = (grounds: readonly string[]) =>
      refusal(() => suspend(permit, {}, grounds)).faults.map(({ pointer, code }) => `${pointer} ${code}`);
    expect([faults([]), faults(['bond'])]).toEqual([['/grounds grounds-needed'], ['/grounds/0 no-ground']]);
    const events = suspend(permit, on('2028-02-01'));
    expect(dataOf(events, 'PermitSuspended')).toMatchObject({
      grounds: ['clean'],
      reason: 'dirt',
      ends: [],
      findings: [{ clause: 'clean', status: 'violated' }],
    });
    const source = () => permitSource(permit.state, pressPack(), pressDef(), Date.parse(permit.now));
    expect(source()('stopped_on')?.json).toBe('2028-02-01');
    permit.act('see_vats', { vat_clean: true }, on('2028-02-10'));
    expect(dataOf(reinstate(permit), 'PermitReinstated')).toMatchObject({
      findings: [{ clause: 'clean', status: 'satisfied' }],
    });
    expect([permit.is(), source()('stopped_on')?.json]).toEqual(['issued', null]);
  });

  it('is not for a permit type whose law knows none', () => {
    const permit = new PermitFileUnderTest();
    permit.file({ fruit: ['pears'] }, {}, { permitType: 'tasting' });
    permit.approve();
    permit.when({ type: 'issue' }, { by: { person: 'cy' } });
    expect(refusal(() => suspend(permit)).message).toMatch(/par\. 9.*names nobody/);
    expect(refusal(() => revoke(permit)).message).toMatch(/par\. 9.*names nobody/);
  });

  it('lists the manifests that it ends: those that wait, and those accepted and not yet discharged', () => {
    const permit = new PermitFileUnderTest().issued();
    permit
      .given(pending('waits', '2028-02-02T06:00:00.000Z'), '2028-02-01T14:00:00.000Z')
      .given(accepted('holds', '2028-02-02T06:00:00.000Z'))
      .given(accepted('lapsed', '2028-02-01T14:30:00.000Z'))
      .given({ type: 'ManifestRefused', data: { manifest: 'refused', findings: [] } });
    const ends = [
      { manifest: 'waits', was: 'pending' },
      { manifest: 'holds', was: 'accepted' },
    ];
    expect(dataOf(suspend(permit, on('2028-02-01')), 'PermitSuspended')['ends']).toEqual(ends);
    // What was ended is not ended again.
    expect(dataOf(revoke(permit), 'PermitRevoked')['ends']).toEqual([]);
  });

  it('that was recorded late ends what was accepted since', () => {
    const permit = new PermitFileUnderTest().issued();
    permit.given(accepted('since', '2028-02-02T06:00:00.000Z'), '2028-02-01T14:00:00.000Z');
    const late = { ...on('2028-02-01'), occurred: '2028-01-20T15:00:00.000Z' };
    expect(dataOf(suspend(permit, late), 'PermitSuspended')['ends']).toHaveLength(1);
    expect([live(permit, '2028-01-19T15:00:00Z'), live(permit, '2028-01-20T15:00:00Z')]).toEqual([
      true,
      false,
    ]);
  });

  it('can not come before what could then not have been', () => {
    const permit = new PermitFileUnderTest().issued();
    suspend(permit, on('2028-02-01'));
    const late = { ...on('2028-02-10'), occurred: '2028-01-20T15:00:00.000Z' };
    const error = refusal(() => suspend(permit, late));
    expect(error.code).toBe('conflict');
    expect(error.details).toMatchObject({ standing: 'permit-p1@5', cite: 'par. 1' });
    // Taken back, the earlier one may stand.
    permit.when({ type: 'annul', annuls: 'permit-p1@5', reason: 'the wrong day' });
    expect(typesOf(suspend(permit, late))).toEqual(['PermitSuspended']);
  });
});

describe('a revocation', () => {
  it('also takes back an approval that was not issued', () => {
    const permit = new PermitFileUnderTest();
    permit.file();
    permit.when({ type: 'complete' });
    permit.approve();
    revoke(permit);
    expect(permit.is()).toBe('revoked');
    expect(refusal(() => permit.when({ type: 'issue' }, { by: BOARD })).code).toBe('conflict');
  });

  it('that was recorded after the end of the year takes that end back', () => {
    const permit = new PermitFileUnderTest().issued();
    permit.when({ type: 'settle' }, on('2029-01-02'));
    const events = revoke(permit, { ...on('2029-01-10'), occurred: '2028-12-01T15:00:00.000Z' });
    expect(events).toMatchObject([
      { type: 'PermitRevoked' },
      {
        type: 'ConsequenceReversed',
        data: { event: 'permit-p1@5', why: 'ended_before' },
        occurred: { at: '2029-01-01T06:00:00.000Z' },
        causedBy: 'permit-p1@6',
      },
    ]);
    expect([permit.is(), permit.state.file.steps.some(({ type }) => type === 'PermitExpired')]).toEqual([
      'revoked',
      false,
    ]);
    expect(permit.when({ type: 'settle' }, on('2029-02-01'))).toEqual([]);
    // And comes again where the revocation itself was an error.
    const back = permit.when({ type: 'annul', annuls: 'permit-p1@6', reason: 'another file' });
    expect(typesOf(back)).toEqual(['RecordedInError', 'PermitExpired']);
    expect(permit.refold()).toEqual(permit.state);
  });

  it('that was recorded late overtakes what was decided after it', () => {
    const permit = new PermitFileUnderTest().issued();
    suspend(permit, on('2028-02-01'));
    reinstate(permit, on('2028-03-01'));
    revoke(permit, { ...on('2028-04-01'), occurred: '2028-01-20T15:00:00.000Z' });
    expect(['2028-01-21', '2028-02-15', '2028-03-15'].map((day) => permit.is(`${day}T15:00:00Z`))).toEqual([
      'revoked',
      'revoked',
      'revoked',
    ]);
  });

  it('stands under the law of its own day', () => {
    const permit = new PermitFileUnderTest();
    permit.file({ yearly_volume: { value: '500', unit: 'gal' } }, on('2028-08-10'));
    permit.when({ type: 'receive-information', facts: { fruit: ['pears'] } });
    permit.when({ type: 'complete' });
    permit.act('accept_bond', { bonded: true });
    permit.approve(on('2028-09-10'));
    const ask = () => revoke(permit, on('2029-02-01'));
    expect(refusal(ask).faults).toMatchObject([{ code: 'no-ground', hint: 'name one or more of volume' }]);
    expect(revoke(permit, on('2029-02-01'), ['volume'])[0]).toMatchObject({ law: { version: '2' } });
  });
});

describe('conditions', () => {
  it('fix facts anew, by which what counts under the permit is judged again in the same append', () => {
    const permit = new PermitFileUnderTest().issued();
    permit.when(
      {
        type: 'post-load',
        load: 'L1',
        loadRevision: 0,
        posting: {
          pack: PRESS,
          loadType: 'must',
          limits: ['leave_year'],
          quantity: { value: '300', unit: 'gal' },
          hauler: { kind: 'presser', key: 'P1' },
          occurredMs: Date.parse('2028-02-01T15:00:00Z'),
          facts: {},
          event: 'load-L1@0',
        },
      },
      on('2028-02-01'),
    );
    expect(over(permit.state)).toEqual([]);
    const less = (value: string, occurred: string) =>
      permit.when(
        {
          type: 'condition',
          reason: 'drought',
          conditions: [],
          sets: { yearly_volume: { value, unit: 'gal' } },
        },
        { ...on('2028-03-01'), occurred, by: BOARD },
      );
    // It holds from its day on: the load before it was within what it then was.
    expect(typesOf(less('200', '2028-02-20T15:00:00.000Z'))).toEqual(['PermitConditioned']);
    expect(typesOf(less('250', '2028-01-20T15:00:00.000Z'))).toEqual(['PermitConditioned', 'LimitExceeded']);
    expect(over(permit.state)).toEqual(['plan L1']);
    expect(refusal(() => less('1200', '2028-02-25T15:00:00.000Z')).details).toMatchObject({
      findings: [{ clause: 'volume', status: 'violated' }],
    });
  });
});

describe('what was recorded in error', () => {
  it('never was, but for what rests on it', () => {
    const permit = new PermitFileUnderTest().issued();
    suspend(permit, on('2028-02-01'));
    reinstate(permit, on('2028-03-01'));
    const annul = (annuls: string) => permit.when({ type: 'annul', annuls, reason: 'the wrong file' });
    expect(refusal(() => annul('permit-p1@5')).details).toMatchObject({ standing: 'permit-p1@6' });
    annul('permit-p1@6');
    expect(permit.is()).toBe('suspended');
    annul('permit-p1@5');
    expect(permit.is()).toBe('issued');
    expect(typesOf(annul('permit-p1@5'))).toEqual([]);
  });

  it('takes its facts with it', () => {
    const permit = new PermitFileUnderTest();
    permit.file();
    permit.when({ type: 'receive-information', facts: { yearly_volume: { value: '9', unit: 'gal' } } });
    const volume = () =>
      permitSource(permit.state, pressPack(), pressDef(), Date.parse(permit.now))('yearly_volume');
    expect(volume()?.json).toEqual({ value: '9', unit: 'gal' });
    permit.when({ type: 'annul', annuls: 'permit-p1@1', reason: 'of another applicant' });
    expect(volume()?.json).toEqual(FORM['yearly_volume']);
  });

  it('is not an application, an issue, or the end of the days', () => {
    const permit = new PermitFileUnderTest().issued();
    permit.when({ type: 'settle' }, on('2029-01-02'));
    const words = ['permit-p1@0', 'permit-p1@4', 'permit-p1@5'].map(
      (annuls) => refusal(() => permit.when({ type: 'annul', annuls, reason: 'no' })).message,
    );
    expect(words).toEqual([
      expect.stringContaining('is withdrawn'),
      expect.stringContaining('its number is drawn'),
      expect.stringContaining('follows from the days'),
    ]);
  });

  it('corrects what an approval fixed', () => {
    const permit = new PermitFileUnderTest().issued();
    const facts = { yearly_volume: { value: '50', unit: 'gal' } };
    permit.when(
      { type: 'correct-facts', corrects: 'permit-p1@3', facts, reason: 'a slip' },
      on('2028-02-01'),
    );
    const source = permitSource(permit.state, pressPack(), pressDef(), Date.parse('2027-12-01T15:00:00Z'));
    expect(source('yearly_volume')).toMatchObject({
      json: facts.yearly_volume,
      from: { event: 'permit-p1@5' },
    });
  });
});

import { CodedError, type DomainEvent, type JsonObject } from '@headworks/kernel';
import {
  BOARD,
  FORM,
  PermitFileUnderTest,
  PRESS,
  presser,
  pressDef,
  pressPack,
} from '../testing/permit.testing';
import { dataOf, typesOf } from '../testing/thing.testing';
import { phaseAt } from './permit';
import { permitSource } from './permit-facts';

const on = (day: string): { now: string } => ({ now: `${day}T15:00:00.000Z` });

function refusal(ask: () => unknown): CodedError {
  try {
    ask();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
const inWords = (f: JsonObject): string => `${f['clause'] as string} ${f['status'] as string}`;
/** What a refusal names: `clause status`. */
const against = (ask: () => unknown): readonly string[] => {
  const { findings = [] } = refusal(ask).details as { findings?: readonly JsonObject[] };
  return findings.map(inWords);
};
const faultsOf = (ask: () => unknown): readonly string[] =>
  refusal(ask).faults.map(({ pointer, code }) => `${pointer} ${code}`);
const findingsOf = (events: readonly DomainEvent[], type: string) => {
  const found = dataOf(events, type)['findings'] as readonly JsonObject[];
  return Object.fromEntries(found.map((f): [string, unknown] => [f['clause'] as string, f['status']]));
};
const asked = (permit: PermitFileUnderTest, fact: string, at = permit.now) =>
  permitSource(permit.state, pressPack(), pressDef(), Date.parse(at))(fact);

/** Complete since September 1. */
function complete(facts = FORM): PermitFileUnderTest {
  const permit = new PermitFileUnderTest();
  permit.file(facts);
  permit.when({ type: 'complete' }, on('2027-09-01'));
  return permit;
}

describe('an application', () => {
  it('is put on file with what is found, and with the day by which it is decided', () => {
    const permit = new PermitFileUnderTest();
    const events = permit.file();
    expect(findingsOf(events, 'ApplicationFiled')).toEqual({
      season: 'satisfied',
      volume: 'satisfied',
      inn: 'satisfied',
      decision: 'unknown',
      bond: 'violated',
      'permit:pressing.needs': 'satisfied',
    });
    const found = dataOf(events, 'ApplicationFiled')['findings'] as readonly JsonObject[];
    const decision = found.find(({ clause }) => clause === 'decision');
    expect(decision).toMatchObject({ reason: 'not_yet_due', due: { date: '2027-10-01' } });
  });

  it('is put on file whatever is found', () => {
    const permit = new PermitFileUnderTest();
    const events = permit.file(
      { yearly_volume: { value: '2000', unit: 'gal' } },
      { ...on('2027-11-02'), holder: presser({ inn_keeper: true }) },
    );
    expect(findingsOf(events, 'ApplicationFiled')).toMatchObject({
      season: 'violated',
      volume: 'violated',
      inn: 'violated',
      decision: 'violated',
      'permit:pressing.needs': 'unknown',
    });
    expect(permit.is()).toBe('filed');
  });

  it('stands under the law of the day on which it was filed, and says what it read of the applicant', () => {
    const permit = new PermitFileUnderTest();
    const [filed] = permit.file(FORM, on('2028-08-20'));
    expect(filed).toMatchObject({
      law: { pack: PRESS, version: '1' },
      basis: [{ stream: 'subject-presser-1', revision: 0 }],
    });
    permit.when({ type: 'complete' }, on('2028-09-01'));
    const decided = permit.approve(on('2029-01-08'));
    // The moot was late by then, which its own decision finds written down before it.
    expect(decided).toMatchObject([
      {
        type: 'DutyMissed',
        data: { binds: 'office', who: 'moot' },
        occurred: { at: '2028-10-02T05:00:00.000Z' },
      },
      { type: 'ApplicationApproved', law: { version: '1' } },
    ]);
  });

  it('is filed once', () => {
    const permit = new PermitFileUnderTest();
    permit.file();
    expect(refusal(() => permit.file()).code).toBe('conflict');
  });
});

describe('information', () => {
  it('is asked for and comes, and both days are facts of the file', () => {
    const permit = new PermitFileUnderTest();
    permit.file({ fruit: ['apples'] });
    expect(asked(permit, 'asked_for_on')).toMatchObject({ json: null });
    permit.when(
      { type: 'request-information', reason: 'how much?', facts: ['yearly_volume'] },
      on('2027-08-12'),
    );
    expect([permit.is(), asked(permit, 'asked_for_on')?.json, asked(permit, 'told_on')?.json]).toEqual([
      'awaiting_information',
      '2027-08-12',
      null,
    ]);
    const told = { yearly_volume: { value: '300', unit: 'gal' } };
    permit.when({ type: 'receive-information', facts: told }, on('2027-08-20'));
    expect([permit.is(), asked(permit, 'told_on')?.json]).toEqual(['filed', '2027-08-20']);
    expect(asked(permit, 'yearly_volume')).toEqual({
      json: told.yearly_volume,
      from: { source: 'permit', event: 'permit-p1@2' },
    });
    permit.when({ type: 'request-information', reason: 'and?', facts: [] }, on('2027-08-21'));
    expect(asked(permit, 'told_on')?.json).toBeNull();
  });

  it('that comes unasked is kept, and moves nothing', () => {
    const permit = complete();
    permit.when({ type: 'receive-information', facts: { plan_of_work: 'by hand' } });
    expect([permit.is(), asked(permit, 'plan_of_work')?.json]).toEqual(['complete', 'by hand']);
  });
});

describe('a completion', () => {
  it('wants the form filled in', () => {
    const permit = new PermitFileUnderTest();
    permit.file({ yearly_volume: { value: '500', unit: 'gal' } });
    const ask = () => permit.when({ type: 'complete' });
    expect(against(ask)).toEqual(['permit:pressing.needs unknown']);
    expect(refusal(ask).message).toContain('permit:pressing.needs (par. 1) is unknown');
    permit.when({ type: 'receive-information', facts: { fruit: ['quinces'] } });
    expect(findingsOf(ask(), 'ApplicationCompleted')).toEqual({
      season: 'satisfied',
      'permit:pressing.needs': 'satisfied',
    });
  });

  it('leaves to who decides what a power may leave unmet', () => {
    const permit = new PermitFileUnderTest();
    permit.file(FORM, on('2027-09-02'));
    const events = permit.when({ type: 'complete' });
    expect(findingsOf(events, 'ApplicationCompleted')).toMatchObject({ season: 'violated' });
    expect(against(() => permit.approve())).toEqual(['season violated']);
  });
});

describe('an approval', () => {
  it('fixes what it says, and else what was applied for', () => {
    const less = { value: '350', unit: 'gal' };
    const permit = complete();
    expect(
      dataOf(permit.approve(on('2027-09-20'), { sets: { yearly_volume: less } }), 'ApplicationApproved'),
    ).toEqual(expect.objectContaining({ sets: { yearly_volume: less }, waived: [], reason: 'sound' }));
    expect([
      asked(permit, 'yearly_volume')?.json,
      asked(permit, 'yearly_volume', '2027-09-01T15:00:00Z')?.json,
    ]).toEqual([less, FORM['yearly_volume']]);
    expect(dataOf(complete().approve(), 'ApplicationApproved')['sets']).toEqual({
      yearly_volume: FORM['yearly_volume'],
    });
  });

  it('is judged by what it fixes', () => {
    const permit = complete({ ...FORM, yearly_volume: { value: '1001', unit: 'gal' } });
    expect(against(() => permit.approve())).toEqual(['volume violated']);
    expect(typesOf(permit.approve({}, { sets: { yearly_volume: { value: '1000', unit: 'gal' } } }))).toEqual([
      'ApplicationApproved',
    ]);
  });

  it('is refused while a clause is unknown too', () => {
    const permit = complete();
    expect(against(() => permit.approve({ holder: presser({}) }))).toEqual(['inn unknown']);
    expect(permit.is()).toBe('complete');
  });

  it('waives by the power that the pack names for the clause, with its reason', () => {
    const permit = new PermitFileUnderTest();
    permit.file(FORM, on('2027-09-02'));
    permit.when({ type: 'complete' });
    const waive = [{ clause: 'season', reason: 'the flood' }];
    expect(dataOf(permit.approve({}, { waive }), 'ApplicationApproved')).toMatchObject({
      waived: [{ clause: 'season', power: 'hardship', reason: 'the flood' }],
    });
    // What is met needs no power, so none was used.
    expect(dataOf(complete().approve({}, { waive }), 'ApplicationApproved')).toMatchObject({ waived: [] });
    const no = () => complete().approve({}, { waive: [{ clause: 'volume', reason: 'why not' }] });
    expect(faultsOf(no)).toEqual(['/waive no-power']);
  });

  it('is for another person than who called it complete', () => {
    const permit = complete();
    const by = (person?: string) => () => permit.approve({ by: person === undefined ? {} : { person } });
    expect(against(by('ada'))).toEqual(['permit:pressing.approval.by violated']);
    expect(against(by())).toEqual(['permit:pressing.approval.by unknown']);
    expect(findingsOf(by('bo')(), 'ApplicationApproved')).toMatchObject({
      'permit:pressing.approval.by': 'satisfied',
    });
  });

  it('issues in the same append where the same body may and nothing stands against it', () => {
    const permit = complete();
    permit.act('accept_bond', { bonded: true });
    expect(typesOf(permit.approve())).toEqual(['ApplicationApproved', 'PermitIssued']);
    expect(typesOf(complete().approve())).toEqual(['ApplicationApproved']);
    const apart = complete();
    apart.act('accept_bond', { bonded: true });
    expect(typesOf(apart.approve({}, { issue: false }))).toEqual(['ApplicationApproved']);
    expect(typesOf(apart.when({ type: 'issue' }, { by: BOARD }))).toEqual(['PermitIssued']);
  });

  it('of a form that nobody reviews looks at the form itself', () => {
    const permit = new PermitFileUnderTest();
    permit.file({}, {}, { permitType: 'tasting' });
    expect(against(() => permit.approve())).toEqual(['permit:tasting.needs unknown']);
    permit.when({ type: 'receive-information', facts: { fruit: ['pears'] } });
    // The warden issues it, and is not the one who approved.
    expect(typesOf(permit.approve())).toEqual(['ApplicationApproved']);
    expect(against(() => permit.when({ type: 'issue' }, { by: BOARD }))).toEqual([
      'permit:tasting.issuance.by violated',
    ]);
    expect(typesOf(permit.when({ type: 'issue' }, { by: { person: 'cy' } }))).toEqual(['PermitIssued']);
  });
});

describe('a denial', () => {
  it('names clauses of the pack, and keeps what they find', () => {
    const permit = complete();
    const deny = (grounds: readonly string[]) => () =>
      permit.when({ type: 'deny', reason: 'no', grounds }, { by: BOARD });
    expect(faultsOf(deny([]))).toEqual(['/grounds grounds-needed']);
    expect(faultsOf(deny(['volume', 'volum']))).toEqual(['/grounds/1 no-ground']);
    const events = deny(['bond'])();
    expect(dataOf(events, 'ApplicationDenied')).toMatchObject({ reason: 'no', grounds: ['bond'] });
    expect(findingsOf(events, 'ApplicationDenied')).toMatchObject({ bond: 'violated', volume: 'satisfied' });
    expect(permit.is()).toBe('denied');
  });

  it('of a renewal says not renewed', () => {
    const permit = new PermitFileUnderTest();
    permit.file(FORM, {}, { renews: 'p0' });
    expect(asked(permit, 'follows_another')?.json).toBe(true);
    permit.when({ type: 'deny', reason: 'no', grounds: ['volume'] }, { by: BOARD });
    expect([permit.is(), asked(permit, 'standing')?.json]).toEqual(['not_renewed', 'not_renewed']);
  });

  it('is for another person than who called it complete', () => {
    const deny = () =>
      complete().when({ type: 'deny', reason: 'no', grounds: ['volume'] }, { by: { person: 'ada' } });
    expect(against(deny)).toEqual(['permit:pressing.denial.by violated']);
  });
});

describe('a permit that is issued', () => {
  const validOf = (events: readonly DomainEvent[]) => dataOf(events, 'PermitIssued')['valid'];
  const bonded = () => {
    const permit = complete();
    permit.act('accept_bond', { bonded: true }, on('2027-09-10'));
    return permit;
  };

  it('is good for the year that follows the filing, also where the office decides late, and not before its issue', () => {
    expect(validOf(bonded().approve(on('2027-12-31')))).toEqual({ from: '2028-01-01', until: '2028-12-31' });
    expect(validOf(bonded().approve(on('2028-01-05')))).toEqual({ from: '2028-01-05', until: '2028-12-31' });
    // Eleven in the evening of New Year's Eve there.
    expect(validOf(bonded().approve({ now: '2029-01-01T05:00:00.000Z' }))).toEqual({
      from: '2028-12-31',
      until: '2028-12-31',
    });
  });

  it('is not issued once that year is over', () => {
    const permit = bonded();
    permit.approve({ now: '2029-01-01T06:00:00.000Z' });
    expect(permit.is()).toBe('approved');
    expect(against(() => permit.when({ type: 'issue' }, { by: BOARD }))).toEqual([
      'permit:pressing.valid violated',
    ]);
  });

  it('lasts from day to day, and ends void where the pack says so, by nobody', () => {
    const permit = new PermitFileUnderTest();
    permit.file({ fruit: ['pears'] }, {}, { permitType: 'tasting' });
    permit.approve();
    const events = permit.when({ type: 'issue' }, { ...on('2027-12-31'), by: { person: 'cy' } });
    expect(validOf(events)).toEqual({ from: '2027-12-31', until: '2028-02-28' });
    expect(permit.when({ type: 'settle' }, { now: '2028-02-29T05:59:59.999Z' })).toEqual([]);
    permit.when({ type: 'settle' }, { now: '2028-03-09T06:00:00.000Z' });
    const last = permit.log.at(-1);
    expect(last).toMatchObject({ type: 'PermitVoided', data: { reason: 'validity_ended', ends: [] } });
    expect(last?.metadata).toMatchObject({
      occurred: { at: '2028-02-29T06:00:00.000Z' },
      law: { pack: PRESS },
    });
    expect(last?.metadata.by).toBeUndefined();
    expect([permit.is('2028-02-29T05:59:59.999Z'), permit.is('2028-02-29T06:00:00.000Z')]).toEqual([
      'issued',
      'voided',
    ]);
  });

  it('lasts as long as facts of the file say, which are known when it is issued', () => {
    const days = { leave_first: '2029-03-01', leave_last: '2029-06-30' };
    const file = (facts: JsonObject) => {
      const permit = new PermitFileUnderTest();
      permit.file({ yearly_volume: { value: '500', unit: 'gal' }, ...facts }, on('2029-02-01'));
      return permit;
    };
    expect(validOf(file(days).approve())).toEqual({ from: '2029-03-01', until: '2029-06-30' });
    const unsaid = file({ leave_first: '2029-03-01' });
    expect(typesOf(unsaid.approve())).toEqual(['ApplicationApproved']);
    const issue = () => unsaid.when({ type: 'issue' }, { by: BOARD });
    expect(against(issue)).toEqual(['permit:pressing.valid unknown']);
  });

  it('ends at the instant its last day is over, before what is asked later, and once', () => {
    const permit = new PermitFileUnderTest().issued();
    const late = { ...on('2029-03-01'), occurred: '2028-06-01T15:00:00.000Z', by: BOARD };
    const events = permit.when(
      { type: 'condition', reason: 'noise', conditions: ['be quiet'], sets: {} },
      late,
    );
    expect(typesOf(events)).toEqual(['PermitExpired', 'PermitConditioned']);
    expect(events[0]).toMatchObject({ occurred: { at: '2029-01-01T06:00:00.000Z' }, law: { pack: PRESS } });
    expect(permit.log.at(-2)?.metadata.by).toBeUndefined();
    expect(permit.when({ type: 'settle' }, on('2029-04-01'))).toEqual([]);
    expect(phaseAt(permit.state.file).is).toBe('expired');
  });

  it('that is issued late ends in the append that issues it', () => {
    const permit = bonded();
    permit.approve({ ...on('2029-02-02'), occurred: '2027-09-20T15:00:00.000Z' }, { issue: false });
    const issue = { ...on('2029-02-02'), occurred: '2027-09-21T15:00:00.000Z', by: BOARD };
    expect(typesOf(permit.when({ type: 'issue' }, issue))).toEqual(['PermitIssued', 'PermitExpired']);
  });

  it('tells its life as facts, none until they happen', () => {
    const facts = [
      'asked_on',
      'found_complete_on',
      'moot_decided_on',
      'leave_given_on',
      'leave_from',
      'leave_until',
      'stopped_on',
      'ended_on',
      'presser_mark',
    ];
    const permit = new PermitFileUnderTest().issued();
    const at = (instant: string) => facts.map((fact) => asked(permit, fact, instant)?.json);
    expect(at('2027-08-01T15:00:00Z')).toEqual(facts.map(() => undefined));
    expect(at('2027-08-10T15:00:00Z')).toEqual([
      '2027-08-10',
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      'P1',
    ]);
    expect(at('2027-09-20T15:00:00Z')).toEqual([
      '2027-08-10',
      '2027-09-01',
      '2027-09-20',
      '2027-09-20',
      '2028-01-01',
      '2028-12-31',
      null,
      null,
      'P1',
    ]);
    expect(asked(permit, 'vat_clean')).toBeUndefined();
    expect(asked(permit, 'vat_seen_on')).toMatchObject({
      json: null,
      from: { source: 'permit', event: 'permit-p1@4' },
    });
    expect(asked(permit, 'no_such_fact')).toBeUndefined();
  });
});

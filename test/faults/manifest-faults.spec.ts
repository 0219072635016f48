import { subjectId, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import { ARTICLE, CITY, PACK } from './city.testing';
import { disagreements, type Answer } from './manifest-answers.testing';
import { faultsOf } from './manifest-faults.testing';
import { leftBehind } from './manifest-left.testing';

const PLANT = `subject-${subjectId(CITY, 'plant', 'main')}`;
const PERMIT = 'permit-p';
const NOW = '2027-01-12T14:00:00.000Z';
const PLANNED = '2027-01-12T19:00:00.000Z';
const UNTIL = '2027-01-13T06:00:00.000Z';

interface Planted {
  readonly stream: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly at?: string;
  readonly occurred?: string;
  /** Of the same append as the event before it. */
  readonly with?: true;
}

/** Events as a store gives them back, each an append of its own where it does not say otherwise. */
function logOf(planted: readonly Planted[]): readonly RecordedEvent[] {
  const heads = new Map<string, number>();
  let command = 0;
  return planted.map(({ stream, type, data, at = NOW, occurred = at, with: same }, index) => {
    const revision = (heads.get(stream) ?? -1) + 1;
    heads.set(stream, revision);
    if (!same) command++;
    const metadata = {
      ...{ occurred: { at: occurred }, recordedAt: at, actor: { id: 'x', roles: [] }, jurisdiction: CITY },
      ...{ correlationId: 'c', commandId: `c${command}`, schema: 1 },
    };
    const known = { position: String(index).padStart(9, '0'), hash: 'h' };
    return { id: `e${index}`, stream, revision, type, data, metadata, ...known };
  });
}

const gal = (value: number): JsonObject => ({ value: String(value), unit: 'gal' });
const load = (id: string): string => `load-${id}`;

const plan = (gallons: number): Planted => ({
  ...{ stream: PERMIT, type: 'ApplicationApproved' },
  data: { sets: { annual_volume: gal(gallons) } },
});
const issued: Planted = { stream: PERMIT, type: 'PermitIssued', data: {} };

const submitted = (id: string, gallons: number, wasteType = 'septage'): Planted => ({
  ...{ stream: load(id), type: 'ManifestSubmitted' },
  data: {
    ...{ permitId: 'p', subject: { kind: 'plant', key: 'main' }, ticket: `T-${id}`, quantity: gal(gallons) },
    ...{ plannedAt: PLANNED, until: UNTIL, sources: [{ wasteType }] },
  },
});
const reserved = (stream: string, manifest: string, gallons: number): Planted => ({
  ...{ stream, type: 'CapacityReserved' },
  data: {
    ...{ manifest, quantity: gal(gallons), plannedAt: PLANNED, until: UNTIL },
    limits: stream === PERMIT ? ['permit_year'] : [],
  },
});
const accepted = (manifest: string, ...reservations: string[]): Planted => ({
  ...{ stream: PERMIT, type: 'ManifestAccepted', with: true },
  data: { manifest, reservations, until: UNTIL },
});
const withdrawn = (stream: string, manifest: string): Planted => ({
  ...{ stream, type: 'AcceptanceWithdrawn' },
  data: { manifest, why: 'restricted', ended: '', findings: [] },
});
const finding = (over: number, more: JsonObject = {}): JsonObject => ({
  ...{ clause: 'F.2.volume', cite: '272-21.F(2)', status: 'violated', operands: [gal(over)] },
  margin: gal(-over),
  ...more,
});
const refused = (manifest: string, findings: readonly JsonObject[]): Planted => ({
  ...{ stream: PERMIT, type: 'ManifestRefused' },
  data: { manifest, findings },
});
const discharged = (id: string, gallons: number): Planted => ({
  ...{ stream: load(id), type: 'LoadDischarged', at: PLANNED },
  data: { quantity: gal(gallons), subject: { kind: 'plant', key: 'main' }, permitId: 'p' },
});
const posted = (stream: string, id: string, gallons: number, loadRevision = 1): Planted => ({
  ...{ stream, type: 'LoadPosted', at: PLANNED },
  data: { load: id, loadRevision, quantity: gal(gallons), limits: stream === PERMIT ? ['permit_year'] : [] },
});
const corrected = (id: string, data: JsonObject): Planted => ({
  ...{ stream: load(id), type: 'LoadCorrected', at: PLANNED },
  data: { reason: 'misread', set: {}, ...data },
});
const reversed = (stream: string, posting: number): Planted => ({
  ...{ stream, type: 'PostingReversed', at: PLANNED },
  data: { posting: `${stream}@${posting}` },
});
const exceeded = (id: string): Planted => ({
  ...{ stream: PERMIT, type: 'LimitExceeded', at: PLANNED, with: true },
  data: { load: id, clause: 'F.2.volume' },
});
const act = (stream: string, name: string, facts: JsonObject = {}): Planted => ({
  ...{ stream, type: `${PACK}.${name}`, data: { facts } },
});
const revoked = (...ends: string[]): Planted => ({
  ...{ stream: PERMIT, type: 'PermitRevoked' },
  data: { ends: ends.map((manifest) => ({ manifest, was: 'accepted' })) },
});
const unaccepted = (id: string): Planted => ({
  ...{ stream: `violation-${id}`, type: 'ViolationDetected', data: { clause: 'J', loadId: id } },
});

/** Of 1,000 gallons: `a` takes 600, `b` would be 100 over and is refused. */
const A = [submitted('a', 600), reserved(PLANT, 'a', 600), reserved(PERMIT, 'a', 600)];
const A_ACCEPTED = [plan(1000), issued, ...A, accepted('a', `${PLANT}@0`, `${PERMIT}@2`)];
const B = [submitted('b', 500), reserved(PLANT, 'b', 500)];
const RIGHT = [...A_ACCEPTED, ...B, refused('b', [finding(100)]), withdrawn(PLANT, 'b')];
const POURED = [...RIGHT, discharged('a', 600), posted(PLANT, 'a', 600), posted(PERMIT, 'a', 600)];

/** A stop that was lifted, in law, before anybody recorded it. */
const LIFTED: readonly Planted[] = [
  { ...act(PLANT, 'AcceptanceResumed'), occurred: '2027-01-12T13:59:02.000Z' },
  { ...act(PLANT, 'AcceptanceStopped'), occurred: '2027-01-12T13:59:01.000Z' },
];

describe('a log in which all holds', () => {
  it.each([
    ['asked, accepted, refused', RIGHT],
    ['and a stop recorded when it was over', [...RIGHT, ...LIFTED]],
    ['and discharged', POURED],
    [
      'stopped, with what was accepted taken back in that append, and taken up again',
      [
        ...RIGHT,
        ...[act(PLANT, 'AcceptanceStopped'), { ...withdrawn(PLANT, 'a'), with: true } as const],
        ...[withdrawn(PERMIT, 'a'), act(PLANT, 'AcceptanceResumed')],
      ],
    ],
    ['revoked', [...RIGHT, revoked('a'), withdrawn(PLANT, 'a')]],
    [
      'corrected to more than was asked: recorded, and told',
      [
        ...POURED,
        ...[corrected('a', { set: { quantity: gal(1100) } }), reversed(PERMIT, 5)],
        ...[{ ...posted(PERMIT, 'a', 1100, 2), with: true } as const, exceeded('a')],
        ...[reversed(PLANT, 3), { ...posted(PLANT, 'a', 1100, 2), with: true } as const],
      ],
    ],
  ])('%s', (_, planted) => {
    expect(faultsOf(logOf(planted), ARTICLE)).toEqual([]);
    expect(leftBehind(logOf(planted), ARTICLE)).toEqual([]);
  });
});

const TOO_MUCH = [submitted('c', 500), reserved(PERMIT, 'c', 500), accepted('c', `${PERMIT}@5`)];

describe('a log in which something does not', () => {
  it.each([
    ['the plan is exceeded by what is accepted', [...RIGHT, ...TOO_MUCH], /1100 gal are accepted of 1000/],
    [
      'the plan is exceeded by what is accepted beside what was posted',
      [...POURED, ...TOO_MUCH],
      /with it 1100 gal are held or posted of 1000/,
    ],
    [
      'a plan is made smaller, and what no longer fits goes on standing',
      [...RIGHT, { ...plan(500), type: 'PermitConditioned' }],
      /600 gal are accepted of 500/,
    ],
    [
      'a load over the plan, and nothing says so',
      [...A_ACCEPTED, discharged('x', 1100), posted(PERMIT, 'x', 1100, 0)],
      /x makes it 1100 gal, and LimitExceeded does not stand/,
    ],
    [
      'a load is said to be over, and is not',
      [...RIGHT, discharged('a', 600), posted(PERMIT, 'a', 600), exceeded('a')],
      /LimitExceeded stands/,
    ],
    [
      'it is accepted after a revocation',
      [plan(1000), issued, revoked(), ...A, accepted('a')],
      /it is accepted after PermitRevoked/,
    ],
    ['what was accepted stands after it', [...RIGHT, revoked()], /a is accepted after PermitRevoked/],
    [
      'it is accepted while the plant is stopped',
      [
        act(PLANT, 'AcceptanceStopped'),
        ...A_ACCEPTED.slice(0, -1),
        accepted('a', `${PLANT}@1`, `${PERMIT}@2`),
      ],
      /a stands accepted against .* \(all\)/,
    ],
    [
      'what was accepted stands against a stop',
      [...RIGHT, act(PLANT, 'AcceptanceStopped')],
      /a stands accepted against .* \(all\)/,
    ],
    [
      'a stop that was begun again',
      [...RIGHT, ...LIFTED, act(PLANT, 'AcceptanceStopped')],
      /a stands accepted against/,
    ],
    [
      'of one kind of waste',
      [...RIGHT, act(PLANT, 'WasteTypesStopped', { stopped_types: ['grease', 'septage'] })],
      /a stands accepted against .* \(types\)/,
    ],
    ['of one hauler', [...RIGHT, act(PERMIT, 'HaulerStopped')], /a stands accepted against .* \(hauler\)/],
    ['it is decided twice', [...RIGHT, refused('a', [finding(100)])], /it is accepted already/],
    ['it is held twice', [...RIGHT, reserved(PLANT, 'a', 600)], /it is held already/],
    ['it is asked twice', [...RIGHT, submitted('a', 600)], /it is asked twice/],
    ['nobody asked', [...RIGHT, reserved(PERMIT, 'z', 1), accepted('z')], /nobody asked for it/],
    ['a refusal says nothing', [...A_ACCEPTED, ...B, refused('b', [])], /nothing stands against it/],
    [
      'a refusal without figures',
      [...A_ACCEPTED, ...B, refused('b', [finding(100, { operands: [] })])],
      /no clause or no figures/,
    ],
    [
      'a refusal with figures of its own',
      [...A_ACCEPTED, ...B, refused('b', [finding(200)])],
      /it is 100 gal over, and is told -200/,
    ],
    [
      'a refusal though there is room',
      [...A_ACCEPTED, submitted('b', 400), refused('b', [finding(100)])],
      /there was room for it: 0 gal are left/,
    ],
    ['a load is posted twice', [...POURED, posted(PERMIT, 'a', 600, 2)], /it stands there already/],
    ['what is reversed does not stand', [...POURED, reversed(PERMIT, 1)], /what it reverses does not stand/],
    [
      'the same is posted again',
      [...POURED, reversed(PERMIT, 5), posted(PERMIT, 'a', 600)],
      /the same is posted there again/,
    ],
  ])('%s', (_, planted, fault) => {
    const found = faultsOf(logOf(planted), ARTICLE);
    expect(found.join('\n')).toMatch(fault);
  });

  it('an append is seen as a whole', () => {
    const stopped = act(PLANT, 'AcceptanceStopped');
    expect(faultsOf(logOf([...RIGHT, stopped, withdrawn(PLANT, 'a')]), ARTICLE)).not.toEqual([]);
  });
});

describe('what is left behind when nothing is under way any more', () => {
  it.each([
    ['a reservation of what was refused', RIGHT.slice(0, -1), /holds 500 gal for b/],
    ['a reservation of what was never decided', [...A_ACCEPTED, ...B], /holds 500 gal for b/],
    [
      'an acceptance without its reservation',
      [...RIGHT, withdrawn(PLANT, 'a')],
      /a reservation of it is gone/,
    ],
    ['a manifest that nobody answered', [...RIGHT, submitted('c', 1)], /c was never answered/],
    ['a load that is not posted', POURED.slice(0, -1), /a is posted 0 times in permit-p/],
    ['a load that is not posted on the thing', POURED.toSpliced(-2, 1), /a is posted 0 times in subject-/],
    [
      'a load that is posted as it was',
      [...POURED, corrected('a', { set: { quantity: gal(7) } })],
      /a is posted in permit-p as it was/,
    ],
    [
      'a void load that counts',
      [...POURED, corrected('a', { void: true })],
      /a is posted 1 times in permit-p/,
    ],
    [
      'a load that came after the stop, and nobody is told',
      [...RIGHT, withdrawn(PLANT, 'a'), withdrawn(PERMIT, 'a'), discharged('a', 600)],
      /a came unaccepted, and J is not violated/,
    ],
    [
      'a load that was accepted, and is called a violation',
      [...POURED, unaccepted('a')],
      /a came accepted, and J is/,
    ],
  ])('%s', (_, planted, fault) => {
    expect(leftBehind(logOf(planted), ARTICLE).join('\n')).toMatch(fault);
  });

  it('past its time nothing is held', () => {
    const log = logOf([...A_ACCEPTED, ...B]);
    expect(leftBehind(log, ARTICLE, Date.parse(UNTIL))).toEqual([]);
  });
});

describe('what a caller was told', () => {
  const answer = (more: Partial<Answer> & { readonly body: Answer['body'] }): Answer => ({
    ...{ what: 'manifest', ticket: 'T-a', status: 201, sent: 5, answered: 6 },
    ...more,
  });
  const said = (one: Answer): string => disagreements(logOf(RIGHT), [one], [], ARTICLE).join('\n');
  const ACCEPTED = { id: 'a', status: 'accepted', event: `${PERMIT}@3` };
  const REFUSED = { id: 'b', event: `${PERMIT}@4`, findings: [finding(100)] };

  it('agrees with the log', () => {
    expect(said(answer({ body: ACCEPTED }))).toBe('');
    expect(said(answer({ ticket: 'T-b', status: 422, body: REFUSED }))).toBe('');
  });

  it.each([
    ['of another ticket', { ticket: 'T-z', body: ACCEPTED }, /of ticket T-a/],
    ['of nothing', { body: { ...ACCEPTED, id: 'z' } }, /nobody asked for it in the log/],
    [
      'by an event that is not there',
      { body: { ...ACCEPTED, event: `${PERMIT}@9` } },
      /the log has no permit-p@9/,
    ],
    [
      'accepted, and it is refused',
      { ticket: 'T-b', body: { ...REFUSED, status: 'accepted' } },
      /says refused/,
    ],
    ['refused, and it is accepted', { status: 422, body: ACCEPTED }, /it was told refused/],
    [
      'refused, for something else',
      { ticket: 'T-b', status: 422, body: { ...REFUSED, findings: [finding(1, { clause: 'E' })] } },
      /it was told E, and the log says F.2.volume/,
    ],
    ['no word at all', { body: { ...ACCEPTED, status: 'perhaps' } }, /which is no answer/],
    ['a load that is not there', { what: 'discharge', body: { id: 'a' } }, /the load is not in the log/],
  ] as const)('%s', (_, more, fault) => {
    expect(said(answer(more))).toMatch(fault);
  });

  it('accepted, after a stop was answered; before it, or once it is lifted, it may be', () => {
    const stop = { name: 'the stop', stream: PLANT, against: () => true };
    const one = answer({ body: ACCEPTED });
    const found = (end: { answered: number; lifted?: number }): readonly string[] =>
      disagreements(logOf(RIGHT), [one], [{ ...stop, ...end }], ARTICLE);
    expect(found({ answered: 4 })).toEqual([
      'manifest T-a (201): it was told accepted after the stop had been answered',
    ]);
    expect(found({ answered: 7 })).toEqual([]);
    expect(found({ answered: 4, lifted: 5 })).toEqual([]);
  });
});

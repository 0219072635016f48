import 'reflect-metadata';
import fc from 'fast-check';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { CheckDto, CheckQuery } from '../checks/check.dto';
import { DutiesQuery } from '../duties/duty.dto';
import { LedgersQuery } from '../ledgers/ledger.dto';
import { CorrectionDto, LoadDto, LoadsQuery } from '../loads/load.dto';
import { AcceptanceDto, EndManifestDto, ManifestDto, ManifestsQuery } from '../manifests/manifest.dto';
import { PackQuery } from '../packs/pack.dto';
import {
  ApprovalDto,
  ConditionsDto,
  GroundedDto,
  InformationDto,
  InformationRequestDto,
  PlainDecisionDto,
  ReasonedDto,
} from '../permits/decision.dto';
import { ApplicationDto, PermitsQuery, RenewalDto } from '../permits/permit.dto';
import { ClockDto } from '../sandbox/clock.dto';
import {
  ActDto,
  FactsDto,
  LedgerOfQuery,
  RegistrationDto,
  SubjectsQuery,
  SupersessionDto,
} from '../subjects/subject.dto';
import { ViolationsQuery } from '../violations/violation.dto';
import { faultsOf, hasShape } from './faults-of';
import { CutQuery, HistoryQuery, NoQuery, ReadQuery, WriteQuery } from './shared.dto';
import { newAjv, shownSchemas } from './schemas';

type Class = new () => object;

const ID = '0f0e0d0c-0b0a-4908-8706-050403020100';
const LOAD = {
  pack: 'some-law',
  load: 'putting',
  permitId: ID,
  manifestId: ID,
  subject: { kind: 'plot', key: 'P-1' },
  hauler: { kind: 'carrier', key: 'C-9' },
  vehicle: { kind: 'truck', key: 'T-1' },
  ticket: 'S-77',
  occurredAt: '2027-07-03T15:00:00-05:00',
  finishedAt: '2027-07-03T16:00:00-05:00',
  quantity: { value: '2500', unit: 'gal' },
  sources: [
    {
      wasteType: 'x',
      quantity: '10 gal',
      servicedAt: '2027-07-03T10:00:00Z',
      location: 'there',
      place: { kind: 'yard', key: 'Y-1' },
    },
  ],
  facts: { depth: '1 in' },
  signedBy: 'A. Person',
  distinct: true,
  reason: 'r',
  evidence: 'e',
};

const SAID = { occurredAt: LOAD.occurredAt, by: { person: 'p', evidence: 'e' }, evidence: 'e' };

const { load: _load, manifestId: _manifest, finishedAt: _finished, ...ASKED } = LOAD;
const MANIFEST = { ...ASKED, manifest: 'asking', plannedAt: '2027-07-03T18:00:00-05:00' };

/** A good body of each DTO, with every member in it. */
const GOOD: readonly (readonly [Class, object])[] = [
  [LoadDto, LOAD],
  [
    CorrectionDto,
    {
      reason: 'r',
      evidence: 'e',
      void: false,
      set: {
        quantity: '2400 gal',
        facts: {},
        subject: LOAD.subject,
        permitId: ID,
        occurredAt: LOAD.occurredAt,
        finishedAt: LOAD.finishedAt,
      },
    },
  ],
  [
    RegistrationDto,
    {
      jurisdiction: 'a-town',
      key: 'P-1',
      name: 'n',
      geometry: { type: 'Polygon' },
      occurredAt: LOAD.occurredAt,
      facts: {},
      reason: 'r',
      evidence: 'e',
    },
  ],
  [
    FactsDto,
    { occurredAt: LOAD.occurredAt, facts: {}, evidence: 'e', corrects: 's@1', annuls: 's@2', reason: 'r' },
  ],
  [
    ActDto,
    {
      pack: 'some-law',
      occurredAt: LOAD.occurredAt,
      facts: {},
      note: 'n',
      by: { person: 'p', evidence: 'e' },
      hauler: 'C-9',
      reason: 'r',
      evidence: 'e',
    },
  ],
  [
    SupersessionDto,
    { successors: [{ kind: 'plot', key: 'P-2', share: '1/2' }], on: '2027-07-03', reason: 'r' },
  ],
  [
    CheckDto,
    {
      pack: 'some-law',
      assessment: 'may',
      asOf: LOAD.occurredAt,
      subject: LOAD.subject,
      hauler: LOAD.hauler,
      vehicle: LOAD.vehicle,
      quantity: '3 ton',
      permitId: ID,
      facts: {},
    },
  ],
  [ClockDto, { now: LOAD.occurredAt }],
  [
    ApplicationDto,
    {
      ...SAID,
      reason: 'r',
      pack: 'some-law',
      permitType: 'yearly',
      applicant: LOAD.hauler,
      facts: { depth: '1 in' },
    },
  ],
  [RenewalDto, { ...SAID, reason: 'r', facts: {} }],
  [InformationRequestDto, { ...SAID, reason: 'r', facts: ['depth', 'width'] }],
  [InformationDto, { ...SAID, reason: 'r', facts: {}, note: 'n' }],
  [PlainDecisionDto, { ...SAID, reason: 'r' }],
  [ApprovalDto, { ...SAID, reason: 'r', sets: {}, waive: [{ clause: 'A', reason: 'r' }], issue: false }],
  [ReasonedDto, { ...SAID, reason: 'r' }],
  [GroundedDto, { ...SAID, reason: 'r', grounds: ['A', 'B'] }],
  [ConditionsDto, { ...SAID, reason: 'r', conditions: ['By day alone.'], sets: {} }],
  [ManifestDto, MANIFEST],
  [AcceptanceDto, { facts: {}, reason: 'r', evidence: 'e' }],
  [EndManifestDto, { reason: 'r', evidence: 'e' }],
];

/** class-validator's own verdict, as Nest's ValidationPipe would reach it. */
function passesClassValidator(shape: Class, value: unknown): boolean {
  const options = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return validateSync(plainToInstance(shape, value), options).length === 0;
}

const ODD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    2.5,
    '',
    ' ',
    'x',
    [],
    {},
    [[]],
    [null],
    [{}],
    '\u{1F69B}',
  ),
  fc.constantFrom<unknown>(
    '2500 gal',
    '2500',
    { value: '1', unit: 'gal' },
    { value: '1' },
    { value: 1, unit: 'gal', x: 1 },
  ),
  fc.constantFrom<unknown>(
    '2027-07-03',
    '2027-02-30',
    '2027-07-03T15:00:00',
    '2027-07-03T15:00:00Z',
    '2027-07-03T25:00:00Z',
  ),
  fc.constantFrom<unknown>(ID, ID.toUpperCase(), ['A'], ['A', ' '], ['A', 7], Array(201).fill('A')),
  fc.constantFrom<unknown>({ kind: 'a', key: 'b' }, { kind: 'a' }, [{ kind: 'a', key: 'b' }], 's@1', 'true'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.integer({ min: 95, max: 205 }).map((length) => '\u{1F69B}'.repeat(length)),
  fc.integer({ min: 1_990, max: 2_010 }).map((length) => 'y'.repeat(length)),
);

/** A good body with some members changed, taken out, added or nested wrongly, at any depth. */
function damaged(good: object): fc.Arbitrary<unknown> {
  const paths = pathsOf(good, []);
  const damage = fc.record({
    path: fc.constantFrom(...paths),
    how: fc.constantFrom('set', 'drop', 'add'),
    value: ODD,
    name: fc.constantFrom('extra', 'Reason', 'x-y', 'quantty', 'toString'),
  });
  return fc.array(damage, { maxLength: 3 }).map((damages) => {
    const body = structuredClone(good) as Record<string, unknown>;
    // A copy each time: two damages with one value could put it into itself.
    for (const { path, how, value, name } of damages) apply(body, path, how, structuredClone(value), name);
    return body;
  });
}

function pathsOf(value: unknown, above: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [above];
  const inner = Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...above, key]));
  return above.length === 0 ? inner : [above, ...inner];
}

function apply(
  body: Record<string, unknown>,
  path: readonly string[],
  how: string,
  value: unknown,
  name: string,
): void {
  let at: unknown = body;
  for (const step of path.slice(0, -1)) at = (at as Record<string, unknown> | undefined)?.[step];
  if (typeof at !== 'object' || at === null) return;
  const holder = at as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (how === 'set') holder[last] = value;
  else if (how === 'add' && !Array.isArray(holder) && name !== 'toString') holder[name] = value;
  else if (how === 'drop' && !Array.isArray(holder)) Reflect.deleteProperty(holder, last);
}

describe('class-validator and Ajv read the same decorators', () => {
  it.each(GOOD)('%p: a good body passes both', (shape, good) => {
    expect(hasShape(shape, good)).toBe(true);
    expect(passesClassValidator(shape, good)).toBe(true);
  });

  it.each(GOOD)('%p: they agree on damaged bodies, and what is refused has a fault', (shape, good) => {
    let refused = 0;
    fc.assert(
      fc.property(damaged(good), (body) => {
        const passes = hasShape(shape, body);
        expect([passes, body]).toEqual([passesClassValidator(shape, body), body]);
        if (passes) return;
        refused++;
        expect(faultsOf(shape, body, 'body').length).toBeGreaterThan(0);
      }),
      { numRuns: 1_500 },
    );
    // A property that never met a bad body would hold of anything.
    expect(refused).toBeGreaterThan(200);
  });

  it.each([null, [], 'x', 1, true, undefined])('%p is no body', (value) => {
    expect(hasShape(LoadDto, value)).toBe(false);
    expect(faultsOf(LoadDto, value, 'body')).toMatchObject([{ pointer: '', code: 'no-object' }]);
  });
});

describe('faults', () => {
  it('come all at once, each with its pointer, and say what to do', () => {
    const body = {
      ...LOAD,
      subject: [],
      hauler: { kind: 'carrier', kee: 'C-9' },
      ticket: '',
      occurredAt: '2027-02-30T10:00:00-06:00',
      finishedAt: '2027-07-03T15:00:00',
      quantity: 2500,
      sources: [{ wasteType: 'x', quantity: '10 gallon' }, 7],
      distinct: 'true',
      quantty: '1 gal',
    };
    const faults = faultsOf(LoadDto, body, 'body');
    const said = Object.fromEntries(faults.map(({ pointer, detail, hint }) => [pointer, [detail, hint]]));
    expect(said).toEqual({
      '/subject': ["'subject' must be a JSON object.", undefined],
      '/hauler/kee': ["'kee' has no place here.", "did you mean 'key'?"],
      '/hauler/key': ["'key' is missing.", "'key' must be a text of 1 to 200 characters."],
      '/ticket': ["'ticket' must be a text of 1 to 200 characters.", undefined],
      '/occurredAt': ["'occurredAt' is no instant: '2027-02-30' is no date.", undefined],
      '/finishedAt': [expect.stringContaining('has no offset'), undefined],
      '/quantity': ['\'quantity\': 2500 has no unit; write it as "2500 ft".', undefined],
      '/sources/0/quantity': [expect.stringContaining("'gallon' is no unit we know"), undefined],
      '/sources/1': [expect.stringContaining('object'), undefined],
      '/distinct': ["'distinct' must be true or false, without quotes.", undefined],
      '/quantty': ["'quantty' has no place here.", "did you mean 'quantity'?"],
    });
  });

  it('of a query name the parameter in their sentence and have no pointer', () => {
    const query = { limit: '0', findng: 'unknown', ticket: ['a', 'b'], constructor: 'x' };
    const faults = faultsOf(LoadsQuery, query, 'query');
    expect(faults.every(({ pointer }) => pointer === undefined)).toBe(true);
    expect(faults.map(({ detail, hint }) => `${detail} ${hint ?? ''}`).toSorted()).toEqual([
      "'limit' must be a whole number from 1 to 500. ",
      "'ticket' must be a text of 1 to 200 characters. ",
      expect.stringContaining("There is no parameter 'constructor' here."),
      "There is no parameter 'findng' here. did you mean 'finding'?",
    ]);
  });
});

describe('schemas', () => {
  const shapes: readonly Class[] = [
    ...GOOD.map(([shape]) => shape),
    ...[CheckQuery, DutiesQuery, LedgersQuery, LoadsQuery, PackQuery, LedgerOfQuery, SubjectsQuery],
    ...[
      ViolationsQuery,
      PermitsQuery,
      ManifestsQuery,
      CutQuery,
      HistoryQuery,
      NoQuery,
      ReadQuery,
      WriteQuery,
    ],
  ];

  it('every DTO compiles in the strict mode of Ajv and refuses unknown keys', () => {
    const ajv = newAjv(false);
    for (const shape of shapes) {
      const verdict = ajv(shape.name);
      expect([shape.name, verdict({ 'no such key': 1 })]).toEqual([shape.name, false]);
    }
  });

  it('a shape without decorators is a mistake of ours, said in a sentence', () => {
    class Bare {}
    expect(() => hasShape(Bare, {})).toThrow('Bare has no decorator of shapes/decorators.ts');
  });

  it('every member is described for people', () => {
    const bare = Object.entries(shownSchemas()).flatMap(([name, schema]) =>
      Object.entries((schema['properties'] ?? {}) as Record<string, { description?: string }>)
        .filter(([, member]) => !member.description)
        .map(([member]) => `${name}.${member}`),
    );
    expect(bare).toEqual([]);
  });

  it('what is checked changes nothing', () => {
    const body = structuredClone({ ...LOAD, distinct: 'true', extra: 1 });
    hasShape(LoadDto, body);
    faultsOf(LoadDto, body, 'body');
    expect(body).toEqual({ ...LOAD, distinct: 'true', extra: 1 });
  });
});

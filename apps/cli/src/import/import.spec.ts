import type { JsonObject } from '@headworks/kernel';
import { readMapping, type Mapping } from './mapping';
import { runImport, type ImportAsked } from './run-import';
import { ServerAway, type Answered, type Server } from './server';

const LOG_MAPPING = `
import: loads
zone: America/Chicago
times: M/D/YYYY h:mm A
thousands: ","
skip_where_empty: [Start]
body:
  pack: example-law
  load: tipping
  subject: { kind: parcel, key: { column: Field } }
  hauler: { kind: hauler, key: { column: Lic } }
  ticket: { column: No }
  occurredAt: { time: [Date, Start] }
  quantity: { column: Gal, unit: gal }
  sources:
    split: From
    parts: [Place, Of it]
    each: { location: { column: Place }, quantity: { column: Of it, unit: gal } }
  facts:
    wet: { column: Wet, as: yes or no }
    kind: { column: Kind, words: { D: dairy } }
    depth: { column: Depth, unit: in, optional: yes }
    form: wet
`;
const HEAD = 'No,Lic,Date,Start,Field,Gal,From,Wet,Kind,Depth';
const GOOD = 'T-1,7,7/3/2027,3:05 PM,A 1,"2,500",barn = 1500; shed = 1000,yes,D,';

const mappingOf = (text: string): Mapping => {
  const mapping = readMapping(text);
  if ('faults' in mapping) throw new Error(mapping.faults.join('\n'));
  return mapping;
};

/** A server that remembers what it was sent, and answers as it is told. */
class Recorder implements Server {
  readonly sent: {
    readonly path: string;
    readonly body?: JsonObject | undefined;
    readonly key?: string | undefined;
  }[] = [];
  answer: (path: string, body: JsonObject | undefined) => Answered = (path) =>
    path.includes('dryRun') ? { status: 200, body: {} } : { status: 201, body: { violations: ['v'] } };

  readonly call: Server['call'] = async (_method, path, body, key) => {
    const answered = this.answer(path, body);
    if (!path.includes('dryRun')) this.sent.push({ path, body, key });
    return answered;
  };
}

let server: Recorder;
beforeEach(() => (server = new Recorder()));

const run = (lines: readonly string[], more: Partial<ImportAsked> = {}, mapping = LOG_MAPPING) =>
  runImport({
    file: 'log.csv',
    text: [HEAD, ...lines].join('\n'),
    mapping: mappingOf(mapping),
    server,
    ...more,
  });

describe('a log is read into loads', () => {
  it('columns become members with their units; constants, words, splits and local times', async () => {
    const { recorded, violations, faults } = await run([GOOD]);
    expect([recorded, violations, faults]).toEqual([1, ['v'], []]);
    expect(server.sent[0]?.body).toEqual({
      pack: 'example-law',
      load: 'tipping',
      subject: { kind: 'parcel', key: 'A 1' },
      hauler: { kind: 'hauler', key: '7' },
      ticket: 'T-1',
      occurredAt: '2027-07-03T20:05:00.000Z',
      quantity: { value: '2500', unit: 'gal' },
      sources: [
        { location: 'barn', quantity: { value: '1500', unit: 'gal' } },
        { location: 'shed', quantity: { value: '1000', unit: 'gal' } },
      ],
      facts: { wet: true, kind: 'dairy', form: 'wet' },
    });
  });

  it('run again it sends the same under the same keys, whatever lines stand around', async () => {
    await run([GOOD]);
    await run([GOOD.replace('T-1', 'T-0'), '', GOOD]);
    const keys = server.sent.map(({ key }) => key);
    expect(keys).toEqual([expect.stringMatching(/^import-loads-/), expect.anything(), keys[0]]);
    expect(new Set(keys).size).toBe(2);
  });

  it('what stands already is counted and not sent', async () => {
    server.answer = () => ({ status: 200, body: { events: [] } });
    expect(await run([GOOD])).toMatchObject({ recorded: 0, standing: 1 });
    expect(server.sent).toEqual([]);
  });

  it('takes the days that are asked for, and passes over what was never brought', async () => {
    const other = GOOD.replace('T-1', 'T-2').replace('7/3', '7/4');
    const never = GOOD.replace('T-1', 'T-3').replace('3:05 PM', '');
    const { rows, skipped } = await run([GOOD, other, never], { from: '2027-07-04', until: '2027-07-04' });
    expect([rows, skipped, server.sent.map(({ body }) => body?.['ticket'])]).toEqual([1, 2, ['T-2']]);
  });

  it('says why what is entered late is late, where the mapping does not', async () => {
    await run([GOOD], { reason: 'entered on Monday', evidence: 'sheet 7' });
    expect(server.sent[0]?.body).toMatchObject({ reason: 'entered on Monday', evidence: 'sheet 7' });
  });
});

describe('every error of every row at once, and nothing is sent', () => {
  const wrong = (from: string, to: string): string => GOOD.replace(from, to);

  it('each names its line, its column, and what to do', async () => {
    const lines = [
      GOOD,
      wrong('"2,500"', 'much').replace('7/3/2027', '2/30/2027').replace('T-1', 'T-2'),
      wrong('yes', 'maybe')
        .replace('D,', 'X,')
        .replace('barn = 1500; shed = 1000', 'barn')
        .replace('T-1', 'T-3'),
      wrong('T-1', ''),
      GOOD,
      `${GOOD},too many`,
    ];
    const { faults, recorded } = await run(lines);
    expect(faults).toEqual([
      'line 7: it has 11 cells and the first line 10; put a cell that holds a delimiter in quotes',
      'line 3, Date and Start: there is no day 2027-02-30',
      "line 3, Gal: 'much' is no number: write it as 2500 or 0.5, the unit stands in the mapping",
      "line 4, From: 'barn' is not written as Place = Of it",
      "line 4, Wet: 'maybe' is neither yes nor no",
      "line 4, Kind: 'X' is none of D; add it to the mapping's words",
      "line 5, No: it is empty; fill it in, or let the mapping say 'optional: yes'",
      'line 6: ticket T-1 of hauler 7 stands in line 2 too; take out the one that is wrong',
    ]);
    expect([recorded, server.sent]).toEqual([0, []]);
  });

  it.each([
    [
      '3/14/2027',
      '2:30 AM',
      /does not exist in America\/Chicago.*: write 2027-03-14T03:30-05:00 if that is meant/,
    ],
    ['11/7/2027', '1:30 AM', /comes twice.*: write 2027-11-07T01:30:00-05:00 or 2027-11-07T01:30:00-06:00/],
    ['7/3/2027', '13:05 PM', /has no such hour: write 1 to 12 with AM or PM/],
    ['7/3/2027', '15:05', /'7\/3\/2027 15:05' is not written as M\/D\/YYYY h:mm A/],
  ])('the time %s %s', async (date, time, why) => {
    const { faults } = await run([GOOD.replace('7/3/2027', date).replace('3:05 PM', time)]);
    expect(faults).toEqual([expect.stringMatching(why)]);
  });

  it('an hour that comes twice is said with its offset, and then taken', async () => {
    await run([GOOD.replace('7/3/2027', '11/7/2027').replace('3:05 PM', '2027-11-07T01:30:00-06:00')]);
    expect(server.sent[0]?.body?.['occurredAt']).toBe('2027-11-07T07:30:00.000Z');
  });

  it('what the server finds is told by the column that it came from', async () => {
    const errors = [
      { pointer: '/quantity/value', detail: 'It is too much.', hint: 'check the meter' },
      { pointer: '/facts/form', detail: 'There is no such form.' },
      { pointer: '/evidence', detail: 'Say what shows it.' },
    ];
    server.answer = (_path, body) =>
      body?.['ticket'] === 'T-1' ? { status: 400, body: { errors } } : { status: 200, body: {} };
    expect((await run([GOOD.replace('T-1', 'T-0'), GOOD])).faults).toEqual([
      'line 3, Gal: It is too much. (check the meter)',
      'line 3, /facts/form: There is no such form.',
      'line 3, /evidence: Say what shows it.',
    ]);
    expect(server.sent).toEqual([]);
  });

  it('columns that are not there, doubled ones, and a file that is none', async () => {
    const text = `${HEAD.replace('Wet', 'Damp')}\n${GOOD}`;
    expect((await run([], { text })).faults).toEqual([
      expect.stringMatching(/^the file, Wet: there is no such column; there are No, Lic/),
    ]);
    expect((await run([], { text: 'A,A\n1,2' })).faults[0]).toMatch(/two columns are called 'A'/);
    expect((await run([], { text: '' })).faults[0]).toMatch(/it is empty/);
    expect((await run([], { text: 'No,"Lic\n1,2' })).faults[0]).toMatch(/it is no CSV/);
  });
});

describe('what the server knows of a row', () => {
  const MAPPING = LOG_MAPPING.replace('import: loads', 'import: manifests').replace(
    'body:',
    'body:\n  permitId: { look_up: permit, type: tipping }\n  manifestId: { look_up: manifest, optional: yes }',
  );
  const YEAR = { from: '2027-01-01', until: '2027-12-31' };
  const NEXT = { from: '2028-01-01', until: '2028-12-31' };
  let permits: readonly JsonObject[];
  let manifests: readonly JsonObject[];
  beforeEach(() => {
    [permits, manifests] = [[{ id: 'p-27', valid: YEAR }, { id: 'p-28', valid: NEXT }, { id: 'filed' }], []];
    server.answer = (path) => {
      if (path.startsWith('/permits?')) return { status: 200, body: { items: permits, next: null } };
      if (path.startsWith('/manifests?h')) return { status: 200, body: { items: manifests } };
      return path.includes('dryRun') ? { status: 200, body: {} } : { status: 201, body: {} };
    };
  });
  const posted = () => server.sent.filter(({ path }) => path === '/manifests');

  it('the permit of the hauler on the day, and the manifest of the ticket, where one stands', async () => {
    manifests = [
      { id: 'm-0', status: 'refused' },
      { id: 'm-1', status: 'accepted' },
    ];
    await run([GOOD], {}, MAPPING);
    expect(posted()[0]?.body).toMatchObject({ permitId: 'p-27', manifestId: 'm-1' });
    permits = [{ id: 'p-ever', valid: { from: '2027-01-01', until: null } }];
    await run([GOOD], {}, MAPPING);
    expect(posted()[1]?.body).toMatchObject({ permitId: 'p-ever' });
  });

  it('without a manifest it is left out; without a permit, or with two, it is an error of the row', async () => {
    await run([GOOD], {}, MAPPING);
    expect(posted()[0]?.body).not.toHaveProperty('manifestId');
    permits = [];
    expect((await run([GOOD], {}, MAPPING)).faults).toEqual([
      expect.stringMatching(
        /^line 2: hauler 7 has no permit \(tipping\) on 2027-07-03; see GET \/v1\/permits\?/,
      ),
    ]);
    permits = [
      { id: 'a', valid: YEAR },
      { id: 'b', valid: YEAR },
    ];
    expect((await run([GOOD], {}, MAPPING)).faults[0]).toMatch(/has more than one permit/);
    expect(posted()).toHaveLength(1);
  });

  it('what was asked before stands, also when its time is over; what was not is an error', async () => {
    const usual = server.answer;
    server.answer = (path, body) => {
      if (path.includes('dryRun')) return { status: 400, body: { detail: 'The time is over.' } };
      const refused = { status: 422, body: { type: 'https://headworks.invalid/problems/refused' } };
      return path === '/manifests' ? refused : usual(path, body);
    };
    expect((await run([GOOD], {}, MAPPING)).faults).toEqual(['line 2: The time is over. (400)']);
    expect(posted()).toEqual([]);
    manifests = [{ id: 'm-1', status: 'refused' }];
    expect(await run([GOOD], {}, MAPPING)).toMatchObject({ standing: 1, refused: [], faults: [] });
  });
});

it('what stops half way says what stands, and is no error of the rows after it', async () => {
  server.answer = (path, body) =>
    !path.includes('dryRun') && body?.['ticket'] === 'T-2'
      ? { status: 503, body: { detail: 'The log is away.' } }
      : { status: 201, body: {} };
  const imported = await run(['T-1', 'T-2', 'T-3'].map((ticket) => GOOD.replace('T-1', ticket)));
  expect(imported).toMatchObject({ recorded: 1, faults: [] });
  expect(imported.stopped).toBe(
    'line 3: The log is away. (503)\nRows before it are recorded; put it right and run the import again.',
  );
});

it('a server that goes away half way does not take the account of what is recorded with it', async () => {
  server.answer = (path, body) => {
    if (!path.includes('dryRun') && body?.['ticket'] === 'T-2') throw new ServerAway('Nothing answers.');
    return { status: 201, body: { violations: ['v-1'] } };
  };
  const imported = await run(['T-1', 'T-2', 'T-3'].map((ticket) => GOOD.replace('T-1', ticket)));
  expect(imported).toMatchObject({ recorded: 1, violations: ['v-1'], faults: [] });
  expect(imported.stopped).toBe(
    'line 3: Nothing answers.\nRows before it are recorded, and it may be; run the import again: nothing is recorded twice.',
  );
  server.answer = () => {
    throw new ServerAway('Nothing answers.');
  };
  await expect(run([GOOD])).rejects.toThrow(ServerAway);
});

describe('features are registered', () => {
  const MAPPING = `
import: subjects
kind: parcel
zone: America/Chicago
body: { jurisdiction: wi-example-town, key: { column: TAXKEY }, geometry: { shape: yes }, facts: { area: { column: ACRES, unit: acre } } }
`;
  const feature = (properties: unknown, geometry: unknown = { type: 'Point', coordinates: [1, 2] }) => ({
    ...{ type: 'Feature', properties, geometry },
  });
  const register = (features: readonly unknown[]) =>
    run(
      [],
      { file: 'parcels.geojson', text: JSON.stringify({ type: 'FeatureCollection', features }) },
      MAPPING,
    );

  it('with their shape', async () => {
    expect(await register([feature({ TAXKEY: 'A 1', ACRES: 40 })])).toMatchObject({ recorded: 1 });
    expect(server.sent).toEqual([
      {
        path: '/subjects/parcel',
        key: expect.stringMatching(/^import-subjects-/),
        body: {
          jurisdiction: 'wi-example-town',
          key: 'A 1',
          geometry: { type: 'Point', coordinates: [1, 2] },
          facts: { area: { value: '40', unit: 'acre' } },
        },
      },
    ]);
  });

  it('or told by their number', async () => {
    const { faults } = await register([feature({ TAXKEY: 'A 1', ACRES: '' }, null), feature(null), 7]);
    expect(faults).toEqual([
      "feature 2: it is no Feature with properties; export the layer's attributes too",
      "feature 3: it is no Feature with properties; export the layer's attributes too",
      'feature 1: it has no shape; export the layer with its geometry',
      "feature 1, ACRES: it is empty; fill it in, or let the mapping say 'optional: yes'",
    ]);
    expect((await run([], { file: 'a.geojson', text: '[]' }, MAPPING)).faults[0]).toMatch(
      /no FeatureCollection/,
    );
  });
});

it.each([
  ['zone: America/Chicago', 'zone: Chicago', /zone: say the zone/],
  ['import: loads', 'import: trips', /import: say which of loads, manifests, subjects/],
  ['times: M/D/YYYY h:mm A', 'times: M/D h:mm', /does not say a time, each part once/],
  [
    'skip_where_empty',
    'skip_were_empty',
    /'skip_were_empty' means nothing here; is 'skip_where_empty' meant\?/,
  ],
  ['unit: gal }', 'units: gal }', /body\.quantity: 'units' means nothing here; is 'unit' meant\?/],
  ['as: yes or no', 'as: bool', /'as' is one of text, number, yes or no/],
  ['parts: [Place, Of it]', 'by: ";"', /has 'parts', what they are called/],
  ['ticket: { column: No }', 'permitId: { look_up: permit }', /say the type of the permit/],
])('a mapping with %s as %s is refused in a sentence', (from, to, why) => {
  const read = readMapping(LOG_MAPPING.replace(from, to));
  expect('faults' in read ? read.faults.join('\n') : '').toMatch(why);
});

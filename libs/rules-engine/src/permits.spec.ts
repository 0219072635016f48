import { checkRules, loadRules } from './load/load-rules';
import { onlyPack, removeRulesDirs, rulesDir, source } from './testing/rules-dir.testing';
import { PERMITS_PACK } from './testing/permits-pack.testing';

afterAll(removeRulesDirs);

const load = (text = PERMITS_PACK) => onlyPack(loadRules(rulesDir({ 'demo/1.yaml': text })));

describe('permits of a pack', () => {
  it('are compiled with who decides, under what, and how long they last', () => {
    expect(load().permits.get('painting')).toEqual({
      name: 'painting',
      title: 'Permit to paint',
      cite: 'par. 1',
      rows: ['DM-01'],
      holder: 'painter',
      judgedBy: 'asking',
      form: ['colour', 'most_paint'],
      needs: ['most_paint'],
      completeUnder: [],
      decidedUnder: ['C1'],
      issuedUnder: [],
      waivedBy: { C1: 'C5' },
      reviewedBy: { body: 'clerk' },
      decidedBy: { body: 'board', notSameAs: 'completion' },
      issuedBy: { body: 'clerk' },
      revokedBy: { body: 'board' },
      suspendedUnder: [],
      revokedUnder: [],
      grounds: ['C3', 'C4'],
      sets: ['most_paint'],
      gives: { asked_on: 'filed_on', decided_on: 'decided_on', standing: 'status' },
      valid: { calendarYear: 'following', then: 'expired' },
      renewable: true,
      facts: ['colour', 'most_paint', 'asked_on', 'decided_on', 'standing', 'insured'],
    });
  });

  it.each([
    [
      '{ for: 2 years, from: issued_on, then: void }',
      { amount: 2, unit: 'years', from: 'issued_on', then: 'void' },
    ],
    [
      '{ for: 1 month, from: issued_on, then: expired }',
      { amount: 1, unit: 'months', from: 'issued_on', then: 'expired' },
    ],
    ['{ calendar_year: same, then: expired }', { calendarYear: 'same', then: 'expired' }],
    ['{ no_end: yes }', { noEnd: true, then: 'expired' }],
    [
      '{ from: asked_on, until: decided_on, then: void }',
      { from: 'asked_on', until: 'decided_on', then: 'void' },
    ],
  ])('are valid for %s', (written, valid) => {
    const text = PERMITS_PACK.replace('{ calendar_year: following, then: expired }', written);
    expect(load(text).permits.get('painting')?.valid).toEqual(valid);
  });
});

describe('facts of a permit', () => {
  const withFacts = (form: string, records: string) =>
    load(
      PERMITS_PACK.replace('form: [colour, most_paint]', `form: ${form}`).replace(
        'records: [insured]',
        `records: ${records}`,
      ),
    );

  it('may be asked on the form and recorded by an act all the same: an office confirms what was said', () => {
    const pack = withFacts('[colour, most_paint, insured]', '[insured, most_paint]');
    const facts = pack.permits.get('painting')?.facts;
    expect(facts).toEqual(['colour', 'most_paint', 'insured', 'asked_on', 'decided_on', 'standing']);
    expect(pack.acts.get('vouch')).toMatchObject({ on: 'permit', records: ['insured', 'most_paint'] });
  });

  it('are what the clauses of a limit on permits may read', () => {
    const pack = load();
    const question = (facts: Readonly<Record<string, unknown>>) => ({
      clauses: ['C3'],
      facts: source(pack, facts),
      now: 0,
    });
    const facts = { earlier: [{ paint: '7 gal' }], most_paint: '10 gal' };
    expect(pack.evaluate(question({ ...facts, painted: '3 gal' }))[0]).toMatchObject({
      status: 'satisfied',
      margin: { value: '0', unit: 'gal' },
    });
    expect(pack.statuses(question({ ...facts, painted: '3.001 gal' }))).toEqual(['violated']);
    expect(pack.headroom('permit_year', source(pack, { ...facts, painted: '1 gal' }))).toEqual([
      {
        limit: 'permit_year',
        clause: 'C3',
        used: { value: '8', unit: 'gal' },
        allowed: { value: '10', unit: 'gal' },
        remaining: { value: '2', unit: 'gal' },
      },
    ]);
  });
});

describe('manifests of a pack', () => {
  it('are compiled with the load that they ask for and what they reserve', () => {
    expect(load().manifests.get('leave')).toEqual({
      name: 'leave',
      label: 'Leave to paint',
      cite: 'par. 3',
      rows: ['DM-01'],
      on: 'wall',
      permit: 'painting',
      judgedBy: 'visit',
      reservesIn: ['permit_year'],
      then: 'coat',
      gives: { painted: 'quantity', seen_on: 'occurred_on' },
      facts: [],
      sources: { kind: 'mill', all: { from_here: 'local' } },
      until: 'end_of_day',
    });
  });

  it('may stand for some hours', () => {
    const text = PERMITS_PACK.replace('until: end_of_day', 'until: 6 h');
    expect(load(text).manifests.get('leave')?.until).toEqual({ hours: 6 });
  });

  it('ask for a load that is under the same permit and counts where they reserve', () => {
    const pack = load();
    expect(pack.loads.get('coat')).toMatchObject({
      permit: 'painting',
      countsIn: ['permit_year'],
      sources: { kind: 'mill', all: { from_here: 'local' } },
    });
    // Its clause reads what stands on the permit and what the posting carries, and nothing else.
    expect(pack.limits.get('permit_year')).toMatchObject({ key: 'permit', postingFacts: ['painted'] });
  });

  it('may ask of the places what is worked out from their facts', () => {
    const text = PERMITS_PACK.replaceAll('from_here: local', 'from_here: here').replace(
      'derived:\n',
      'derived:\n  here: { label: Here, when: { fact: local, is: yes } }\n',
    );
    const pack = load(text);
    expect(pack.manifests.get('leave')?.sources).toEqual({ kind: 'mill', all: { from_here: 'here' } });
    expect(pack.value('here', source(pack, { local: true }))).toBe(true);
    expect(pack.value('here', source(pack, {}))).toBeUndefined();
  });
});

describe('rows that permits and manifests claim', () => {
  const elsewhere = PERMITS_PACK.replaceAll('rows: [DM-01]', 'rows: [DM-03]');
  const rows = `
- { id: DM-01, cite: par. 1, says: The first., pack: demo }
- { id: DM-03, cite: par. 3, says: The third., pack: demo }
`;

  it.each([
    [
      'title: Permit to paint\n    cite: par. 1\n    rows: [DM-01]',
      'title: Permit to paint\n    cite: par. 1\n    rows: [DM-03]',
    ],
    [
      'label: Leave to paint\n    cite: par. 3\n    rows: [DM-01]',
      'label: Leave to paint\n    cite: par. 3\n    rows: [DM-03]',
    ],
  ])('count as answered for: %j', (claimed, unclaimed) => {
    const all = elsewhere.replace(unclaimed, claimed);
    const check = (text: string) => checkRules(rulesDir({ 'rows.yaml': rows, 'demo/1.yaml': text })).problems;
    expect(check(all)).toEqual([]);
    expect(check(all.replace(claimed, unclaimed)).map(({ message }) => message)).toEqual([
      "the row 'DM-01' is forgotten: nothing in 'demo' claims it. Claim it, list it under not_tested, or mark it later",
    ]);
  });
});

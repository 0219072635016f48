import { loadRules } from './load/load-rules';
import { onlyPack, removeRulesDirs, rulesDir } from './testing/rules-dir.testing';
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
  ])('are valid for %s', (written, valid) => {
    const text = PERMITS_PACK.replace('{ calendar_year: following, then: expired }', written);
    expect(load(text).permits.get('painting')?.valid).toEqual(valid);
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
});

import { join } from 'node:path';
import { isSealed, openMemoryKeyStore } from '@headworks/event-store';
import { nameId, type JsonObject, type JsonValue, type NewEvent } from '@headworks/kernel';
import { loadRules } from '@headworks/rules-engine';
import { sealer } from './sealer';

const rules = loadRules(join(__dirname, '../../../rules'));
const personal = [...rules.packs.values()]
  .flat()
  .flatMap((pack) => [...pack.facts.values()].filter((fact) => fact.personal))
  .map(({ name }) => name);

const event = (type: string, data: JsonObject): NewEvent => ({
  id: nameId('sealer', type),
  type,
  data,
  metadata: {
    occurred: { at: '2027-01-01T00:00:00.000Z' },
    recordedAt: '2027-01-01T00:00:00.000Z',
    actor: { id: 'ada', roles: ['clerk'] },
    correlationId: 'c',
    commandId: nameId('sealer', 'command'),
    schema: 1,
  },
});

const facts = Object.fromEntries([
  ...personal.map((name) => [name, 'Ada Lovelace']),
  ['in_the_open', '1 ft'],
]);
const sealedNames = (value: JsonValue | undefined): readonly string[] =>
  Object.entries((value ?? {}) as JsonObject)
    .filter(([, one]) => isSealed(one))
    .map(([name]) => name);

describe('facts that a pack calls personal', () => {
  it('are there to be sealed', () => expect(personal.length).toBeGreaterThan(1));

  it.each([
    ['FactsRecorded', { facts }, (data: JsonObject) => data['facts']],
    ['any-pack.AnyAct', { facts }, (data: JsonObject) => data['facts']],
    ['ApplicationFiled', { facts }, (data: JsonObject) => data['facts']],
    ['LoadCorrected', { set: { facts } }, (data: JsonObject) => (data['set'] as JsonObject)['facts']],
    ['ApplicationApproved', { sets: facts }, (data: JsonObject) => data['sets']],
    ['PermitConditioned', { sets: facts }, (data: JsonObject) => data['sets']],
  ])('are sealed wherever an event has them: %s', async (type, data, at) => {
    const sealed = await sealer(rules, openMemoryKeyStore())(event(type, data));
    expect(sealedNames(at(sealed.data))).toEqual(personal);
    expect(JSON.stringify(sealed)).not.toContain('Lovelace');
    expect(JSON.stringify(sealed)).toContain('in_the_open');
  });

  it('cost an event nothing that has none', async () => {
    const bare = event('PermitNumbered', { permit: 'p', series: 's', number: 1 });
    expect(await sealer(rules, openMemoryKeyStore())(bare)).toBe(bare);
  });
});

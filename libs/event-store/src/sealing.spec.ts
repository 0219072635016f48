import { isUuid, nameId } from '@headworks/kernel';
import type { JsonValue, NewEvent, RecordedEvent } from '@headworks/kernel';
import { sample } from './contract/sample-events';
import { openMemoryKeyStore } from './keys/memory-keys';
import { isSealed, openSealed, personId, reErase, seal, sealEvent, unsealEvent } from './sealing';

const key = Buffer.alloc(32, 7);
const context = { person: nameId('p'), key, eventId: nameId('e'), pointer: '/generator/name' };

const load = (): NewEvent =>
  sample('load', {
    data: {
      ticket: 'S-77',
      'a/b': { name: 'Kay Roe' },
      sources: [
        { wasteType: 'septage', generator: { name: 'Ann Doe', phone: '555 0100' } },
        { wasteType: 'septage', generator: { name: ' ann  DOE ', phone: '555 0100' } },
        { wasteType: 'septage', generator: null },
        { wasteType: 'septage' },
      ],
    },
  });
const POINTERS = ['/sources/*/generator', '/a~1b/name', '/nowhere/at/all'];
const identityOf = (value: JsonValue) =>
  typeof value === 'string' ? value : String((value as { name: string }).name);

describe('a sealed value', () => {
  it.each<[JsonValue]>([['Ann Doe'], [''], [{ name: 'Ann Doe', phone: ['1', null] }], [true], [7], [[]]])(
    'opens to %j with its key, event and place, and with nothing else',
    (value) => {
      const sealed = seal(value, context);
      expect(sealed).toMatchObject({ person: context.person, alg: 'A256GCM' });
      expect(JSON.stringify(sealed)).not.toContain('Ann Doe');
      expect(openSealed(sealed, context)).toEqual(value);
      for (const other of [
        { ...context, key: Buffer.alloc(32, 8) },
        { ...context, eventId: nameId('other') },
        { ...context, pointer: '/generator' },
      ])
        expect(() => openSealed(sealed, other)).toThrow(/unable to authenticate/);
      const forged = { ...sealed, ct: Buffer.alloc(40).toString('base64url') };
      expect(() => openSealed(forged, context)).toThrow(/unable to authenticate/);
      expect(() => openSealed({ ...sealed, ct: 'AAAA' }, context)).toThrow(/authentication tag length/i);
    },
  );

  it('is another text each time', () => {
    expect(seal('Ann', context)).not.toEqual(seal('Ann', context));
  });
});

describe('the id of a person', () => {
  it('is the same for one identity however it is typed, and a UUID', () => {
    const id = personId(key, ' ann  doe');
    expect(id).toBe(personId(key, 'ANN DOE'));
    expect(isUuid(id)).toBe(true);
    expect(id).not.toBe(personId(key, 'Ann Do'));
    expect(id).not.toBe(personId(Buffer.alloc(32, 8), 'Ann Doe'));
  });
});

describe('an event', () => {
  it('is sealed where the pointers say and nowhere else, and read back by whoever has the keys', async () => {
    const keys = openMemoryKeyStore();
    const sealed = await sealEvent(load(), POINTERS, keys, identityOf);
    const text = JSON.stringify(sealed);
    for (const personal of ['Ann Doe', ' ann  DOE ', '555 0100', 'Kay Roe'])
      expect(text).not.toContain(personal);
    expect(text).toContain('S-77');
    const sources = sealed.data['sources'] as { generator: { person: string } }[];
    expect(sources[0]?.generator.person).toBe(sources[1]?.generator.person);
    expect(sources.slice(2)).toEqual([{ wasteType: 'septage', generator: null }, { wasteType: 'septage' }]);
    expect(await unsealEvent(sealed, keys)).toEqual(load());
  });

  it('shows of an erased person only that it was erased, of a strange key that it is none', async () => {
    const keys = openMemoryKeyStore();
    const sealed = await sealEvent(load(), POINTERS, keys, identityOf);
    const person = personId(await keys.personSecret(), 'Ann Doe');
    await keys.eraseSealingKey(person);
    const { data } = await unsealEvent(sealed, keys);
    expect(data).toMatchObject({
      'a/b': { name: 'Kay Roe' },
      sources: [
        { generator: { person, unreadable: 'erased' } },
        { generator: { person, unreadable: 'erased' } },
        {},
        {},
      ],
    });
    const elsewhere = await unsealEvent(sealed, openMemoryKeyStore());
    expect(elsewhere.data).toMatchObject({
      sources: [{ generator: { person, unreadable: 'no-key' } }, {}, {}, {}],
    });
    const moved = await unsealEvent({ ...sealed, id: nameId('moved') }, keys);
    expect(moved.data['a/b']).toMatchObject({ name: { unreadable: 'damaged' } });
  });

  it('of somebody who was erased and came back is sealed under a next id', async () => {
    const keys = openMemoryKeyStore();
    const secret = await keys.personSecret();
    await keys.eraseSealingKey(personId(secret, 'Kay Roe'));
    const sealed = await sealEvent(load(), ['/a~1b/name'], keys, identityOf);
    expect(sealed.data['a/b']).toMatchObject({ name: { person: personId(secret, 'Kay Roe', 1) } });
    expect((await unsealEvent(sealed, keys)).data).toEqual(load().data);
  });

  it('seals a value that only looks sealed like any other', async () => {
    const keys = openMemoryKeyStore();
    const lookAlike = { alg: 'A256GCM', ct: 'Ann Doe', iv: '', person: 'x' };
    expect(isSealed(lookAlike)).toBe(true);
    const event = sample('forged', { data: { name: lookAlike } });
    const sealed = await sealEvent(event, ['/name'], keys, () => 'Ann Doe');
    expect(JSON.stringify(sealed)).not.toContain('Ann Doe');
    expect(await unsealEvent(sealed, keys)).toEqual(event);
  });
});

it('restored keys are erased again from the log', async () => {
  const keys = openMemoryKeyStore();
  const persons = ['one', 'two', 'three'].map((name) => nameId('person', name));
  for (const person of persons) await keys.sealingKey(person);
  const erased = (person: string, type = 'PersonErased') =>
    ({ ...sample('erasure', { type, data: { person } }), stream: 'log' }) as RecordedEvent;
  const [one = '', two = '', three = ''] = persons;
  expect(await reErase(keys, [erased(one), erased(two), erased(one), erased(three, 'SomethingElse')])).toBe(
    2,
  );
  expect(await keys.findSealingKey(one)).toEqual({ state: 'erased' });
  expect(await keys.findSealingKey(two)).toEqual({ state: 'erased' });
  expect(await keys.findSealingKey(three)).toMatchObject({ state: 'live' });
});

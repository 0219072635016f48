import { nameId, sha256Hex } from '@headworks/kernel';
import { carriedKeys } from './carried-keys.testing';
import type { KeysUnderTest } from './keys-under-test.testing';
import type { ApiKeyRow } from './port';

const person = nameId('person', 'one');
const apiKey = (id: string, patch: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id,
  name: `key ${id}`,
  secretHash: sha256Hex(id),
  roles: ['clerk', 'auditor'],
  jurisdictions: ['a-town'],
  holds: [],
  createdAt: '2027-01-01T00:00:00.000Z',
  revokedAt: null,
  ...patch,
});

type Demand = readonly [name: string, holds: (test: KeysUnderTest) => Promise<void>];

const claimsAndPersons: readonly Demand[] = [
  [
    'the first claim of a caller and key stands, whoever asks later',
    async (test) => {
      const [first, second] = [
        { bodyHash: 'b1', commandId: 'c1' },
        { bodyHash: 'b2', commandId: 'c2' },
      ];
      expect(await test.keys.claim('caller', 'key', first)).toEqual(first);
      expect(await test.keys.claim('caller', 'key', second)).toEqual(first);
      expect(await test.keys.claim('other', 'key', second)).toEqual(second);
      expect(await test.keys.claim('call', 'erkey', second)).toEqual(second);
    },
  ],
  [
    'of claims that race, one stands and all are told it',
    async (test) => {
      const second = test.second ?? test.keys;
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? test.keys : second).claim('caller', 'key', {
            bodyHash: `b${index}`,
            commandId: `c${index}`,
          }),
        ),
      );
      expect(new Set(answers.map((answer) => answer.commandId)).size).toBe(1);
    },
  ],
  [
    'a person has one key, made at first use, also when many ask at once',
    async (test) => {
      expect(await test.keys.findSealingKey(person)).toBeUndefined();
      const second = test.second ?? test.keys;
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? test.keys : second).sealingKey(person)),
      );
      const [first] = made;
      expect(first).toMatchObject({ state: 'live' });
      expect(first?.state === 'live' && first.key.length).toBe(32);
      for (const key of made) expect(key).toEqual(first);
      expect(await test.keys.findSealingKey(person)).toEqual(first);
      expect(await test.keys.sealingKey(nameId('person', 'two'))).not.toEqual(first);
    },
  ],
  [
    'an erased key is gone and stays gone, also one that never was',
    async (test) => {
      await test.keys.sealingKey(person);
      for (const erased of [person, nameId('person', 'never')]) {
        await test.keys.eraseSealingKey(erased);
        await test.keys.eraseSealingKey(erased);
        expect(await test.keys.findSealingKey(erased)).toEqual({ state: 'erased' });
        expect(await test.keys.sealingKey(erased)).toEqual({ state: 'erased' });
      }
    },
  ],
  [
    'the secret of person ids is made once',
    async (test) => {
      const secret = await test.keys.personSecret();
      expect(secret.length).toBe(32);
      expect(await test.keys.personSecret()).toEqual(secret);
      expect(await (test.second ?? test.keys).personSecret()).toEqual(secret);
    },
  ],
];

const apiKeysAndRestart: readonly Demand[] = [
  [
    'an API key is found by its secret, listed in order, revoked once',
    async (test) => {
      const [one, two] = [
        apiKey('one'),
        apiKey('two', {
          createdAt: '2027-01-02T00:00:00.000Z',
          jurisdictions: ['*'],
          holds: [
            { kind: 'hauler', key: 'O\'Neil & "Sons", 12:5' },
            { kind: 'hauler', key: 'Süd' },
          ],
        }),
      ];
      await test.keys.addApiKey(two);
      await test.keys.addApiKey(one);
      expect(await test.keys.findApiKey(one.secretHash)).toEqual(one);
      expect(await test.keys.findApiKey(sha256Hex('unknown'))).toBeUndefined();
      expect(await test.keys.listApiKeys()).toEqual([one, two]);
      expect(await test.keys.findApiKey(two.secretHash)).toEqual(two);
      const at = '2027-02-01T00:00:00.000Z';
      expect(await test.keys.revokeApiKey('one', at)).toBe(true);
      expect(await test.keys.revokeApiKey('one', at)).toBe(false);
      expect(await test.keys.revokeApiKey('none', at)).toBe(false);
      expect(await test.keys.findApiKey(one.secretHash)).toEqual({ ...one, revokedAt: at });
    },
  ],
  [
    'an id or a secret is given out once',
    async (test) => {
      await test.keys.addApiKey(apiKey('one'));
      await expect(test.keys.addApiKey(apiKey('one', { secretHash: sha256Hex('x') }))).rejects.toThrow(
        "An API key 'one' stands already; choose another id.",
      );
      await expect(test.keys.addApiKey(apiKey('two', { secretHash: sha256Hex('one') }))).rejects.toThrow(
        'An API key with this secret stands already; make a new secret.',
      );
    },
  ],
  [
    'everything is there after a restart',
    async (test) => {
      const claim = { bodyHash: 'b1', commandId: 'c1' };
      await test.keys.claim('caller', 'key', claim);
      const key = await test.keys.sealingKey(person);
      await test.keys.eraseSealingKey(nameId('person', 'gone'));
      const secret = await test.keys.personSecret();
      await test.keys.addApiKey(apiKey('one'));
      const again = (await test.reopen?.()) ?? test.keys;
      expect(await again.claim('caller', 'key', { bodyHash: 'b2', commandId: 'c2' })).toEqual(claim);
      expect(await again.findSealingKey(person)).toEqual(key);
      expect(await again.findSealingKey(nameId('person', 'gone'))).toEqual({ state: 'erased' });
      expect(await again.personSecret()).toEqual(secret);
      expect(await again.listApiKeys()).toEqual([apiKey('one')]);
    },
  ],
];

/** The one suite for every adapter of the key store. */
export function describeKeyStore(name: string, makeKeys: () => Promise<KeysUnderTest>): void {
  describe(`the key store on ${name}`, () => {
    it.each([...claimsAndPersons, ...apiKeysAndRestart, ...carriedKeys])('%s', async (_, holds) => {
      const test = await makeKeys();
      try {
        await holds(test);
      } finally {
        await test.dispose();
      }
    });
  });
}

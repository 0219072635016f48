import { nameId, sha256Hex } from '@headworks/kernel';
import type { ApiKeyRow, KeyRow, KeyStore } from './port';
import { openMemoryKeyStore } from './memory-keys';
import type { KeysUnderTest } from './keys-under-test.testing';

const [live, erased] = [nameId('person', 'carried'), nameId('person', 'carried-erased')];
const CLAIM = { bodyHash: 'b1', commandId: 'c1' };
const API_KEY: ApiKeyRow = {
  id: 'carried',
  name: 'a key',
  secretHash: sha256Hex('carried'),
  roles: ['clerk'],
  jurisdictions: ['a-town'],
  holds: [{ kind: 'hauler', key: 'Süd' }],
  createdAt: '2027-01-01T00:00:00.000Z',
  revokedAt: '2027-01-02T00:00:00.000Z',
};

async function rowsOf(keys: KeyStore): Promise<readonly KeyRow[]> {
  const all: KeyRow[] = [];
  for await (const rows of keys.rows()) all.push(...rows);
  return all;
}

async function filled(): Promise<KeyStore> {
  const from = openMemoryKeyStore();
  await from.sealingKey(live);
  await from.eraseSealingKey(erased);
  await from.claim('caller', 'key', CLAIM);
  await from.addApiKey(API_KEY);
  return from;
}

const byText = (rows: readonly KeyRow[]): readonly string[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (Buffer.isBuffer(value) ? value.toString('hex') : value)),
    )
    .toSorted();

/** What every key store must do with the rows of another one. */
export const carriedKeys: readonly (readonly [
  name: string,
  holds: (test: KeysUnderTest) => Promise<void>,
])[] = [
  [
    'rows of another store are taken in whole, once or again, and given out as they came',
    async ({ keys }) => {
      // Asked before, so that a secret that was remembered would show.
      await keys.personSecret();
      const from = await filled();
      const rows = await rowsOf(from);
      await keys.carryIn(rows);
      await keys.carryIn(rows);
      expect(await keys.personSecret()).toEqual(await from.personSecret());
      expect(await keys.findSealingKey(live)).toEqual(await from.findSealingKey(live));
      expect(await keys.findApiKey(API_KEY.secretHash)).toEqual(API_KEY);
      expect(byText(await rowsOf(keys))).toEqual(byText(rows));
    },
  ],
  [
    'what stands here stays, and whoever is erased in either is erased',
    async ({ keys }) => {
      const from = await filled();
      const rows = await rowsOf(from);
      await keys.carryIn(rows.filter(({ is }) => is === 'secret'));
      const standing = await keys.sealingKey(nameId('person', 'here'));
      await keys.sealingKey(erased);
      await keys.eraseSealingKey(live);
      await keys.claim('caller', 'key', { bodyHash: 'b2', commandId: 'c2' });
      await keys.addApiKey({ ...API_KEY, name: 'another' });
      await keys.carryIn(rows);
      expect(await keys.findSealingKey(nameId('person', 'here'))).toEqual(standing);
      expect(await keys.findSealingKey(live)).toEqual({ state: 'erased' });
      expect(await keys.findSealingKey(erased)).toEqual({ state: 'erased' });
      expect(await keys.claim('caller', 'key', CLAIM)).toEqual({ bodyHash: 'b2', commandId: 'c2' });
      expect((await keys.listApiKeys()).map(({ name }) => name)).toEqual(['another']);
    },
  ],
  [
    'keys of persons that are known by another secret are refused, all of them',
    async ({ keys }) => {
      await keys.sealingKey(nameId('person', 'here'));
      const before = byText(await rowsOf(keys));
      const rows = await rowsOf(await filled());
      const secretLast = [
        ...rows.filter(({ is }) => is !== 'secret'),
        ...rows.filter(({ is }) => is === 'secret'),
      ];
      await expect(keys.carryIn(rows)).rejects.toThrow('Persons are known here by another secret');
      await expect(keys.carryIn(secretLast)).rejects.toThrow('Persons are known here by another secret');
      expect(byText(await rowsOf(keys))).toEqual(before);
    },
  ],
  [
    'more rows than a page are given out, each once',
    async ({ keys }) => {
      const persons = Array.from({ length: 2_100 }, (_, index): KeyRow => ({
        is: 'person',
        person: nameId('p', index),
        key: null,
      }));
      const claims = Array.from({ length: 1_000 }, (_, index): KeyRow => ({
        is: 'claim',
        caller: `c${index % 3}`,
        key: `k${index}`,
        claim: CLAIM,
      }));
      await keys.carryIn([...persons, ...claims]);
      expect(byText((await rowsOf(keys)).filter(({ is }) => is !== 'secret'))).toEqual(
        byText([...persons, ...claims]),
      );
    },
  ],
];

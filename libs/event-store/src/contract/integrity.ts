import assert from 'node:assert/strict';
import { canonicalBytes, type JsonObject } from '@headworks/kernel';
import { chainHash, firstPrev } from '../encode';
import { ForeignPosition, StoreUnavailable } from '../port';
import { checkPositionToken, parsePositionToken } from '../position-token';
import { verifyChain } from '../verify-chain';
import { assertRejects, positionOf, readEverything, written } from './contract-check';
import type { ContractCheck, StoreUnderTest } from './contract-check';
import { request, sample } from './sample-events';

const odd: JsonObject = {
  'z\u20ac': '\u{1f600} é\u2028',
  a: [1, -1, 0, 9007199254740991, true, null, '', []],
  '\u0001': { nested: { '': '"\\\n' } },
  decimal: '0.10',
};

async function storesCanonicalBytes({ store, stored }: StoreUnderTest): Promise<void> {
  const events = [sample('odd', { data: odd }), sample('plain')];
  await written(store.append({ stream: 's', expected: 'none', events }));
  let prev = firstPrev(store.logId, 's');
  for (const { position, hash, ...event } of await store.readStream('s')) {
    const { bytes, hash: storedHash } = await stored(position);
    assert.equal(
      Buffer.from(bytes).toString('utf8'),
      canonicalBytes(event as unknown as JsonObject).toString('utf8'),
    );
    prev = chainHash(prev, bytes);
    assert.equal(Buffer.from(storedHash).toString('hex'), prev.toString('hex'));
    assert.equal(hash, prev.toString('hex'));
  }
  assert.deepEqual((await store.readStream('s'))[0]?.data, odd);
}

async function tamperingShows({ store, stored, tamper }: StoreUnderTest): Promise<void> {
  const first = await written(store.append(request('s', 'none', 'a', 'b', 'c')));
  await written(store.append(request('t', 'none', 'a')));
  assert.equal(verifyChain(await readEverything(store), store.logId).ok, true);
  const at = (await store.readStream('s'))[1]?.position ?? '';
  const { bytes } = await stored(at);
  const text = Buffer.from(bytes).toString('utf8');
  await tamper(at, Buffer.from(text.replace('tester', 'forger')));
  const verdict = verifyChain(await readEverything(store), store.logId);
  assert.deepEqual([verdict.ok, !verdict.ok && verdict.at], [false, 's@1']);
  await tamper(at, Buffer.from(text.slice(0, -1)));
  await assertRejects(store.readStream('s'), StoreUnavailable, /is damaged; restore the log from a backup/);
  await tamper(at, bytes);
  const healed = verifyChain(await readEverything(store), store.logId);
  assert.deepEqual(healed.ok && healed.heads.get('s'), first.head);
}

async function foreignTokensAreRefused({ store }: StoreUnderTest): Promise<void> {
  const verdict = await written(store.append(request('s', 'none', 'a', 'b')));
  const position = positionOf(verdict);
  assert.equal(await store.tokenOf(position), verdict.position);
  assert.equal(await checkPositionToken(store, verdict.position), position);
  assert.equal(parsePositionToken(verdict.position).hash, verdict.head.hash.slice(0, 8));
  const { hash } = parsePositionToken(verdict.position);
  const foreign: readonly (readonly [string, RegExp])[] = [
    [`0b7e1f5e-0000-4000-8000-000000000000.${position}.${hash}`, /is of another store/],
    [
      `${store.storeId}.${position}.${hash === '00000000' ? '11111111' : '00000000'}`,
      /Another event stands at/,
    ],
    [`${store.storeId}.${'9'.repeat(15).padStart(16, '0')}.${hash}`, /No event stands at position/],
    [`${store.storeId}.x.${hash}`, /is no position of this log/],
    ['nonsense', /is no position token/],
    ['', /is no position token/],
  ];
  for (const [token, words] of foreign)
    await assertRejects(checkPositionToken(store, token), ForeignPosition, words);
  await assertRejects(store.readStream('s', { upTo: 'x' }), ForeignPosition, /is no position of this log/);
  await assertRejects(readEverything(store, { after: '7' }), ForeignPosition, /is no position of this log/);
}

async function lastPositionIsTheNewest({ store }: StoreUnderTest): Promise<void> {
  for (const stream of ['a', 'b', 'c']) {
    const verdict = await written(store.append(request(stream, 'none', 'x', 'y')));
    assert.equal(await store.lastPosition(), positionOf(verdict));
    assert.equal((await readEverything(store)).at(-1)?.position, positionOf(verdict));
  }
}

export const integrityChecks: readonly ContractCheck[] = [
  { name: 'bytes are exactly those of RFC 8785, and hashes chain over them', run: storesCanonicalBytes },
  { name: 'a changed byte shows in the chain, a destroyed event in reading', run: tamperingShows },
  {
    name: 'tokens of another store or of another history are refused in a sentence',
    run: foreignTokensAreRefused,
  },
  { name: 'the last position is that of the newest event', run: lastPositionIsTheNewest },
];

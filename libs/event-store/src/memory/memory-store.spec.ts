import { request } from '../contract/sample-events';
import { openMemoryStore } from './memory-store';

it('begins with LogOpened and answers an append with head and position', async () => {
  const store = await openMemoryStore({ logId: 'log-1' });
  const verdict = await store.append(request('s', 'none', 'a', 'b'));
  expect(verdict).toMatchObject({ ok: true, duplicate: false, head: { revision: 1 } });
  const all = [];
  for await (const batch of store.readAll()) all.push(...batch);
  expect(all.map(({ type, stream, revision }) => `${stream}@${revision} ${type}`)).toEqual([
    'log@0 LogOpened',
    's@0 SampleTaken',
    's@1 SampleTaken',
  ]);
  expect(await store.append(request('s', 'none', 'a', 'b'))).toEqual({ ...verdict, duplicate: true });
  expect(await store.append(request('s', 'none', 'a', 'c'))).toMatchObject({
    ok: false,
    actual: { revision: 1 },
  });
});

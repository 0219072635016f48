import fc from 'fast-check';
import type { RecordedEvent } from '@headworks/kernel';
import { faultsOf } from '../../../test/faults/manifest-faults.testing';
import { leftBehind } from '../../../test/faults/manifest-left.testing';
import { VatLog } from './testing/vat-log.testing';
import { beginVats, deedArb, doDeed, type Telling } from './testing/vat-stories.testing';
import { VatWorld } from './testing/vats.testing';
import { WATCHED_VATS } from './testing/watched-vats.testing';
import { openShared, type Shared } from './testing/world.testing';

/** A process that only follows the log, as one does after the others died. */
async function follow(shared: Shared): Promise<void> {
  const world = new VatWorld(shared, { singleWriter: false });
  const seen = new Set<string>();
  for (;;) {
    const all: RecordedEvent[] = [];
    for await (const batch of shared.store.readAll()) all.push(...batch);
    const fresh = all.filter(({ stream, revision }) => !seen.has(`${stream}@${revision}`));
    if (fresh.length === 0) return;
    for (const event of fresh) {
      seen.add(`${event.stream}@${event.revision}`);
      if (!world.headworks.reconciler.isFinished(event)) await world.headworks.reconciler.follow([event]);
    }
  }
}

/** What each answer said stands in the log: accepted, refused, waiting, or taken back. */
async function disagreeing({ answers }: Telling, shared: Shared): Promise<readonly string[]> {
  const said = new Map<string, Set<string>>();
  for await (const batch of shared.store.readAll()) {
    for (const { type, data, stream } of batch) {
      const id = data['manifest'];
      if (typeof id === 'string' && !stream.startsWith('subject-'))
        said.set(id, (said.get(id) ?? new Set()).add(type));
      for (const { manifest } of (data['ends'] as readonly { manifest?: string }[] | undefined) ?? [])
        if (manifest !== undefined)
          said.set(manifest, (said.get(manifest) ?? new Set()).add('AcceptanceWithdrawn'));
    }
  }
  const needed: Record<string, string> = {
    accepted: 'ManifestAccepted',
    refused: 'ManifestRefused',
    pending: 'ManifestPending',
    withdrawn: 'AcceptanceWithdrawn',
  };
  return answers.flatMap(({ answer: { body } }) => {
    const type = needed[body['status'] as string];
    const id = body['id'] as string;
    return type === undefined || said.get(id)?.has(type) ? [] : [`${id} was answered ${type}`];
  });
}

async function expectAllHolds(told: Telling, shared: Shared): Promise<void> {
  await follow(shared);
  const log = await VatLog.of(shared);
  expect(log.faults).toEqual([]);
  expect(log.leftBehind(shared.now)).toEqual([]);
  expect(await disagreeing(told, shared)).toEqual([]);
  // And by folds that are none of the program's own.
  const all: RecordedEvent[] = [];
  for await (const batch of shared.store.readAll()) all.push(...batch);
  expect(faultsOf(all, WATCHED_VATS)).toEqual([]);
  expect(leftBehind(all, WATCHED_VATS, shared.now)).toEqual([]);
}

describe('whatever is asked, poured, corrected, closed and decided, in whatever order', () => {
  it('holds at every place of the log, by one process, one thing after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deedArb, { minLength: 5, maxLength: 40 }), async (deeds) => {
        const shared = await openShared();
        const told = await beginVats([new VatWorld(shared)]);
        for (const deed of deeds) await doDeed(told, deed);
        await expectAllHolds(told, shared);
      }),
      { numRuns: 60 },
    );
  });

  it('and by two processes, several things at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(deedArb, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 }),
        async (rounds) => {
          const shared = await openShared();
          const worlds = [
            new VatWorld(shared, { singleWriter: false }),
            new VatWorld(shared, { singleWriter: false }),
          ];
          const told = await beginVats(worlds);
          for (const round of rounds)
            await Promise.all(round.map((deed, index) => doDeed(told, deed, index)));
          await expectAllHolds(told, shared);
        },
      ),
      { numRuns: 40 },
    );
  });
});

import fc from 'fast-check';
import { openSqlite } from '@headworks/event-store';
import { allViews } from './all-views';
import { openSqliteViews } from './database/view-database';
import { prepareTables } from './database/view-tables';
import { applyStep } from './running/apply';
import { fs } from './testing/databases.testing';
import { foldRecorded, recorded, ZONES } from './testing/events.testing';
import { interleave, picks, streams } from './testing/stories.testing';
import { tableOf, viewNamed, viewRegistry, type View } from './view';

const views = allViews(ZONES);

it('has each name once', () => {
  expect(viewRegistry(views).names()).toEqual([
    'subjects',
    'loads',
    'ledgers',
    'violations',
    'duties',
    'late',
    'permits',
    'manifests',
  ]);
});

it('stops the boot at a doubled name', () => {
  const twice: readonly View[] = [...views, ...views.slice(0, 1)];
  expect(() => viewRegistry(twice)).toThrow("The view 'subjects' is registered twice; rename one of them.");
});

it('says which views there are', () => {
  expect(() => viewNamed(views, 'bills')).toThrow(/no view 'bills'; the views are subjects, loads/);
});

it('makes the same rows of any interleaving of the streams', () => {
  fc.assert(
    fc.property(streams, picks, (all, order) => {
      const [one, other] = [recorded(interleave(all, [0])), recorded(interleave(all, order))];
      for (const view of views) expect(foldRecorded(view, other)).toEqual(foldRecorded(view, one));
    }),
    { numRuns: 150 },
  );
});

/** What a table holds after the events were taken in, so many at a time. */
async function stored(events: ReturnType<typeof recorded>, sizes: readonly number[]) {
  const database = openSqliteViews({ file: ':memory:', open: openSqlite, fs });
  await prepareTables(database, views);
  let [from, done] = ['', 0];
  for (let turn = 0; done < events.length; turn++) {
    const batch = events.slice(done, done + (sizes[turn % sizes.length] ?? 0) + 1);
    done += batch.length;
    const step = { from, to: `token ${done}`, events: batch };
    for (const view of views) {
      const target = { view, table: tableOf(view) };
      expect(await applyStep(database, target, step, () => Promise.resolve())).toBe('applied');
    }
    from = step.to;
  }
  const tables = await Promise.all(
    views.map((view) => database.kysely.selectFrom(tableOf(view)).selectAll().orderBy('id').execute()),
  );
  await database.close();
  return tables;
}

it('makes the same rows of any cut into batches, as a fold in memory does', async () => {
  await fc.assert(
    fc.asyncProperty(streams, picks, async (all, sizes) => {
      const events = recorded(interleave(all, sizes));
      const tables = await stored(events, sizes);
      for (const [index, view] of views.entries()) {
        const rows = tables[index]?.map((row) => ({
          ...row,
          doc: JSON.parse(String(row['doc'])) as unknown,
        }));
        expect(rows).toEqual(foldRecorded(view, events));
      }
    }),
    { numRuns: 60 },
  );
});

import { chainVerifier, LOG_STREAM, StartRefused, type KeyStore } from '@headworks/event-store';
import { nameId } from '@headworks/kernel';
import { rebuildView, verifyViews } from '@headworks/read-models';
import { loadRules } from '@headworks/rules-engine';
import { StreamRunner } from '@headworks/use-cases';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgresKeyStore, openSqliteKeyStore } from '../../event-store/src/adapters';
import { startInstant, realClock, VirtualClock } from './clocks';
import type { Config } from './config';
import { closeStorage, openLogBeside, openStorage, type Storage } from './storage';
import { viewsOf } from './views';

/** The key store alone: it may be opened beside a running server. */
export function openKeys(config: Config): Promise<KeyStore> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return openPostgresKeyStore({ url: databaseUrl });
  if (!existsSync(join(dataDir, 'log.sqlite'))) {
    throw new StartRefused(`There is no data in '${dataDir}' yet; start Headworks once, or set DATA_DIR.`);
  }
  return openSqliteKeyStore({ dir: dataDir });
}

/** Opens beside a running server, and closes whatever happens. */
async function beside<T>(
  config: Config,
  work: (storage: Storage) => Promise<T>,
  readOnly = true,
): Promise<T> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'log.sqlite'))) {
    throw new StartRefused(
      `There is no data in '${config.dataDir}' yet; start Headworks once, or set DATA_DIR.`,
    );
  }
  const storage = await openStorage(config, readOnly);
  try {
    return await work(storage);
  } finally {
    await closeStorage(storage);
  }
}

export function rebuildViewIn(config: Config, view: string): Promise<void> {
  const rules = loadRules(config.rulesDir);
  return beside(config, ({ store, database }) =>
    rebuildView({ store, database, views: viewsOf(rules), elapsedMs: () => performance.now() }, view),
  );
}

/** One line a view, and whether it is what the log makes of it. */
export async function verifyViewsIn(
  config: Config,
): Promise<readonly { readonly line: string; readonly right: boolean }[]> {
  const rules = loadRules(config.rulesDir);
  const verdicts = await beside(config, ({ store, database }) =>
    verifyViews({ store, database, views: viewsOf(rules), elapsedMs: () => performance.now() }),
  );
  return verdicts.map(({ view, rows, wrong, differences }) => {
    const listed = differences
      .map(({ id, what, columns }) => `\n  ${id} ${what} ${columns.join(', ')}`)
      .join('');
    return { line: `${view}: ${rows} rows, ${wrong} wrong${listed}`, right: wrong === 0 };
  });
}

export interface ChainReport {
  readonly streams: number;
  readonly events: number;
  readonly faults: readonly string[];
}

/** The log is all that is opened: a backup of it has no keys and no views beside it, and shall get none. */
export async function verifyChainIn(config: Config): Promise<ChainReport> {
  const store = await openLogBeside(config);
  try {
    const verifier = chainVerifier(store.logId);
    const faults: string[] = [];
    let events = 0;
    for await (const batch of store.readAll()) {
      for (const event of batch) {
        events++;
        const broken = verifier.check(event);
        if (broken) faults.push(`${broken.at}: ${broken.why}.`);
      }
    }
    return { streams: verifier.heads().size, events, faults };
  } finally {
    await store.close();
  }
}

/** Destroys a person's key and says so in the log. Embedded, the server must be stopped: it holds the log. */
export function erasePersonIn(config: Config, person: string, reason: string): Promise<void> {
  return beside(
    config,
    async ({ store, keys, singleWriter }) => {
      if (!(await keys.findSealingKey(person)))
        throw new StartRefused(`There is no person '${person}' here.`);
      const clock = config.clock === 'virtual' ? new VirtualClock() : realClock();
      const monotonic = (): number => performance.now();
      const runner = new StreamRunner({
        store,
        singleWriter,
        seal: (event) => Promise.resolve(event),
        monotonic,
      });
      const commandId = nameId('erase', person);
      const events = await store.readStream(LOG_STREAM);
      if (clock instanceof VirtualClock) for (const event of events) clock.take(event);
      const now = startInstant(clock);
      // The log first: a key that is destroyed must stay destroyed when an older key file is put back.
      await runner.run(
        {
          initial: (stream) => ({ stream, revision: -1, lastRecordedAt: '', commands: new Set<string>() }),
          evolve: (state, { revision, metadata }) => ({
            ...state,
            revision,
            lastRecordedAt:
              metadata.recordedAt > state.lastRecordedAt ? metadata.recordedAt : state.lastRecordedAt,
            commands: new Set([...state.commands, metadata.commandId]),
          }),
        },
        LOG_STREAM,
        {
          commandId,
          envelope: {
            occurred: { at: now },
            actor: { id: 'cli', roles: ['admin'] },
            correlationId: commandId,
            commandId,
          },
          receivedAt: now,
          deadline: monotonic() + 30_000,
          decide: () => ({ events: [{ type: 'PersonErased', data: { person, reason } }] }),
        },
      );
      await keys.eraseSealingKey(person);
    },
    false,
  );
}

import { StartRefused, StoreUnavailable } from '../port';
import type { OpenStore } from '../port';
import { eventBytes } from '../encode';
import { chainVerifier } from '../verify-chain';
import { headerLine, lastLine } from './frame';

export const LOG_FILE_FORMAT = { headworks: 'log', format: 1 } as const;

/**
 * The log as lines of JSON, in the order of its writing: what it is, an event a line with its chain hash, and how many
 * there were. Each event stands as the exact bytes that its hash was made of. Every chain is verified on the way: an
 * export of a damaged log would be found out too late.
 */
export async function* logLines(store: OpenStore): AsyncGenerator<string> {
  const { logId, clock } = store;
  yield headerLine(LOG_FILE_FORMAT, { log: logId, clock });
  const verifier = chainVerifier(logId);
  let count = 0;
  for await (const batch of store.readAll()) {
    for (const event of batch) {
      const broken = verifier.check(event);
      if (broken) {
        throw new StoreUnavailable(
          `${broken.at}: ${broken.why}; restore the log from a backup before it is exported.`,
        );
      }
      const bytes = eventBytes(event.stream, event.revision, event).toString('utf8');
      yield `{"event":${bytes},"hash":"${event.hash}"}\n`;
      count++;
    }
  }
  if (count === 0) throw new StartRefused('The log is empty; there is nothing to export.');
  yield lastLine(count);
}

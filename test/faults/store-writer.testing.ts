import { openPostgresStore, openSqliteStore } from '../../libs/event-store/src/adapters';
import { sample } from '../../libs/event-store/src/contract/sample-events';
import type { Expected, OpenStore } from '../../libs/event-store/src/port';

// A process of 32 writers that says on its output what was acknowledged, until it is killed: see store-kills.spec.ts.
const [kind, target = '', run = '0'] = process.argv.slice(2);
const WRITERS = 32;
const STREAMS = 8;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function write(store: OpenStore, writer: number): Promise<void> {
  const stream = `kill-${writer % STREAMS}`;
  let expected: Expected = 'none';
  for (let turn = 0; ; turn++) {
    const events = [sample(`${run}/${writer}/${turn}/0`), sample(`${run}/${writer}/${turn}/1`)].slice(
      turn % 2,
    );
    for (;;) {
      const verdict = await store.append({ stream, expected, events });
      expected = verdict.ok ? verdict.head : verdict.actual;
      if (verdict.ok) break;
    }
    say(
      `ack ${stream} ${expected === 'none' ? '' : `${expected.revision} ${expected.hash}`} ${events.map(({ id }) => id).join()}`,
    );
  }
}

async function main(): Promise<void> {
  const options = { clock: 'real', now: () => '2000-01-01T00:00:00.000Z' } as const;
  say('opening');
  const store = await (kind === 'sqlite'
    ? openSqliteStore({ dir: target, ...options })
    : openPostgresStore({ url: target, ...options }));
  say('open');
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(store, writer)));
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

import { compose, readConfig, type Config, type Program } from '@headworks/wiring';
import { announcement } from './start/announcement';
import { createApp, type ApiApp } from './create-app';
import { listenProblem, startProblem } from './start/start-problem';
import { stopOnSignal } from './start/stop-on-signal';

/** One entry for every role: `worker` runs all of it but the HTTP server. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const program = await compose(config);
  if (config.role === 'worker') {
    stopOnSignal(() => program.close());
    // Followers only wait for work; without a port something has to keep the process.
    setInterval(() => undefined, 60_000);
    process.stdout.write(`Headworks works: it follows the log and listens nowhere. Ctrl-C stops it.\n`);
    return;
  }
  const api = await listen(program, config);
  // In this order: nobody new comes in, what runs is finished, then followers, alarms and the log.
  stopOnSignal(async () => {
    await closeHttp(api);
    await program.close();
  });
  process.stdout.write(announcement(await api.nest.getUrl(), program));
}

const LOOK_FOR_IDLE_MS = 25;

/**
 * Answers what came in, and lets nobody hold a connection open: one that falls idle after the closing began would be
 * waited for until its keep-alive ends.
 */
async function closeHttp({ nest }: ApiApp): Promise<void> {
  const server = nest.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
  await nest.close().finally(() => clearInterval(idle));
}

async function listen(program: Program, { host, port }: Config): Promise<ApiApp> {
  try {
    const api = await createApp(program);
    await api.nest.listen(port, host);
    return api;
  } catch (error) {
    await program.close();
    throw listenProblem(error, host, port);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${startProblem(error)}\n`);
  process.exitCode = 1;
});

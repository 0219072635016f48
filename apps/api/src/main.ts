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
  const { api, url } = await listen(program, config);
  // In this order: nobody new comes in, what runs is finished, then followers, alarms and the log.
  stopOnSignal(async () => {
    await api.close();
    await program.close();
  });
  process.stdout.write(announcement(url, program));
}

async function listen(
  program: Program,
  { host, port }: Config,
): Promise<{ readonly api: ApiApp; readonly url: string }> {
  try {
    const api = await createApp(program);
    return { api, url: await api.listen(port, host) };
  } catch (error) {
    await program.close();
    throw listenProblem(error, host, port);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${startProblem(error)}\n`);
  process.exitCode = 1;
});

import { compose, readConfig, StartRefused } from '@headworks/wiring';
import { RuleErrors } from '@headworks/rules-engine';

/** The same wiring as the API without HTTP: automations follow the log, alarms wake what is due. */
async function main(): Promise<void> {
  const program = await compose({ ...readConfig(process.env), role: 'worker' });
  process.stdout.write('The worker runs; Ctrl-C stops it.\n');
  // Followers only wait for work; a listener is what keeps a process without a port alive.
  const alive = setInterval(() => undefined, 60_000);
  const stop = (): void => {
    clearInterval(alive);
    setTimeout(() => process.exit(1), 10_000).unref();
    void program.close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  const plain = error instanceof StartRefused || error instanceof RuleErrors;
  process.stderr.write(`${plain ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});

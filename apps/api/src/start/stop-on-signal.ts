/** After this the process goes, whatever still hangs. The log loses nothing that was acknowledged. */
const HARD_EXIT_MS = 10_000;

/** Stops cleanly at the first SIGINT or SIGTERM; a second one does not wait. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    const hard = setTimeout(() => {
      process.stderr.write(`Still not stopped after ${HARD_EXIT_MS / 1000} s; going anyway.\n`);
      process.exit(1);
    }, HARD_EXIT_MS);
    hard.unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Stopping after ${signal} failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

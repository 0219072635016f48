/** Waits for a turn of the event loop where the last one is ten milliseconds past, and at once otherwise. */
export type Pace = () => Promise<void>;

const SLICE_MS = 10;

/** SQLite answers within the turn: without a pause, building a view would hold off every request until it is done. */
export function paceBy(elapsedMs: () => number): Pace {
  let turn = elapsedMs();
  return async () => {
    if (elapsedMs() - turn < SLICE_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    turn = elapsedMs();
  };
}

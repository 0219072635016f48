/** How far somebody has come in the log, and who waits for it. Positions are sortable. */
export class Reached {
  private position = '';
  private readonly waiting = new Set<{ readonly position: string; readonly settle: () => void }>();

  get at(): string {
    return this.position;
  }

  moved(position: string): void {
    if (position <= this.position) return;
    this.position = position;
    for (const waiter of this.waiting) if (waiter.position <= position) waiter.settle();
  }

  /** True once it is there; false where the time is over first. */
  wait(position: string, timeoutMs: number): Promise<boolean> {
    if (this.position >= position) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter = { position, settle: () => end(true) };
      const timer = setTimeout(() => end(false), timeoutMs);
      const end = (there: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(waiter);
        resolve(there);
      };
      this.waiting.add(waiter);
    });
  }
}

import { appendingChecks } from './contract/appending';
import type { ContractCheck, StoreUnderTest } from './contract/contract-check';
import { integrityChecks } from './contract/integrity';
import { racingChecks } from './contract/racing';
import { readingChecks } from './contract/reading';

// The build knows no test runner: these two are all that the suite asks of one.
declare const describe: (name: string, body: () => void) => void;
declare const it: (name: string, body: () => Promise<void>) => void;

/** Every demand of the port, each run on a store of its own. */
export const contractChecks: readonly ContractCheck[] = [
  ...appendingChecks,
  ...readingChecks,
  ...racingChecks,
  ...integrityChecks,
];

/** The one suite for every adapter of the port: call it from the adapter's spec. */
export function describeEventStore(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`the event store on ${name}`, () => {
    for (const check of contractChecks) it(check.name, () => runCheck(check, makeStore));
  });
}

export async function runCheck(
  check: ContractCheck,
  makeStore: () => Promise<StoreUnderTest>,
): Promise<void> {
  const test = await makeStore();
  try {
    await check.run(test);
  } finally {
    await test.dispose();
  }
}

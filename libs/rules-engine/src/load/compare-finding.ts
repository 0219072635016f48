import {
  compareQuantities,
  parseInstant,
  parseQuantity,
  type Due,
  type Finding,
  type QuantityJson,
} from '@headworks/kernel';

/** What a case expects of a clause: its status, or more. What is not named is not compared. */
export type Expected =
  | string
  | {
      readonly status: string;
      readonly reason?: string;
      readonly due?: { readonly date?: string; readonly at?: string; readonly elapsedAt?: string };
      readonly margin?: string;
      readonly missing?: readonly string[];
      readonly outcome?: string;
      readonly amount?: string;
      readonly interpretation?: { readonly id?: string; readonly choice?: string };
    };

/** Each way in which a finding differs from what was expected, as a sentence. */
export function compareFinding(finding: Finding, expected: Expected): readonly string[] {
  const wanted = typeof expected === 'string' ? { status: expected } : expected;
  const differences: string[] = [];
  const differ = (what: string, want: unknown, found: unknown): void => {
    differences.push(`expected ${what} ${String(want)}, found ${String(found)}`);
  };
  const same = (what: string, want: string | undefined, found: string | undefined): void => {
    if (want !== undefined && want !== found) differ(what, want, found ?? 'none');
  };
  same('status', wanted.status, finding.status);
  same('reason', wanted.reason, finding.reason);
  same('outcome', wanted.outcome, finding.outcome);
  same('reading', wanted.interpretation?.id, finding.interpretation?.id);
  same('choice', wanted.interpretation?.choice, finding.interpretation?.choice);
  same('due date', wanted.due?.date, finding.due?.date);
  for (const key of ['at', 'elapsedAt'] as const) compareInstant(key, wanted.due?.[key], finding.due, differ);
  compareAmount('margin', wanted.margin, finding.margin, differ);
  compareAmount('amount', wanted.amount, finding.amount, differ);
  if (wanted.missing && [...wanted.missing].sort().join() !== [...finding.missing].sort().join()) {
    differ('missing', wanted.missing.join(', ') || 'nothing', finding.missing.join(', ') || 'nothing');
  }
  return differences;
}

type Differ = (what: string, want: unknown, found: unknown) => void;

/** The same moment, however its offset is written. */
function compareInstant(
  key: 'at' | 'elapsedAt',
  want: string | undefined,
  due: Due | undefined,
  differ: Differ,
): void {
  if (want === undefined) return;
  const wanted = parseInstant(want);
  const found = due?.[key];
  const instant = found === undefined || found === null ? undefined : parseInstant(found);
  if (!('ms' in wanted)) differ(`due ${key}`, `${want} (which is no instant)`, found ?? 'none');
  else if (!instant || !('ms' in instant) || instant.ms !== wanted.ms)
    differ(`due ${key}`, want, found ?? 'none');
}

/** Equal amounts in different units are equal; days are compared as they are written. */
function compareAmount(
  what: string,
  want: string | undefined,
  found: QuantityJson | undefined,
  differ: Differ,
): void {
  if (want === undefined) return;
  const shown = found ? `${found.value} ${found.unit}` : 'none';
  if (want === shown) return;
  const [a, b] = [parseQuantity(want), parseQuantity(found ?? want)];
  const equal =
    found && a.ok && b.ok && a.value.kind === b.value.kind && compareQuantities(a.value, b.value) === 0;
  if (!equal) differ(what, want, shown);
}

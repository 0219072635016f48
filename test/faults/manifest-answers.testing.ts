import type { ManifestRefused, ManifestSubmitted } from '@headworks/domain';
import type { RecordedEvent } from '@headworks/kernel';
import { ManifestLog } from './manifest-log.testing';
import type { WatchedLaw } from './watched-law.testing';

/** What a caller was told, and when by the caller's own count: a call that was sent after another was answered is later. */
export interface Answer {
  readonly what: 'manifest' | 'discharge';
  readonly ticket: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly sent: number;
  readonly answered: number;
}

/** A stop or a revocation that was answered: from then on, and until somebody asks to lift it, nothing is accepted. */
export interface Ended {
  readonly name: string;
  /** The stream that it stands in. */
  readonly stream: string;
  readonly answered: number;
  readonly lifted?: number;
  readonly against: (manifest: ManifestSubmitted) => boolean;
}

interface Finding {
  readonly clause: string;
  readonly status: string;
}

const violatedOf = (findings: unknown): string =>
  ((findings ?? []) as readonly Finding[])
    .filter(({ status }) => status === 'violated')
    .map(({ clause }) => clause)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join();

/** Where an answer says otherwise than the log, or than what its caller had been told before. */
export function disagreements(
  events: readonly RecordedEvent[],
  answers: readonly Answer[],
  ends: readonly Ended[],
  law: WatchedLaw,
): readonly string[] {
  const log = new ManifestLog(law);
  for (const event of events) log.read(event);
  return answers.flatMap((answer) => {
    const found =
      answer.what === 'discharge'
        ? discharge(log, answer)
        : [...manifest(log, answer), ...againstEnds(log, answer, ends)];
    return found.map((is) => `${answer.what} ${answer.ticket} (${answer.status}): ${is}`);
  });
}

function manifest(log: ManifestLog, { ticket, status, body }: Answer): readonly string[] {
  const asked = log.asked.get(String(body['id']));
  if (!asked) return ['nobody asked for it in the log'];
  if (asked.data.ticket !== ticket) return [`the answer is of ticket ${asked.data.ticket}`];
  const event = log.events.get(String(body['event']));
  if (!event) return [`the log has no ${String(body['event'])}`];
  const said = saidBy(event, asked.id);
  const standing = status === 422 ? (said === 'ended' ? 'withdrawn' : 'refused') : body['status'];
  switch (standing) {
    case 'accepted':
      return said === 'accepted' ? [] : [`it was told accepted, and ${event.type} says ${said}`];
    case 'discharged':
      return log.loads.has(asked.id) ? [] : ['it was told discharged, and no load has come'];
    case 'pending':
      return said === 'pending' ? [] : [`it was told pending, and ${event.type} says ${said}`];
    case 'refused': {
      const findings = violatedOf((event.data as ManifestRefused).findings);
      const same = findings === violatedOf(body['findings']) && findings !== '';
      if (said !== 'refused') return [`it was told refused, and ${event.type} says ${said}`];
      return same ? [] : [`it was told ${violatedOf(body['findings'])}, and the log says ${findings}`];
    }
    case 'withdrawn':
      return said === 'ended' ? [] : [`it was told withdrawn, and ${event.type} says ${said}`];
    default:
      return [`it was told '${String(standing)}', which is no answer`];
  }
}

/** What the event says of the manifest. */
function saidBy({ type, data }: RecordedEvent, id: string): string {
  const ends = (data['ends'] ?? []) as readonly { manifest?: string }[];
  if (ends.some((one) => one.manifest === id)) return 'ended';
  if (data['manifest'] !== id) return 'nothing of it';
  const words: Readonly<Record<string, string>> = {
    ManifestAccepted: 'accepted',
    ManifestPending: 'pending',
    ManifestRefused: 'refused',
    AcceptanceWithdrawn: 'ended',
  };
  return words[type] ?? 'nothing of it';
}

/** Whoever asks after a stop or a revocation was answered, and before it was lifted, is not told that it is accepted. */
function againstEnds(log: ManifestLog, answer: Answer, ends: readonly Ended[]): readonly string[] {
  const asked = log.asked.get(String(answer.body['id']));
  if (!asked || answer.status >= 400 || answer.body['status'] !== 'accepted') return [];
  return ends
    .filter(({ stream }) => stream === asked.thing || stream === asked.permit)
    .filter(
      ({ answered, lifted = Number.POSITIVE_INFINITY }) => answered < answer.sent && answer.answered < lifted,
    )
    .filter(({ against }) => against(asked.data))
    .map(({ name }) => `it was told accepted after ${name} had been answered`);
}

/** A load is on record, with its postings; what was not accepted as it came is told so. */
function discharge(log: ManifestLog, { ticket, body }: Answer): readonly string[] {
  const id = String(body['id']);
  const found: string[] = [];
  if (!log.loads.has(id)) found.push('the load is not in the log');
  for (const { to } of (body['postings'] ?? []) as readonly { to: string }[]) {
    const event = log.events.get(to);
    if (event?.type !== 'LoadPosted' || event.data['load'] !== id) found.push(`no posting of it at ${to}`);
  }
  for (const violation of (body['violations'] ?? []) as readonly string[]) {
    const detected = log.violations.get(violation);
    if (detected?.loadId !== id) found.push(`there is no violation ${violation} of ${ticket}`);
  }
  return found;
}

import type { RecordedEvent } from '@headworks/kernel';
import { ManifestLog } from './manifest-log.testing';
import type { Asked, LoadOf, Standing } from './manifest-shapes.testing';
import type { WatchedLaw } from './watched-law.testing';

/** The log when nothing is under way any more: what was left behind, unanswered, or not posted as it stands. */
export function leftBehind(
  events: readonly RecordedEvent[],
  law: WatchedLaw,
  nowMs?: number,
): readonly string[] {
  const log = new ManifestLog(law);
  for (const event of events) log.read(event);
  if (nowMs !== undefined) log.nowMs = Math.max(log.nowMs, nowMs);
  const found: string[] = [];
  for (const stream of log.streams.values()) {
    for (const held of stream.held.values()) {
      if (held.untilMs <= log.nowMs) continue;
      const asked = log.asked.get(held.manifest);
      const standing = asked && standingOf(log, asked);
      if (standing?.is !== 'accepted' || !standing.reservations.includes(held.event))
        found.push(`${held.event} holds ${held.gallons} gal for ${held.manifest}, which is not accepted`);
    }
  }
  for (const asked of log.asked.values()) found.push(...openOf(log, asked));
  for (const load of log.loads.values()) found.push(...notPosted(log, load.id), ...otherwiseFound(log, load));
  return found;
}

/** A load that came without a standing acceptance is a violation under the law's clause on it; one that had it, is none. */
function otherwiseFound(log: ManifestLog, load: LoadOf): readonly string[] {
  const asked = log.asked.get(load.id);
  const isUnder = load.permitId === asked?.data.permitId;
  const accepted = asked && isUnder ? acceptanceOf(log, asked) : undefined;
  const stood =
    accepted !== undefined && accepted.ms <= load.ms && load.ms < (asked?.endedMs ?? accepted.untilMs);
  // Recorded after the thing ended it and before the permit's stream could follow: known to be found either way.
  const isBetween = asked && standingOf(log, asked)?.is === 'accepted' && asked.endedMs !== undefined;
  if (isBetween && !stood) return [];
  const clause = log.law.accepted;
  const violated = [...log.violations.values()].some(
    (one) => one.loadId === load.id && one.clause === clause && one.stands,
  );
  if (violated === (!stood && !load.voided)) return [];
  const came = load.voided ? 'void' : stood ? 'accepted' : 'unaccepted';
  return [`${load.id} came ${came}, and ${clause} ${violated ? 'is' : 'is not'} violated`];
}

function acceptanceOf(log: ManifestLog, { permit, id }: Asked): { ms: number; untilMs: number } | undefined {
  return log.streams.get(permit)?.accepted.get(id);
}

function openOf(log: ManifestLog, asked: Asked): readonly string[] {
  const standing = standingOf(log, asked);
  if (!standing && asked.refused === undefined && Date.parse(asked.data.until) > log.nowMs)
    return log.loads.has(asked.id) ? [] : [`${asked.id} was never answered`];
  if (standing?.is !== 'accepted' || standing.untilMs <= log.nowMs || log.loads.has(asked.id)) return [];
  return isHeldStill(log, standing) ? [] : [`${asked.id} is accepted, but a reservation of it is gone`];
}

/** Each load stands once in its thing's stream and in its permit's, as it is now; nowhere where it is void. */
function notPosted(log: ManifestLog, id: string): readonly string[] {
  const load = log.loads.get(id);
  if (!load) return [];
  const permit = `permit-${load.permitId}`;
  // Nobody counts against another's permit by naming it.
  const holder = log.streams.get(permit)?.holder ?? load.hauler;
  const places = new Set([load.thing, ...(holder === load.hauler ? [permit] : [])]);
  return [...log.streams.values()].flatMap((stream) => {
    const there = stream.posted.filter((one) => one.load === id && !one.isNoted);
    const wanted = !load.voided && places.has(stream.name) ? 1 : 0;
    if (there.length !== wanted) return [`${id} is posted ${there.length} times in ${stream.name}`];
    const [one] = there;
    if (!one || (one.gallons === load.gallons && one.ms === load.ms)) return [];
    return [`${id} is posted in ${stream.name} as it was, not as it is`];
  });
}

export const standingOf = (log: ManifestLog, { permit, id }: Asked): Standing | undefined =>
  log.streams.get(permit)?.standing.get(id);

/** Whether each of the reservations of an acceptance holds, its own in the permit's stream included. */
export function isHeldStill(log: ManifestLog, { reservations }: Standing): boolean {
  return reservations.every((event) => {
    const stream = log.streams.get(event.slice(0, event.indexOf('@')));
    return stream !== undefined && [...stream.held.values()].some((held) => held.event === event);
  });
}

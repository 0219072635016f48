import {
  decidePermit,
  decideSubject,
  endedBy,
  endedByName,
  findingOf,
  isHeld,
  sameThing,
  type AcceptanceWithdrawn,
  type ManifestStanding,
  type PermitState,
  type Reservation,
  type SubjectState,
} from '@headworks/domain';
import { occurredMs } from '@headworks/calendars';
import { parseAddress, type Finding, type RecordedEvent } from '@headworks/kernel';
import { manifestOf, ownPermit, readAsked, type Asked } from '../../answer-manifest';
import { basisChanged } from '../../basis-of-acceptance';
import type { Services } from '../../context';
import { thingStream } from '../../load-world';
import { permits, subjects } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-reservation-ended-then-withdraw';

/**
 * An acceptance stands only while each of its reservations does, and a reservation only for what is accepted or about
 * to be. Whichever ends first, the other follows; and what an acceptance rested on is looked at once more after it was
 * given, for it may have changed in a stream that does not decide.
 */
export const whenReservationEndedThenWithdraw: Automation = {
  name: NAME,
  plan: (event) => {
    const named = endedByName(event.data).map((manifest) => `agree:${manifest}`);
    switch (event.type) {
      case 'AcceptanceWithdrawn':
      case 'ManifestRefused':
      case 'ManifestPending':
        return [...named, `agree:${manifestOf(event)}`];
      case 'ManifestAccepted':
        return [`basis:${manifestOf(event)}`];
      case 'LoadDischarged':
        // A load that nobody asked for holds nothing.
        return event.data['manifestId'] === undefined ? [] : [`agree:${manifestOf(event)}`];
      case 'LoadCorrected':
        return [`agree:${manifestOf(event)}`];
      case 'PermitSuspended':
      case 'PermitRevoked':
      case 'PermitExpired':
      case 'PermitVoided':
      case 'ConsequenceReversed':
        return endedBy(event).map(({ manifest }) => `agree:${manifest}`);
      default:
        return named;
    }
  },
  run: async (services, work) => {
    const [ask, id = ''] = work.key.split(':');
    const view = await look(services, id);
    if (!view) return [];
    // What ended already ended then: that it rests on nothing by now is no news.
    if (ask === 'basis' && whyOver(view) === undefined) {
      const findings = await basisChanged(services, view.asked, view.permit);
      if (findings) return withdraw(services, work, view, { why: 'basis_changed', findings });
    }
    return agree(services, work, view);
  },
};

/** One event may end many manifests of one stream: each is a command of its own. */
const nameOf = ({ key }: Work): string => `${NAME}:${key}`;

interface View {
  readonly asked: Asked;
  readonly permit: PermitState;
  readonly thing: SubjectState;
  readonly standing: ManifestStanding | undefined;
  readonly held: Reservation | undefined;
}

/** The thing is read before the load: what a posting took there was discharged before. */
async function look(services: Services, id: string): Promise<View | undefined> {
  const first = await readAsked(services, id);
  if (!first) return undefined;
  const stream = thingStream(first.pack.jurisdiction, first.manifest.subject);
  const thing = await services.runner.read(subjects, stream);
  const [asked, permit] = [await readAsked(services, id), await ownPermit(services, first)];
  if (!asked || !permit) return undefined;
  return {
    ...{ asked, permit, thing },
    standing: permit.manifests.get(id),
    held: thing.reservations.get(id),
  };
}

async function agree(services: Services, work: Work, view: View): Promise<readonly RecordedEvent[]> {
  const { standing, asked } = view;
  const events: RecordedEvent[] = [];
  const why = whyOver(view);
  if (why !== undefined && (standing?.is === 'accepted' || standing?.is === 'pending')) {
    const ended = why === 'reservation_ended' ? await endedAt(services, work, view) : undefined;
    events.push(...(await withdraw(services, work, view, { why, findings: [], ...ended })));
  }
  const now = events.length > 0 ? await look(services, asked.id) : view;
  if (now) events.push(...(await releaseLeft(services, work, now, why)));
  return events;
}

type Why = AcceptanceWithdrawn['why'];

/** Why what stands in the permit's stream is over, or undefined where it is not. */
function whyOver({ standing, asked, held }: View): Why | undefined {
  if (standing?.is !== 'accepted' && standing?.is !== 'pending') return undefined;
  if (standing.discharged) return undefined;
  const { current, voided } = asked.load;
  if (current) {
    const here = !voided && current.permitId === asked.manifest.permitId;
    return here ? undefined : 'discharged_elsewhere';
  }
  if (standing.is === 'pending') return undefined;
  const elsewhere = standing.data.reservations.filter((address) => !address.startsWith('permit-'));
  return elsewhere.every((address) => held?.event === address && held.ended !== true)
    ? undefined
    : 'reservation_ended';
}

interface Ending {
  readonly why: Why;
  readonly findings: readonly Finding[];
  readonly endedMs?: number;
}

/** What ended the reservation says why, and from when on the acceptance stood no longer. */
async function endedAt(
  services: Services,
  work: Work,
  { asked, thing }: View,
): Promise<Omit<Ending, 'why'> | undefined> {
  const at = parseAddress(work.cause);
  // Mostly that very event asks; where the acceptance came after it, it is looked up.
  const from = at?.stream === thing.stream ? at.revision : 0;
  const events = await services.store.readStream(thing.stream, { from });
  const named = events.findLast(({ data }) => endedByName(data).includes(asked.id));
  const ended = events.findLast(
    ({ type, data }) => type === 'AcceptanceWithdrawn' && data['manifest'] === asked.id,
  );
  const told = named ?? ended;
  if (!told) return undefined;
  const { findings = [] } = (ended?.data ?? {}) as Partial<AcceptanceWithdrawn>;
  return { findings: findings.map(findingOf), endedMs: occurredMs(told.metadata.occurred) };
}

async function withdraw(
  services: Services,
  work: Work,
  { asked, permit, standing }: View,
  ending: Ending,
): Promise<readonly RecordedEvent[]> {
  const acceptance = standing?.is === 'accepted' ? { acceptance: standing.event } : {};
  const command = { type: 'end-manifest', manifest: asked.id, ...ending, ...acceptance } as const;
  const job = automaticJob<PermitState>(
    services,
    nameOf(work),
    work,
    permit.stream,
    (state, envelope, nowMs) => decidePermit(command, state, { law: services.rules, nowMs, envelope }),
  );
  return (await services.runner.run(permits, permit.stream, job)).events;
}

/** A reservation at the thing whose manifest was decided, and that no acceptance rests on, is given back. */
async function releaseLeft(
  services: Services,
  work: Work,
  { asked, permit, thing, standing, held }: View,
  over: Why | undefined,
): Promise<readonly RecordedEvent[]> {
  if (!held || !isHeld(held, services.clock.now())) return [];
  const { current, voided } = asked.load;
  const rests = standing?.is === 'accepted' && standing.data.reservations.includes(held.event);
  // The load takes its place as it is posted; where it went elsewhere, nothing does.
  const left = current ? voided || !sameThing(current.subject, asked.manifest.subject) : !rests;
  const decided = standing !== undefined && (standing.is !== 'pending' || permit.commands.has(held.command));
  if (!left || (!current && !decided)) return [];
  const why = current ? 'discharged_elsewhere' : (over ?? 'not_accepted');
  const { findings, reason } = reasonsOf(standing);
  const command = {
    type: 'release',
    manifest: asked.id,
    reservation: held.event,
    why,
    findings,
    ...(reason !== undefined && { reason }),
  } as const;
  const job = automaticJob<SubjectState>(
    services,
    nameOf(work),
    work,
    thing.stream,
    (state, envelope, nowMs) => decideSubject(command, state, { law: services.rules, nowMs, envelope }),
  );
  return (await services.runner.run(subjects, thing.stream, job)).events;
}

/** What the permit's stream found against it, in the words of what it said last. */
function reasonsOf(standing: ManifestStanding | undefined): {
  readonly findings: readonly Finding[];
  readonly reason?: string;
} {
  if (standing?.is === 'refused') {
    const { findings, reason } = standing.data;
    return { findings: findings.map(findingOf), ...(reason !== undefined && { reason }) };
  }
  if (standing?.is === 'withdrawn')
    return { findings: standing.findings.map(findingOf), reason: standing.why };
  return { findings: [] };
}

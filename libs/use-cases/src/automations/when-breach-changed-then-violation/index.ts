import { occurredMs } from '@headworks/calendars';
import type { RecordedEvent } from '@headworks/kernel';
import {
  decideViolation,
  isAct,
  isStep,
  violationId,
  type ConsequenceReversed,
  type DutyMissed,
  type FactsCorrected,
  type LimitExceeded,
  type RecordedInError,
  type ViolationState,
} from '@headworks/domain';
import type { Services } from '../../context';
import { idOf, violations, violationStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';
import { actBreaches, actBreachesSince } from './act-breaches';
import type { Found } from './found';
import { dutyBreaches } from './duty-breaches';
import { cureBreaches, loadBreaches } from './load-breaches';

const NAME = 'when-breach-changed-then-violation';

/**
 * Violations follow findings, limits exceeded and duties missed, and nothing else. Each is brought to agree with what
 * the log says now: detected, abated, withdrawn. Its id is a function of clause, thing and occasion.
 */
export const whenBreachChangedThenViolation: Automation = {
  name: NAME,
  plan: (event) => {
    const { type, stream, metadata, data } = event;
    const cure = `cure:${stream}:${occurredMs(metadata.occurred)}`;
    switch (type) {
      case 'LoadDischarged':
      case 'LoadCorrected':
      case 'LoadJudged':
        return [`load:${idOf(stream)}:`];
      case 'LimitExceeded':
      case 'LimitExceededWithdrawn': {
        const { load, clause } = data as LimitExceeded;
        return [`load:${load}:${clause}`];
      }
      case 'DutyMissed':
        return [`duty:${stream}:${(data as DutyMissed).duty}`];
      case 'ConsequenceReversed':
        return dutyOf(data as ConsequenceReversed).map((duty) => `duty:${stream}:${duty}`);
      case 'SubjectRegistered':
      case 'FactsRecorded':
        return [cure];
      case 'FactsCorrected':
        return [cure, `act:${(data as FactsCorrected).corrects}`];
      case 'RecordedInError':
        return isOfThing(stream) ? [cure, `act:${(data as RecordedInError).annuls}`] : [];
      default:
        return isAct(type) || isStep(type) ? [cure] : [];
    }
  },
  run: async (services, work) => {
    const events: RecordedEvent[] = [];
    for (const found of await breaches(services, work)) events.push(...(await agree(services, work, found)));
    return events;
  },
};

async function breaches(services: Services, work: Work): Promise<readonly Found[]> {
  const at = work.key.indexOf(':');
  const [kind, rest] = [work.key.slice(0, at), work.key.slice(at + 1)];
  const [first = '', ...others] = rest.split(':');
  switch (kind) {
    case 'load':
      return loadBreaches(services, work, first, others.join(':'));
    case 'duty':
      return dutyBreaches(services, first, { only: others[0], work });
    case 'act':
      return actBreaches(services, rest);
    default:
      // Facts may cure what lasts, and say otherwise what acts on the thing were judged by.
      return [
        ...(await dutyBreaches(services, first, { work })),
        ...(await cureBreaches(services, work, first)),
        ...(await actBreachesSince(services, work, first, Number(others[0]))),
      ];
  }
}

async function agree(services: Services, work: Work, found: Found): Promise<readonly RecordedEvent[]> {
  const stream = violationStream(violationId(found.pack, found.clause, found.thing, found.occasion));
  const { runner } = services;
  // Most clauses were never breached: what does not stand and never stood needs no stream.
  if (!found.breach.stands && (await runner.read(violations, stream)).revision < 0) return [];
  const job = automaticJob<ViolationState>(services, `${NAME}:${work.key}`, work, stream, async (state) => {
    // Read again after the violation's own head: whoever changes the source later comes here later.
    const now = (await lookAgain(services, work, found)) ?? gone(found);
    const decision = decideViolation({ ...now.breach, cause: work.cause }, state);
    const { law, basis } = now;
    return {
      ...decision,
      events: decision.events.map((event) => ({ ...event, ...(law && { law }), basis })),
    };
  });
  return (await runner.run(violations, stream, job)).events;
}

async function lookAgain(services: Services, work: Work, found: Found): Promise<Found | undefined> {
  const { clause, occasion, stream } = found;
  const same = (all: readonly Found[]) => all.find((other) => sameOccasion(other, found));
  switch (found.in) {
    case 'load':
      return same(await loadBreaches(services, work, occasion, clause));
    case 'duty':
      return stream === undefined
        ? undefined
        : same(await dutyBreaches(services, stream, { only: occasion }));
    case 'act':
      return same(await actBreaches(services, occasion));
  }
}

const sameOccasion = (a: Found, b: Found): boolean =>
  a.pack === b.pack && a.clause === b.clause && a.thing === b.thing && a.occasion === b.occasion;

/** Its source says nothing of it any more. */
const gone = (found: Found): Found => ({
  ...found,
  breach: { stands: false, why: 'no_longer_violated', cause: found.breach.cause },
});

const dutyOf = ({ duty }: ConsequenceReversed): readonly string[] => (duty === undefined ? [] : [duty]);

/** What was recorded in error of a load or a violation has its own events there. */
const isOfThing = (stream: string): boolean => stream.startsWith('subject-') || stream.startsWith('permit-');

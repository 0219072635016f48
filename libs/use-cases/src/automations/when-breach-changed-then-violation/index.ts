import { type RecordedEvent } from '@headworks/kernel';
import {
  decideViolation,
  isAct,
  violationId,
  type ActDone,
  type Breach,
  type ConsequenceReversed,
  type DutyMissed,
  type LimitExceeded,
  type RecordedInError,
  type ViolationState,
} from '@headworks/domain';
import type { Services } from '../../context';
import { idOf, violations, violationStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';
import { actBreaches, dutyBreaches, type Found } from './thing-breaches';
import { cureBreaches, loadBreaches } from './load-breaches';

const NAME = 'when-breach-changed-then-violation';

/**
 * Violations follow findings, limits exceeded and duties missed, and nothing else. Each is brought to agree with what
 * the log says now: detected, abated, withdrawn. Its id is a function of clause, thing and occasion.
 */
export const whenBreachChangedThenViolation: Automation = {
  name: NAME,
  plan: (event) => {
    const { type, stream } = event;
    switch (type) {
      case 'LoadDischarged':
      case 'LoadCorrected':
      case 'LoadJudged':
        return [`load:${idOf(stream)}:`];
      case 'LimitExceeded':
      case 'LimitExceededWithdrawn': {
        const { load, clause } = event.data as LimitExceeded;
        return [`load:${load}:${clause}`];
      }
      case 'DutyMissed':
        return [`duty:${stream}:${(event.data as DutyMissed).duty}`];
      case 'ConsequenceReversed':
        return [`duty:${stream}:${(event.data as ConsequenceReversed).duty}`];
      case 'FactsRecorded':
      case 'FactsCorrected':
        return stream.startsWith('subject-') ? [`cure:${stream}:${event.revision}`] : [];
      case 'RecordedInError': {
        const { annuls } = event.data as RecordedInError;
        return stream.startsWith('subject-') ? [`cure:${stream}:${event.revision}`, `act:${annuls}`] : [];
      }
      default:
        if (!isAct(type)) return [];
        return [
          `cure:${stream}:${event.revision}`,
          ...((event.data as ActDone).judged ? [`act:${stream}@${event.revision}`] : []),
        ];
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
      return dutyBreaches(services, work, first, others[0]);
    case 'act':
      return actBreaches(services, work, rest);
    default:
      // Facts may cure what lasts: the duties missed on the thing, and violations of loads on it.
      return [...(await dutyBreaches(services, work, first)), ...(await cureBreaches(services, work, first))];
  }
}

async function agree(services: Services, work: Work, found: Found): Promise<readonly RecordedEvent[]> {
  const stream = violationStream(violationId(found.pack, found.clause, found.thing, found.occasion));
  const { runner } = services;
  // Most clauses were never breached: what does not stand and never stood needs no stream.
  if (!found.breach.stands && (await runner.read(violations, stream)).revision < 0) return [];
  const breach: Breach = { ...found.breach, cause: work.cause };
  const job = automaticJob<ViolationState>(services, `${NAME}:${work.key}`, work, stream, async (state) => {
    // Read again after the violation's own head: whoever changes the source later comes here later.
    const again = (await breaches(services, work)).find((other) => sameOccasion(other, found));
    return decideViolation(again ? { ...again.breach, cause: work.cause } : breach, state);
  });
  return (await runner.run(violations, stream, job)).events;
}

const sameOccasion = (a: Found, b: Found): boolean =>
  a.clause === b.clause && a.thing === b.thing && a.occasion === b.occasion;

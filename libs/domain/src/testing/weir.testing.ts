import { join } from 'node:path';
import type { DomainEvent } from '@headworks/kernel';
import { loadRules } from '@headworks/rules-engine';
import type { Facts } from '../events';
import type { Law } from '../pack-at';
import { dutiesOf } from '../duties/derive';
import { dutyStatus, missedFinding, type Duty } from '../duties/duty';
import type { SubjectState } from '../subject/subject';
import { PermitFileUnderTest, type WhenDecided } from './permit.testing';
import { Thing, type When } from './thing.testing';

/** The invented law of test/fixtures/duties: wheels, eels, tolls and weirs. */
export const WEIR_RULES = loadRules(join(__dirname, '../../../../test/fixtures/duties'));
export const WEIR = 'fernhollow-weir';

/** A leave to turn a wheel, filed on Thursday, July 1, 2027 at 10:00 local, unless it says otherwise. */
export class Leave extends PermitFileUnderTest {
  override readonly law: Law = WEIR_RULES;
  override now = '2027-07-01T15:00:00.000Z';

  apply(told: WhenDecided = {}, facts: Facts = { wheels: 1, in_flood_plain: false }, permitType = 'milling') {
    return this.file(facts, told, { pack: WEIR, permitType, applicant: { kind: 'miller', key: 'M1' } });
  }

  override act(act: string, facts: Facts = {}, told: WhenDecided = {}): readonly DomainEvent[] {
    const by = told.by ?? { person: 'ada' };
    return this.when({ type: 'do-act', kind: 'permit', pack: WEIR, act, facts, by }, told);
  }

  settle(now: string): readonly DomainEvent[] {
    return this.when({ type: 'settle' }, { now });
  }

  /** Leave given on July 2, and nothing owed but the bond. */
  issuedNow(): this {
    this.apply();
    this.approve({ now: '2027-07-02T15:00:00.000Z' });
    return this;
  }
}

/** A weir on the brook, registered on January 1. */
export class Weir extends Thing {
  override readonly law: Law = WEIR_RULES;

  constructor() {
    super('subject-weir-1');
    this.when(
      { type: 'register', kind: 'weir', key: 'W1', pack: WEIR, facts: {} },
      { now: '2027-01-01T06:00:00.000Z' },
    );
  }

  override facts(facts: DomainEvent['data'], told: When = {}): readonly DomainEvent[] {
    return this.when({ type: 'record-facts', kind: 'weir', pack: WEIR, facts }, told);
  }

  override act(act: string, facts: DomainEvent['data'] = {}, told: When = {}): readonly DomainEvent[] {
    const { by = { person: 'ada' } } = told;
    return this.when({ type: 'do-act', kind: 'weir', pack: WEIR, act, facts, by }, { ...told, by });
  }
}

/** The duties of a clause, in the order in which they began. */
export const dutiesUnder = (state: SubjectState, clause: string): readonly Duty[] =>
  dutiesOf(state, WEIR_RULES).filter((duty) => duty.clause.id === clause);

/** How they stand at the instant: `clause status`, by clause. */
export const standing = (state: SubjectState, now: string): readonly string[] =>
  dutiesOf(state, WEIR_RULES)
    // What a clause does not bind is no duty of anybody.
    .filter((duty) => duty.clock.due === undefined || missedFinding(duty).status !== 'not_applicable')
    .map((duty) => `${duty.clause.id} ${dutyStatus(duty, Date.parse(now))}`)
    .toSorted();

/** Open duties as the events tell them: `clause due`. */
export const open = ({ openDuties }: SubjectState): readonly string[] =>
  [...openDuties.values()].map(({ clause, dueOn }) => `${clause} ${dueOn ?? 'never'}`).toSorted();

/** What was missed and stands: `clause instant`. */
export const missed = (state: SubjectState): readonly string[] =>
  [...state.missed.values()]
    .filter(({ reversedBy }) => reversedBy === undefined)
    .map(({ data }) => `${data.clause} ${data.due['at'] as string}`)
    .toSorted();

/** The only duty of the clause. */
export function dutyUnder(state: SubjectState, clause: string): Duty {
  const [duty, ...others] = dutiesUnder(state, clause);
  if (!duty || others.length > 0) throw new Error(`${others.length + (duty ? 1 : 0)} duties under ${clause}`);
  return duty;
}

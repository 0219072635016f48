import { join } from 'node:path';
import {
  canonicalText,
  isoInstant,
  type ActedBy,
  type DomainEvent,
  type RecordedEvent,
} from '@headworks/kernel';
import { loadRules, type Pack, type PermitDef } from '@headworks/rules-engine';
import { toNewEvent, type Envelope } from '../draft';
import type { Facts } from '../events';
import type { Law } from '../pack-at';
import type { FileCommandOf, PermitCommand } from '../permit/commands';
import { decidePermit } from '../permit/permit.decide';
import { evolvePermit, newPermit, phaseNameAt, type PermitState } from '../permit/permit';
import { evolveSubject, newSubject, type SubjectState } from '../subject/subject';

/** The invented law of test/fixtures/permits: leave to press at the common vats. */
export const PRESS_RULES = loadRules(join(__dirname, '../../../../test/fixtures/permits'));
export const PRESS = 'fernhollow-press';
export const PERMIT_STREAM = 'permit-p1';

export function pressPack(version = 0): Pack {
  const pack = PRESS_RULES.packs.get(PRESS)?.[version];
  if (!pack) throw new Error(`no pack ${PRESS}`);
  return pack;
}

export function pressDef(name = 'pressing', version = 0): PermitDef {
  const def = pressPack(version).permits.get(name);
  if (!def) throw new Error(`no permit ${name}`);
  return def;
}

export interface WhenDecided {
  /** ISO; default: the clock of the file. */
  readonly now?: string;
  readonly occurred?: string;
  readonly by?: ActedBy;
  readonly holder?: SubjectState;
}

let commands = 0;

/** A permit's stream, as a store would keep it: given and when, then what was decided. */
export class PermitFileUnderTest {
  state: PermitState;
  readonly log: RecordedEvent[] = [];
  now = '2027-08-10T15:00:00.000Z';
  readonly law: Law = PRESS_RULES;

  constructor(readonly stream = PERMIT_STREAM) {
    this.state = newPermit(stream);
  }

  /** Decides and keeps what was decided; returns it. */
  when(command: PermitCommand, told: WhenDecided = {}): readonly DomainEvent[] {
    const now = told.now ?? this.now;
    this.now = now;
    const envelope: Envelope = {
      occurred: { at: isoInstant(Date.parse(told.occurred ?? now)) },
      recordedAt: now > this.state.lastRecordedAt ? now : this.state.lastRecordedAt,
      actor: { id: 'somebody', roles: ['clerk'] },
      jurisdiction: 'xx-fernhollow',
      correlationId: 'c',
      commandId: `command-${++commands}`,
      by: told.by ?? { person: 'ada' },
    };
    const { holder = presser() } = told;
    const context = { law: this.law, nowMs: Date.parse(now), envelope, holder };
    const { events } = decidePermit(command, this.state, context);
    events.forEach((event, index) => this.keep(event, index, envelope));
    return events;
  }

  file(facts: Facts = FORM, told: WhenDecided = {}, more: Partial<FileCommandOf<'file-application'>> = {}) {
    return this.when(
      {
        type: 'file-application',
        pack: PRESS,
        permitType: 'pressing',
        applicant: { kind: 'presser', key: 'P1' },
        facts,
        ...more,
      },
      told,
    );
  }

  act(act: string, facts: Facts, told: WhenDecided = {}): readonly DomainEvent[] {
    const by = told.by ?? { person: 'ada' };
    return this.when({ type: 'do-act', kind: 'permit', pack: PRESS, act, facts, by }, told);
  }

  approve(told: WhenDecided = {}, more: Partial<FileCommandOf<'approve'>> = {}): readonly DomainEvent[] {
    return this.when(
      { type: 'approve', reason: 'sound', sets: {}, waive: [], issue: true, ...more },
      { by: BOARD, ...told },
    );
  }

  /** Filed on August 10, complete, bonded, approved and issued on September 20, for the next year. */
  issued(facts: Facts = FORM): this {
    this.file(facts);
    this.when({ type: 'complete' }, { now: '2027-09-01T15:00:00.000Z' });
    this.act('accept_bond', { bonded: true }, { now: '2027-09-10T15:00:00.000Z' });
    this.approve({ now: '2027-09-20T15:00:00.000Z' });
    return this;
  }

  is(at = this.now): string {
    return phaseNameAt(this.state.file, Date.parse(at));
  }

  /** Keeps an event that another decider would have made. */
  given(event: DomainEvent, now = this.now): this {
    this.keep(event, 0, {
      occurred: { at: now },
      recordedAt: now > this.state.lastRecordedAt ? now : this.state.lastRecordedAt,
      actor: { id: 'somebody', roles: [] },
      correlationId: 'c',
      commandId: `command-${++commands}`,
    });
    return this;
  }

  /** The state folded again from what the log holds: it must be what was carried along. */
  refold(): PermitState {
    return this.log.reduce(evolvePermit, newPermit(this.stream));
  }

  private keep(event: DomainEvent, index: number, envelope: Envelope): void {
    const made = toNewEvent(this.stream, index, event, envelope);
    const revision = this.state.revision + 1;
    const recorded = { ...made, stream: this.stream, revision, position: '', hash: '' };
    // A store writes canonical bytes: keys come back sorted, and undefined members do not come back.
    this.log.push(JSON.parse(canonicalText(recorded as unknown as DomainEvent['data'])) as RecordedEvent);
    this.state = evolvePermit(this.state, recorded);
  }
}

export const FORM: Facts = {
  fruit: ['apples'],
  yearly_volume: { value: '500', unit: 'gal' },
};
export const BOARD: ActedBy = { body: 'moot', person: 'bo' };

/** Who applies, as registered: whether it keeps an inn is a fact of its own. */
export function presser(facts: Facts = { inn_keeper: false }): SubjectState {
  return evolveSubject(newSubject('subject-presser-1'), {
    stream: 'subject-presser-1',
    revision: 0,
    position: '',
    hash: '',
    id: 'e',
    type: 'SubjectRegistered',
    data: { kind: 'presser', key: 'P1', facts },
    metadata: {
      occurred: { at: '2027-01-01T06:00:00.000Z' },
      recordedAt: '2027-01-01T06:00:00.000Z',
      actor: { id: 'somebody', roles: [] },
      correlationId: 'c',
      commandId: 'registered',
      schema: 1,
    },
  });
}

import { join } from 'node:path';
import {
  canonicalText,
  isoInstant,
  type ActedBy,
  type DomainEvent,
  type LateReason,
  type RecordedEvent,
} from '@headworks/kernel';
import { loadRules, type Pack } from '@headworks/rules-engine';
import { toNewEvent, type Envelope } from '../draft';
import type { ThingRef } from '../events';
import type { Law } from '../pack-at';
import type { SubjectCommand } from '../subject/commands';
import { decideSubject } from '../subject/subject.decide';
import { evolveSubject, newSubject, type SubjectState } from '../subject/subject';

/** The invented laws of test/fixtures: meadows, pomace and ash. */
export const RULES = loadRules(join(__dirname, '../../../../test/fixtures/rules'));
export const PACK = 'fernhollow-pomace';
export const ASH = 'fernhollow-ash';
export const STREAM = 'subject-meadow-1';

export function packOn(date: string, name = PACK): Pack {
  const pack = RULES.packs
    .get(name)
    ?.findLast(({ inForce }) => inForce.from === 'unknown' || inForce.from <= date);
  if (!pack) throw new Error(`no pack ${name}`);
  return pack;
}

export interface When {
  /** ISO; default: the clock of the thing. */
  readonly now?: string;
  readonly occurred?: string;
  readonly by?: ActedBy;
  readonly late?: LateReason;
}

export interface LoadTold {
  readonly load: string;
  readonly at: string;
  readonly gallons?: string;
  readonly revision?: number;
  readonly facts?: DomainEvent['data'];
  readonly hauler?: ThingRef;
  readonly pack?: string;
}

/** Null here: nobody said it. */
const said = (facts: DomainEvent['data']): DomainEvent['data'] =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));

let commands = 0;

/** A stream of one thing, as a store would keep it: given and when, then what was decided. */
export class Thing {
  state: SubjectState;
  readonly log: RecordedEvent[] = [];
  now = '2027-07-01T00:00:00.000Z';
  readonly law: Law = RULES;

  constructor(readonly stream = STREAM) {
    this.state = newSubject(stream);
  }

  /** Decides and keeps what was decided; returns it. */
  when(command: SubjectCommand, told: When = {}): readonly DomainEvent[] {
    const now = told.now ?? this.now;
    this.now = now;
    const envelope: Envelope = {
      occurred: { at: isoInstant(Date.parse(told.occurred ?? now)) },
      recordedAt: now > this.state.lastRecordedAt ? now : this.state.lastRecordedAt,
      actor: { id: 'somebody', roles: ['clerk'] },
      jurisdiction: 'xx-fernhollow',
      correlationId: 'c',
      commandId: `command-${++commands}`,
      ...(told.by && { by: told.by }),
      ...(told.late && { late: told.late }),
    };
    const context = { law: this.law, nowMs: Date.parse(now), envelope };
    const { events } = decideSubject(command, this.state, context);
    events.forEach((event, index) => this.keep(event, index, envelope));
    return events;
  }

  facts(facts: DomainEvent['data'], told: When = {}): readonly DomainEvent[] {
    return this.when({ type: 'record-facts', kind: 'meadow', pack: PACK, facts }, told);
  }

  act(act: string, facts: DomainEvent['data'], told: When = {}): readonly DomainEvent[] {
    const { by = { person: 'ada' } } = told;
    return this.when({ type: 'do-act', kind: 'meadow', pack: PACK, act, facts, by }, { ...told, by });
  }

  /** Posts a load, or with another revision posts it anew. */
  post(told: LoadTold, when: When = {}): readonly DomainEvent[] {
    const { load, at, gallons = '10', revision = 0, facts = {}, pack = PACK } = told;
    const limits = pack === PACK ? ['meadow_year', 'meadow_week'] : ['meadow_year'];
    const posting = {
      pack,
      loadType: pack === PACK ? 'tipping' : 'strewing',
      limits,
      quantity: { value: gallons, unit: 'gal' },
      hauler: told.hauler ?? { kind: 'hauler', key: 'H1' },
      occurredMs: Date.parse(at),
      facts: pack === PACK ? said({ make: 'wet', ...facts }) : {},
      event: `load-${load}@${revision}`,
    };
    return this.when({ type: 'post-load', load, loadRevision: revision, posting }, when);
  }

  leave(load: string, revision = 1, when: When = {}): readonly DomainEvent[] {
    return this.when({ type: 'post-load', load, loadRevision: revision }, when);
  }

  settle(now: string): readonly DomainEvent[] {
    return this.when({ type: 'settle' }, { now });
  }

  /** The state folded again from what the log holds: it must be what was carried along. */
  refold(): SubjectState {
    return this.log.reduce(evolveSubject, newSubject(this.stream));
  }

  private keep(event: DomainEvent, index: number, envelope: Envelope): void {
    const made = toNewEvent(this.stream, index, event, envelope);
    const revision = this.state.revision + 1;
    const recorded = { ...made, stream: this.stream, revision, position: '', hash: '' };
    // A store writes canonical bytes: keys come back sorted, and undefined members do not come back.
    this.log.push(JSON.parse(canonicalText(recorded as unknown as DomainEvent['data'])) as RecordedEvent);
    this.state = evolveSubject(this.state, recorded);
  }
}

export const typesOf = (events: readonly DomainEvent[]): readonly string[] => events.map(({ type }) => type);

/** Loads over a limit, as `clause load`. */
export const over = ({ exceeded }: SubjectState): readonly string[] =>
  [...exceeded.values()].map(({ data }) => `${data.clause} ${data.load}`).toSorted();

/** The data of the only event of the type. */
export function dataOf(events: readonly DomainEvent[], type: string): DomainEvent['data'] {
  const found = events.filter((event) => event.type === type);
  if (found.length !== 1) throw new Error(`${found.length} events of type ${type}, not one`);
  return found[0]?.data ?? {};
}

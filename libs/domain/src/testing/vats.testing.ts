import { join } from 'node:path';
import {
  canonicalText,
  isoInstant,
  type Decision,
  type DomainEvent,
  type RecordedEvent,
} from '@headworks/kernel';
import { loadRules } from '@headworks/rules-engine';
import { toNewEvent, type Envelope } from '../draft';
import type { Facts } from '../events';
import type { ManifestAsk } from '../manifest/judge-manifest';
import type { LoadWorld } from '../load/load-world';
import { decidePermit } from '../permit/permit.decide';
import type { PermitCommand } from '../permit/commands';
import { evolvePermit, newPermit, type PermitState } from '../permit/permit';
import type { SubjectCommand } from '../subject/commands';
import { decideSubject } from '../subject/subject.decide';
import { evolveSubject, newSubject, type SubjectState } from '../subject/subject';
import type { SubjectContext } from '../subject/context';

/** The invented law of test/fixtures/manifests: must that is brought to the common vats. */
export const VAT_RULES = loadRules(join(__dirname, '../../../../test/fixtures/manifests'));
export const VATS = 'fernhollow-vats';
export const MORNING = Date.parse('2027-09-13T13:00:00.000Z');
export const MINUTE = 60_000;

let commands = 0;

/** One stream as a store would keep it: commands come in, and what was decided is kept. */
class Stream<State extends SubjectState, Command> {
  readonly log: RecordedEvent[] = [];
  nowMs = MORNING;

  constructor(
    public state: State,
    private readonly decide: (command: Command, state: State, context: SubjectContext) => Decision,
    private readonly evolve: (state: State, event: RecordedEvent) => State,
  ) {}

  when(command: Command): Decision {
    const now = isoInstant(this.nowMs);
    const envelope: Envelope = {
      occurred: { at: now },
      recordedAt: now > this.state.lastRecordedAt ? now : this.state.lastRecordedAt,
      actor: { id: 'somebody', roles: ['admin'] },
      jurisdiction: 'xx-fernhollow',
      correlationId: 'c',
      commandId: `command-${++commands}`,
      by: { person: 'ada' },
    };
    const context = { law: VAT_RULES, nowMs: this.nowMs, envelope };
    const decision = this.decide(command, this.state, context);
    decision.events.forEach((event, index) => this.keep(event, index, envelope));
    return decision;
  }

  /** Folded again from what the log holds: it must be what was carried along. */
  refold(initial: State): State {
    return this.log.reduce(this.evolve, initial);
  }

  private keep(event: DomainEvent, index: number, envelope: Envelope): void {
    const { stream, revision } = this.state;
    const made = toNewEvent(stream, index, event, envelope);
    const recorded = { ...made, stream, revision: revision + 1, position: '', hash: '' };
    this.log.push(JSON.parse(canonicalText(recorded as unknown as DomainEvent['data'])) as RecordedEvent);
    this.state = this.evolve(this.state, recorded);
  }
}

export class LeaveUnderTest extends Stream<PermitState, PermitCommand> {
  constructor(gallons = '1000') {
    super(newPermit('permit-p1'), decidePermit, evolvePermit);
    const facts = { yearly_volume: { value: gallons, unit: 'gal' } };
    const applicant = { kind: 'presser', key: 'P1' };
    this.when({ type: 'file-application', pack: VATS, permitType: 'pressing', applicant, facts });
    this.when({ type: 'complete' });
    this.when({ type: 'approve', reason: 'sound', sets: {}, waive: [], issue: true });
  }
}

export class VatUnderTest extends Stream<SubjectState, SubjectCommand> {
  constructor() {
    super(newSubject('subject-v1'), decideSubject, evolveSubject);
  }

  closed(closed: boolean): Decision {
    const by = { person: 'wes' };
    return this.when({ type: 'do-act', kind: 'vat', pack: VATS, act: 'close_vat', facts: { closed }, by });
  }
}

function thing(kind: string, facts: Facts): SubjectState {
  const stream = new Stream<SubjectState, SubjectCommand>(
    newSubject(`subject-${kind}`),
    decideSubject,
    evolveSubject,
  );
  stream.when({ type: 'register', kind, key: kind, facts, pack: VATS });
  return stream.state;
}

const OTHERS = {
  hauler: thing('presser', { licensed: true }),
  vehicle: thing('cart', { cart_clean: true }),
  places: [thing('orchard', { in_valley: true })],
};

export const worldOf = (vat: SubjectState, permit?: PermitState): LoadWorld => ({
  ...OTHERS,
  thing: vat,
  ...(permit && { permit }),
});

/** A manifest of so many gallons for half an hour from now, of which all is known but what is left out. */
export const asked = (manifest: string, gallons = '100', facts: Facts = { sound: true }): ManifestAsk => ({
  manifest,
  pack: VATS,
  type: 'bringing',
  permitId: 'p1',
  untilMs: MORNING + 16 * 60 * MINUTE,
  load: {
    occurredMs: MORNING + 30 * MINUTE,
    quantity: { value: gallons, unit: 'gal' },
    hauler: { kind: 'presser', key: 'P1' },
    vehicle: { kind: 'cart', key: 'C1' },
    ticket: manifest,
    wasteTypes: ['apple'],
    papers: { signed: true, generatorsNamed: true, locationsNamed: true },
    facts,
    event: `load-${manifest}@0`,
  },
});

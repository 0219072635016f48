import { join } from 'node:path';
import {
  canonicalText,
  isoInstant,
  nameId,
  subjectId,
  type JsonObject,
  type NewEvent,
} from '@headworks/kernel';
import {
  openMemoryKeyStore,
  openMemoryStore,
  type EventStore,
  type KeyStore,
  type OpenStore,
} from '@headworks/event-store';
import { violationDays, violationStatus, type ViolationState } from '@headworks/domain';
import { loadRules, type RuleSet } from '@headworks/rules-engine';
import type { Caller, Request, Services } from '../context';
import type { Answer } from '../answers';
import { Headworks } from '../headworks';
import { LawBook } from '../law-book';
import { subjects, subjectStream, violations } from '../models';
import { StreamRunner } from '../stream-runner';
import type { LoadBody } from '../commands/record-load';

/** The invented laws of test/fixtures: meadows, pomace and ash. */
export const RULES = loadRules(join(__dirname, '../../../../test/fixtures/rules'));
export const PACK = 'fernhollow-pomace';
export const JURISDICTION = 'xx-fernhollow';
export const CLERK: Caller = { id: 'clerk-1', roles: ['admin', 'clerk', 'officer'], jurisdictions: '*' };

/** What stands in common between the processes of a test: the log, the keys, the hour. */
export interface Shared {
  readonly store: OpenStore;
  readonly keys: KeyStore;
  /** Epoch ms of the law's clock. */
  now: number;
  ids: number;
}

export async function openShared(store?: OpenStore): Promise<Shared> {
  return {
    store: store ?? (await openMemoryStore()),
    keys: openMemoryKeyStore(),
    now: Date.parse('2027-07-05T15:00:00.000Z'),
    ids: 0,
  };
}

export interface ProcessOptions {
  /** What the process appends to and reads from; default: the shared store itself. */
  readonly store?: EventStore;
  readonly singleWriter?: boolean;
  /** Laws of the process; default: those of test/fixtures/rules. */
  readonly rules?: RuleSet;
  /** How personal fields are sealed; default: not at all. */
  readonly seal?: (event: NewEvent) => Promise<NewEvent>;
}

/** One process of Headworks on a log. */
export class World {
  readonly headworks: Headworks;
  readonly services: Services;
  /** The machine's clock, which deadlines are measured by. */
  monotonic = 0;
  /** Idempotency-Key of the requests from now on. */
  key: string | undefined;

  constructor(
    readonly shared: Shared,
    options: ProcessOptions = {},
  ) {
    const { store = shared.store, singleWriter = true, rules = RULES } = options;
    const { seal = (event: NewEvent) => Promise.resolve(event) } = options;
    const open: OpenStore = { ...shared.store, ...store };
    const monotonic = (): number => this.monotonic;
    const runner = new StreamRunner({ store, singleWriter, seal, monotonic });
    const book = new LawBook(rules);
    this.services = {
      store: open,
      keys: shared.keys,
      book,
      get rules() {
        return book.now;
      },
      runner,
      clock: { kind: 'real', now: () => shared.now },
      monotonic,
      newId: () => nameId('fresh', ++shared.ids),
      lawFaults: new Map(),
    };
    this.headworks = new Headworks(this.services);
  }

  static async open(options: ProcessOptions = {}): Promise<World> {
    return new World(await openShared(), options);
  }

  at(iso: string): this {
    this.shared.now = Date.parse(iso);
    return this;
  }

  request(more: Partial<Request> = {}): Request {
    return {
      caller: CLERK,
      receivedMs: this.shared.now,
      correlationId: 'corr',
      dryRun: false,
      deadline: this.monotonic + 30_000,
      ...(this.key !== undefined && { idempotency: { key: this.key, bodyHash: this.key } }),
      ...more,
    };
  }

  keyed(key: string, body: unknown): Request {
    return this.request({ idempotency: { key, bodyHash: canonicalText(body as JsonObject) } });
  }

  meadow(key: string): string {
    return subjectId(JURISDICTION, 'meadow', key);
  }

  body(ticket: string, more: Partial<LoadBody> = {}): LoadBody {
    return {
      pack: PACK,
      load: 'tipping',
      subject: { kind: 'meadow', key: 'M1' },
      hauler: { kind: 'hauler', key: 'H1' },
      ticket,
      occurredAt: isoInstant(this.shared.now),
      quantity: '10 gal',
      facts: { make: 'wet', brook_distance: '90 ft' },
      reason: 'late',
      evidence: 'book',
      ...more,
    };
  }

  tip(ticket: string, more: Partial<LoadBody> = {}): Promise<Answer> {
    return this.headworks.recordLoad(this.request(), this.body(ticket, more));
  }

  register(key: string, facts: JsonObject, occurredAt = '2027-01-01T06:00:00Z'): Promise<Answer> {
    return this.headworks.registerSubject(this.request(), 'meadow', {
      jurisdiction: JURISDICTION,
      key,
      facts,
      occurredAt,
      reason: 'late',
      evidence: 'book',
    });
  }

  facts(key: string, facts: JsonObject, occurredAt?: string): Promise<Answer> {
    return this.headworks.recordFacts(this.request(), 'meadow', this.meadow(key), {
      facts,
      ...(occurredAt !== undefined && { occurredAt }),
      reason: 'late',
      evidence: 'book',
    });
  }

  act(key: string, act: string, facts: JsonObject, occurredAt?: string): Promise<Answer> {
    return this.headworks.doAct(
      this.request(),
      { kind: 'meadow', id: this.meadow(key), act },
      {
        pack: PACK,
        facts,
        ...(occurredAt !== undefined && { occurredAt }),
        reason: 'late',
        evidence: 'book',
      },
    );
  }

  thing(key: string) {
    return this.services.runner.read(subjects, subjectStream(this.meadow(key)));
  }

  /** Every violation of the log, folded from what the store holds. */
  async violations(): Promise<readonly ViolationState[]> {
    const states = new Map<string, ViolationState>();
    for await (const batch of this.shared.store.readAll()) {
      for (const event of batch) {
        if (!event.stream.startsWith('violation-')) continue;
        const state = states.get(event.stream) ?? violations.initial(event.stream);
        states.set(event.stream, violations.evolve(state, event));
      }
    }
    return [...states.values()];
  }

  /** What stands against whom, in words: what must be the same whatever the way there. */
  async standing(): Promise<readonly string[]> {
    const open = (await this.violations()).filter((one) => violationStatus(one) !== 'withdrawn');
    return open.map((one) => this.inWords(one)).toSorted();
  }

  private inWords(one: ViolationState): string {
    const { data, ms } = one.detected ?? {};
    const days = violationDays(one, this.shared.now);
    const who = `${data?.clause} on ${data?.subject.key} by ${data?.responsible.key} for ${data?.loadId?.slice(0, 8)}`;
    return `${who}: ${violationStatus(one)}, ${days} days from ${isoInstant(ms ?? 0)}`;
  }
}

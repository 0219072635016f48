import { join } from 'node:path';
import { isoInstant, subjectId, type JsonObject } from '@headworks/kernel';
import { loadRules } from '@headworks/rules-engine';
import type { Answer } from '../answers';
import type { ManifestBody } from '../commands/manifests/submit-manifest';
import type { LoadBody } from '../commands/record-load';
import type { Caller, Request } from '../context';
import { loads, loadStream, permits, permitStream, subjects, subjectStream } from '../models';
import { JURISDICTION, openShared, World, type ProcessOptions, type Shared } from './world.testing';

/** The invented law of test/fixtures/manifests: must that is brought to the common vats. */
export const VAT_RULES = loadRules(join(__dirname, '../../../../test/fixtures/manifests'));
export const VATS = 'fernhollow-vats';

const of = (id: string, role: string): Caller => ({ id, roles: [role], jurisdictions: [JURISDICTION] });
export const REEVE = of('rae', 'clerk');
export const MOOT = of('moe', 'board');
export const WARDEN = of('wes', 'officer');
export const holder = (key: string): Caller => ({
  ...of(`holder-${key}`, 'holder'),
  holds: [{ kind: 'presser', key }],
});

/** Monday morning in the vats. */
export const MORNING = '2027-09-13T13:00:00.000Z';

/** A process that knows the law of the vats. */
export class VatWorld extends World {
  constructor(shared: Shared, options: ProcessOptions = {}) {
    super(shared, { rules: VAT_RULES, ...options });
  }

  static override async open(options: ProcessOptions = {}): Promise<VatWorld> {
    const world = new VatWorld(await openShared(), options);
    await world.begin();
    return world;
  }

  /** Pressers, a clean cart, two vats, two orchards of which one lies in the valley. */
  async begin(): Promise<void> {
    this.at('2027-03-01T15:00:00.000Z');
    for (const key of ['P1', 'P2']) await this.thingOf('presser', key, { licensed: true });
    for (const key of ['C1']) await this.thingOf('cart', key, { cart_clean: true });
    for (const key of ['V1', 'V2']) await this.thingOf('vat', key, {});
    await this.thingOf('orchard', 'near', { in_valley: true });
    await this.thingOf('orchard', 'far', { in_valley: false });
    this.at(MORNING);
  }

  thingOf(kind: string, key: string, facts: JsonObject): Promise<Answer> {
    return this.headworks.registerSubject(this.request(), kind, { jurisdiction: JURISDICTION, key, facts });
  }

  id(kind: string, key: string): string {
    return subjectId(JURISDICTION, kind, key);
  }

  factsOf(kind: string, key: string, facts: JsonObject, occurredAt?: string): Promise<Answer> {
    const late = { occurredAt: occurredAt ?? isoInstant(this.shared.now), reason: 'late', evidence: 'book' };
    return this.headworks.recordFacts(this.request(), kind, this.id(kind, key), { facts, ...late });
  }

  by(caller: Caller, more: Partial<Request> = {}): Request {
    return this.request({ caller, ...more });
  }

  /** A leave of so many gallons for this year, given at once. */
  async leave(gallons: string, key = 'P1'): Promise<string> {
    const facts = { yearly_volume: gallons };
    const applicant = { kind: 'presser', key };
    const body = { pack: VATS, permitType: 'pressing', applicant, facts };
    const filed = await this.headworks.permits.fileApplication(this.by(REEVE), body);
    const id = idIn(filed);
    await this.headworks.permits.decide(this.by(MOOT), id, 'completion', {});
    await this.headworks.permits.decide(this.by(MOOT), id, 'approval', { reason: 'sound' });
    const permit = await this.permit(id);
    if (permit.file.steps.at(-1)?.type !== 'PermitIssued') throw new Error('no leave was given');
    return id;
  }

  manifest(permitId: string, ticket: string, more: Partial<ManifestBody> = {}): ManifestBody {
    return {
      pack: VATS,
      permitId,
      subject: { kind: 'vat', key: 'V1' },
      hauler: { kind: 'presser', key: 'P1' },
      vehicle: { kind: 'cart', key: 'C1' },
      ticket,
      plannedAt: isoInstant(this.shared.now + 30 * 60_000),
      quantity: '100 gal',
      sources: [source('near')],
      facts: { sound: true },
      ...more,
    };
  }

  ask(permitId: string, ticket: string, more: Partial<ManifestBody> = {}, request = this.request()) {
    return this.headworks.manifests.submit(request, this.manifest(permitId, ticket, more));
  }

  must(permitId: string, ticket: string, more: Partial<LoadBody> = {}): LoadBody {
    return {
      pack: VATS,
      load: 'must',
      permitId,
      subject: { kind: 'vat', key: 'V1' },
      hauler: { kind: 'presser', key: 'P1' },
      vehicle: { kind: 'cart', key: 'C1' },
      ticket,
      occurredAt: isoInstant(this.shared.now),
      quantity: '100 gal',
      sources: [source('near')],
      facts: { tasted: true },
      ...more,
    };
  }

  pour(permitId: string, ticket: string, more: Partial<LoadBody> = {}) {
    return this.headworks.recordLoad(this.request(), this.must(permitId, ticket, more));
  }

  closeVat(closed: boolean, key = 'V1', more: Partial<Request> = {}): Promise<Answer> {
    const target = { kind: 'vat', id: this.id('vat', key), act: 'close_vat' };
    return this.headworks.doAct(this.by(WARDEN, more), target, { pack: VATS, facts: { closed } });
  }

  bar(id: string, barred: boolean): Promise<Answer> {
    return this.headworks.permits.doAct(this.by(WARDEN), id, 'bar', { pack: VATS, facts: { barred } });
  }

  permit(id: string) {
    return this.services.runner.read(permits, permitStream(id));
  }

  vat(key = 'V1') {
    return this.services.runner.read(subjects, subjectStream(this.id('vat', key)));
  }

  load(id: string) {
    return this.services.runner.read(loads, loadStream(id));
  }

  async status(id: string): Promise<unknown> {
    return (await this.headworks.manifests.manifest(this.request(), id, {}, 'full'))['status'];
  }

  async typesIn(stream: string): Promise<readonly string[]> {
    return (await this.shared.store.readStream(stream)).map(({ type }) => type);
  }
}

export const source = (orchard: string, gallons = '100 gal', wasteType = 'apple') => ({
  wasteType,
  quantity: gallons,
  place: { kind: 'orchard', key: orchard },
  location: 'by the gate',
  generator: { name: 'Ann', address: 'High Lane 2' },
});

export const idIn = ({ body }: Answer): string => body['id'] as string;

export const violatedIn = ({ body }: Answer): readonly string[] => clauses(body, 'violated');
export const unknownIn = ({ body }: Answer): readonly string[] => clauses(body, 'unknown');

const clauses = (body: JsonObject, status: string): readonly string[] =>
  (body['findings'] as readonly { clause: string; status: string }[])
    .filter((finding) => finding.status === status)
    .map(({ clause }) => clause);

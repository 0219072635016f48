import {
  actFindings,
  factAt,
  findingOf,
  givenByAct,
  packFor,
  type LoadState,
  type SubjectState,
} from '@headworks/domain';
import { address, CodedError, isoInstant, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import type { ActDef, Pack } from '@headworks/rules-engine';
import { shownFinding, type Explain } from '../answers';
import type { Caller, Services } from '../context';
import { shownGeometry } from '../geometry';
import { idOf } from '../models';

/** A thing with its facts as they held at the instant, each with the event that said it. */
export function shownSubject(thing: SubjectState, ms: number): JsonObject {
  const { registered, superseded, jurisdiction, stream, revision } = thing;
  const facts = [...thing.facts.rows.keys()].toSorted().flatMap((fact) => {
    const row = factAt(thing.facts, fact, ms);
    if (!row) return [];
    const until = row.untilMs === undefined ? {} : { until: isoInstant(row.untilMs) };
    return [[fact, { value: row.json, from: isoInstant(row.key.ms), ...until, event: row.saidBy }] as const];
  });
  return {
    id: idOf(stream),
    jurisdiction: jurisdiction ?? null,
    kind: registered?.kind ?? null,
    key: registered?.key ?? null,
    registered: registered !== undefined,
    ...(registered?.name !== undefined && { name: registered.name }),
    ...(registered?.geometry && { geometry: shownGeometry(registered.geometry) }),
    ...(superseded && { superseded: { ...superseded.data, event: superseded.event } }),
    facts: Object.fromEntries(facts) as JsonObject,
    openDuties: [...thing.openDuties.values()],
    postings: thing.postings.length,
    revision,
  };
}

/** A load as it stands, with its findings; personal fields are opened by the caller of this, where the role may. */
export function shownLoad(load: LoadState, explain: Explain = 'full'): JsonObject {
  const { current, voided, jurisdiction, stream, findings, recordedAt } = load;
  if (!current) throw new CodedError('not-found', 'There is no such load here.');
  const { occurredMs, finishedMs, content: _content, sources, distinct, ...rest } = current;
  return {
    id: idOf(stream),
    jurisdiction: jurisdiction ?? null,
    ...(rest as unknown as JsonObject),
    occurredAt: isoInstant(occurredMs),
    finishedAt: finishedMs === undefined ? null : isoInstant(finishedMs),
    recordedAt,
    voided,
    ...(distinct && { distinct }),
    sources,
    findings: findings.map((finding) => shownFinding(finding, explain)),
  };
}

/** Which acts may be done on the thing now: may, may not, and why, for each. */
export function shownActs(
  services: Services,
  thing: SubjectState,
  kind: string,
  caller: Caller,
): readonly JsonObject[] {
  const ms = services.clock.now();
  const shown: JsonObject[] = [];
  for (const [name, versions] of services.rules.packs) {
    if (versions.at(-1)?.jurisdiction !== thing.jurisdiction) continue;
    const pack = packFor(services.rules, name, ms);
    for (const act of pack.acts.values())
      if (act.on === kind) shown.push(shownAct(pack, act, thing, caller, ms));
  }
  return shown;
}

function shownAct(pack: Pack, act: ActDef, thing: SubjectState, caller: Caller, ms: number): JsonObject {
  const by = { person: caller.id };
  const findings = actFindings(thing, pack, act, { facts: givenByAct(pack, act, { by }, ms), by, ms });
  const against = findings.filter(({ status }) => status === 'violated' || status === 'unknown');
  // What the caller will record is not known yet: a clause that only lacks that does not stand against it.
  const toCome = (missing: readonly string[]) =>
    missing.length > 0 && missing.every((fact) => act.records.includes(fact));
  const blocking = against.filter(({ status, missing }) => !(status === 'unknown' && toCome(missing)));
  const may = blocking.some(({ status }) => status === 'violated')
    ? 'no'
    : blocking.length > 0
      ? 'unknown'
      : 'yes';
  const body = act.by.body === undefined ? undefined : pack.bodies.get(act.by.body);
  return {
    act: act.name,
    label: act.label,
    pack: pack.ref.pack,
    cite: act.cite,
    may,
    by: body ? { body: body.id, name: body.name, role: body.role } : { person: act.by.person ?? 'anyone' },
    yours: !body || caller.roles.includes(body.role) || caller.roles.includes('admin'),
    records: act.records,
    why: against.map((finding) => shownFinding(finding, 'brief')),
  };
}

/** An event as history shows it: who, both instants, what it stood on, what caused it. */
export function shownEvent(event: RecordedEvent, explain: Explain = 'full'): JsonObject {
  const { metadata, type, data } = event;
  const { occurred, recordedAt, actor, by, law, basis, causationId, correlationId, commandId, late } =
    metadata;
  return {
    event: address(event),
    type,
    occurred,
    recordedAt,
    actor: { id: actor.id, roles: actor.roles },
    ...(by && { by: { ...by } }),
    ...(law && { law: { ...law } }),
    ...(basis && { basis: basis.map(({ stream, revision }) => `${stream}@${revision}`) }),
    ...(causationId !== undefined && { cause: causationId }),
    ...(late && { late }),
    correlationId,
    commandId,
    data: withFindings(data, explain),
    hash: event.hash,
  };
}

function withFindings(data: JsonObject, explain: Explain): JsonObject {
  const { findings, finding } = data;
  return {
    ...data,
    ...(Array.isArray(findings) && {
      findings: findings.map((stored) => shownFinding(findingOf(stored as JsonObject), explain)),
    }),
    ...(finding !== undefined && { finding: shownFinding(findingOf(finding as JsonObject), explain) }),
  };
}

import type { CapacityReserved, Facts } from '@headworks/domain';
import { nameId, parseAddress, sameJson, type RecordedEvent } from '@headworks/kernel';
import { answerManifest, manifestOf, ownPermit, readAsked, type Origin } from '../../answer-manifest';
import { mustBeAdopted, type Services } from '../../context';
import type { Automation, Work } from '../automation';

const NAME = 'when-manifest-submitted-then-answer';

/**
 * A manifest is answered as soon as it is submitted, by the rules alone: refused, pending or accepted. What a process
 * reserved at the thing before it died is brought to its decision too, in the name of whoever asked for it.
 */
export const whenManifestSubmittedThenAnswer: Automation = {
  name: NAME,
  plan: (event) => {
    switch (event.type) {
      case 'ManifestSubmitted':
        return [`answer:${manifestOf(event)}`];
      case 'CapacityReserved':
        return event.stream.startsWith('subject-') ? [`go-on:${manifestOf(event)}`] : [];
      default:
        return [];
    }
  },
  run: async (services, work) => {
    const [ask, id = ''] = work.key.split(':');
    mustBeAdopted(services, work.jurisdiction);
    const asked = await readAsked(services, id);
    if (!asked) return [];
    const rules = byTheRules(services, work, asked.manifest.event);
    if (ask === 'answer') return answerManifest(services, id, rules);
    // Mostly the process that reserved has decided by now.
    const standing = (await ownPermit(services, asked))?.manifests.get(id);
    if (standing && standing.is !== 'pending') return [];
    const reserved = await eventAt(services, work.cause);
    if (!reserved) return [];
    const { commandId } = reserved.metadata;
    return answerManifest(
      services,
      id,
      commandId === rules.commandId
        ? rules
        : inTheirName(services, reserved, asked.def.facts, asked.manifest.facts),
    );
  },
};

/** The command id is a function of the manifest alone: followed again, or by two, it is one answer. */
const byTheRules = (services: Services, work: Work, submitted: string): Origin => ({
  commandId: nameId(NAME, submitted),
  envelope: {
    actor: { id: 'headworks', roles: ['automation'] },
    jurisdiction: work.jurisdiction,
    correlationId: work.correlationId,
    causationId: submitted,
    commandId: nameId(NAME, submitted),
  },
  nowMs: services.clock.now(),
  deadline: services.monotonic() + 60_000,
});

/** Somebody accepted what waited, and the process died before the permit's stream said so. */
function inTheirName(
  services: Services,
  { metadata, data }: RecordedEvent,
  names: readonly string[],
  said: Facts,
): Origin {
  const { schema: _schema, recordedAt: _recordedAt, occurred: _occurred, basis: _basis, ...rest } = metadata;
  const { law: _law, ...envelope } = rest;
  const { facts } = data as CapacityReserved;
  const filled = Object.entries(facts).filter(
    ([name, json]) => names.includes(name) && !sameJson(json, said[name] ?? null),
  );
  return {
    commandId: metadata.commandId,
    envelope,
    nowMs: services.clock.now(),
    deadline: services.monotonic() + 60_000,
    accepted: { facts: Object.fromEntries(filled) },
  };
}

async function eventAt(services: Services, address: string): Promise<RecordedEvent | undefined> {
  const at = parseAddress(address);
  if (!at) return undefined;
  const [event] = await services.store.readStream(at.stream, { from: at.revision, limit: 1 });
  return event;
}

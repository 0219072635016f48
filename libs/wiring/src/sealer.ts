import { eventType, isAct } from '@headworks/domain';
import { sealEvent, type KeyStore } from '@headworks/event-store';
import type { JsonValue, NewEvent } from '@headworks/kernel';
import type { RuleSet } from '@headworks/rules-engine';

/** Where facts stand in the data of events: as they are said, as a load is corrected, and as an approval fixes them. */
const FACTS_AT = ['/facts', '/set/facts', '/sets'] as const;

/** Seals what an event type calls personal, and the facts that a pack does, before the event is hashed. */
export function sealer(
  rules: Pick<RuleSet, 'packs'>,
  keys: KeyStore,
): (event: NewEvent) => Promise<NewEvent> {
  const facts = [...rules.packs.values()].flat().flatMap((pack) => [...pack.facts.values()]);
  const names = new Set(facts.filter(({ personal }) => personal).map(({ name }) => name));
  const personalFacts = FACTS_AT.map((at) => [at, [...names].map((name) => `${at}/${name}`)] as const);
  return (event) => {
    const fixed = isAct(event.type) ? [] : (eventType(event.type).personal ?? []);
    // Most events have facts in one place at most: the others are not looked through.
    const told = personalFacts.filter(([at]) => has(event.data, at)).flatMap(([, pointers]) => pointers);
    const pointers = [...fixed, ...told];
    return pointers.length === 0 ? Promise.resolve(event) : sealEvent(event, pointers, keys, identityOf);
  };
}

const has = (data: NewEvent['data'], pointer: (typeof FACTS_AT)[number]): boolean =>
  data[pointer === '/set/facts' ? 'set' : pointer.slice(1)] !== undefined;

/** Whose a personal value is: the name and address in it, or all of it. */
function identityOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  const { name, address } = (value ?? {}) as { name?: JsonValue; address?: JsonValue };
  return typeof name === 'string'
    ? `${name}|${typeof address === 'string' ? address : ''}`
    : JSON.stringify(value);
}

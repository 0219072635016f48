import type { JsonObject } from '@headworks/kernel';
import { loads, loadStream } from '../models';
import { MEADOWS, type Telling } from './stories.testing';
import type { World } from './world.testing';

/** What must not depend on how it was told. */
export async function whatStands({ world, answers }: Telling): Promise<JsonObject> {
  const shown: Record<string, JsonObject> = {};
  for (const key of MEADOWS) {
    const target = { kind: 'meadow', id: world.meadow(key) };
    const thing = await world.thing(key);
    const ledgers = [];
    for (const [limit, on] of [
      ['meadow_year', '2027-07-12'],
      ['meadow_week', '2027-07-04'],
      ['meadow_week', '2027-07-12'],
    ] as const) {
      const ledger = await world.headworks.ledger(world.request(), { ...target, limit }, { on });
      ledgers.push(plainLedger(ledger));
    }
    shown[key] = {
      ledgers,
      duties: [...thing.openDuties.values()].map(({ duty, dueAt }) => `${duty} ${dueAt}`).toSorted(),
      missed: [...thing.missed.values()]
        .filter(({ reversedBy }) => reversedBy === undefined)
        .map(
          ({ data }) =>
            `${data.duty} ${data.load} ${data.responsible?.key} ${JSON.stringify(data.due['at'])}`,
        )
        .toSorted(),
    };
  }
  return { shown, violations: await world.standing(), loads: await loadFindings(world, answers) };
}

function plainLedger({ totals, exceeded, postings, headroom }: JsonObject): JsonObject {
  const plain = (list: unknown, ...fields: readonly string[]) =>
    (list as readonly JsonObject[])
      .map((one) => fields.map((field) => JSON.stringify(one[field])).join(' '))
      .toSorted();
  return {
    totals: totals ?? null,
    headroom: headroom ?? null,
    exceeded: plain(exceeded, 'clause', 'load'),
    postings: plain(postings, 'load', 'occurredAt', 'quantity', 'row'),
  };
}

async function loadFindings(world: World, answers: Telling['answers']): Promise<JsonObject> {
  const found: Record<string, string> = {};
  for (const { body } of answers.values()) {
    if (!('findings' in body)) continue;
    const id = body['id'] as string;
    const load = await world.services.runner.read(loads, loadStream(id));
    found[id] = load.voided ? 'void' : load.findings.map((f) => `${f.clause} ${f.status}`).join(', ');
  }
  return found;
}

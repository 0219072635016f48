import { eventType, isAct } from '@headworks/domain';
import { sealEvent } from '@headworks/event-store';
import { canonicalText, type JsonObject, type NewEvent } from '@headworks/kernel';
import { idIn, REEVE, source, VatWorld, violatedIn } from '../testing/vats.testing';
import { openShared } from '../testing/world.testing';
import { openedFields } from './opened';

/** A process that seals what is personal, as the program does. */
async function sealing(): Promise<{ readonly world: VatWorld; readonly permit: string }> {
  const shared = await openShared();
  const seal = (event: NewEvent): Promise<NewEvent> => {
    const pointers = isAct(event.type) ? [] : (eventType(event.type).personal ?? []);
    return sealEvent(event, pointers, shared.keys, (value) => canonicalText(value));
  };
  const world = new VatWorld(shared, { seal });
  await world.begin();
  return { world, permit: await world.leave('1000 gal') };
}

const bytesOf = async (world: VatWorld): Promise<string> => {
  const all: string[] = [];
  for await (const batch of world.shared.store.readAll())
    all.push(canonicalText(batch as unknown as JsonObject));
  return all.join('');
};

it('a manifest and its load keep what is personal sealed in the log, are judged by what was said, and open it to a clerk', async () => {
  const { world, permit } = await sealing();
  const asked = await world.ask(permit, 'T1', { signedBy: 'Bea Driver' });
  // Whether each orchard was named was noted before the names were sealed, and is judged again without them.
  expect(violatedIn(asked)).toEqual([]);
  const id = idIn(asked);
  await world.pour(permit, 'T1', { manifestId: id, signedBy: 'Bea Driver' });
  const log = await bytesOf(world);
  for (const personal of ['Bea Driver', 'High Lane', 'by the gate']) expect(log).not.toContain(personal);
  const opened = {
    sources: [{ ...source('near'), quantity: { value: '100', unit: 'gal' } }],
    signedBy: 'Bea Driver',
  };
  for (const type of ['ManifestSubmitted', 'LoadDischarged'] as const) {
    expect(await openedFields(world.services, world.by(REEVE), `load-${id}`, type)).toEqual(opened);
    const reader = { id: 'r', roles: ['reader'], jurisdictions: '*' } as const;
    expect(await openedFields(world.services, world.by(reader), `load-${id}`, type)).toEqual({});
  }
});

import { unsealEvent } from '@headworks/event-store';
import type { JsonObject } from '@headworks/kernel';
import type { Request, Services } from '../context';

/** Roles that see whose waste a load was and who signed for it. */
const mayOpen: readonly string[] = ['admin', 'board', 'clerk', 'holder', 'officer'];

/** A manifest that nobody could answer in its permit's stream stands before its load, with its refusal. */
const FIRST_EVENTS = 3;

/** Personal fields of what was submitted or discharged, opened for those whose work needs them; for others sealed. */
export async function openedFields(
  { store, keys }: Services,
  request: Request,
  stream: string,
  type: 'ManifestSubmitted' | 'LoadDischarged',
): Promise<JsonObject> {
  if (!request.caller.roles.some((role) => mayOpen.includes(role))) return {};
  const events = await store.readStream(stream, { limit: FIRST_EVENTS });
  const said = events.find((event) => event.type === type);
  if (!said) return {};
  // Only these are sealed, and the rest is large: findings are not looked through for what is not there.
  const sealed = { sources: said.data['sources'] ?? [], signedBy: said.data['signedBy'] ?? null };
  return (await unsealEvent({ ...said, data: sealed }, keys)).data;
}

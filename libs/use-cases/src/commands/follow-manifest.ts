import type { LoadDischarged, LoadState, ThingRef } from '@headworks/domain';
import { CodedError, isUuid, normaliseKey } from '@headworks/kernel';
import type { LoadDef, Pack } from '@headworks/rules-engine';
import type { Services } from '../context';
import { idOf, loads, loadStream } from '../models';
import { keyOf } from './load-parts';

/**
 * The manifest that the load says it follows, where it is one of this hauler and ticket: the load stands in its stream.
 * One that nobody submitted is kept as it was said, and is no manifest.
 */
export async function manifestNamed(
  services: Services,
  jurisdiction: string,
  {
    manifestId,
    hauler,
    ticket,
  }: { readonly manifestId?: string; readonly hauler: ThingRef; readonly ticket: string },
): Promise<string | undefined> {
  if (manifestId === undefined || !isUuid(manifestId)) return undefined;
  const { manifest, jurisdiction: at } = await services.runner.read(loads, loadStream(manifestId));
  if (!manifest || at !== jurisdiction) return undefined;
  const same =
    keyOf(manifest.hauler) === keyOf(hauler) && normaliseKey(manifest.ticket) === normaliseKey(ticket);
  if (same) return manifestId;
  const detail = 'The manifest of this id is of another ticket or hauler.';
  const hint = 'send the ticket of the manifest, or leave manifestId out';
  throw new CodedError('invalid-request', detail, [
    { pointer: '/manifestId', code: 'other-ticket', detail, hint },
  ]);
}

/** What the load leaves out, its manifest said: the permit, and that it follows it. */
export function underManifest(
  data: Omit<LoadDischarged, 'findings'>,
  { manifest }: LoadState,
  id: string,
): Omit<LoadDischarged, 'findings'> {
  if (!manifest) return data;
  return { ...data, permitId: data.permitId ?? manifest.permitId, manifestId: id };
}

/** A manifest asks for one kind of load: another under its ticket is another load. */
export function mustFollow(pack: Pack, def: LoadDef, { manifest, stream }: LoadState): void {
  const then = manifest && pack.manifests.get(manifest.type)?.then;
  if (manifest?.pack === pack.ref.pack && then === def.name) return;
  throw new CodedError(
    'conflict',
    `Ticket '${manifest?.ticket}' of this hauler stands for a manifest that is followed by another load; use a ticket of its own, or send "distinct": true with a reason.`,
    [],
    { manifest: idOf(stream) },
  );
}

import {
  asksOf,
  isItsPermit,
  isPermit,
  linksOf,
  PERMIT,
  sameThing,
  sourcesOf,
  type LoadContent,
  type LoadState,
  type PostedAs,
  type SubjectState,
  type ThingRef,
} from '@headworks/domain';
import { isUuid } from '@headworks/kernel';
import type { LoadDef, Pack } from '@headworks/rules-engine';
import { thingStream } from '../../load-world';
import { permitStream } from '../../models';

/** A stream that a load is posted to, or may have to leave. */
export interface Target {
  readonly stream: string;
  readonly as?: PostedAs;
  /** Names of the limits that it counts in there. */
  readonly limits: readonly string[];
  /** Whether it stands there, as far as the load itself tells: a permit may be none of its own. */
  readonly stands: (state: SubjectState) => boolean;
}

/**
 * Where the load counts (on its thing and under its permit) and where facts stand that it is judged by (its hauler,
 * vehicle and places, where the pack's clauses look at them): all that changes there finds it by its posting.
 */
export function targetsOf(load: LoadState, pack: Pack, def: LoadDef): readonly Target[] {
  const { current, manifest, subjects, permits, voided } = load;
  if (!current) return [];
  const found = new Map<string, Target>();
  const add = (target: Target): void => void (found.has(target.stream) || found.set(target.stream, target));
  for (const thing of subjects) {
    const stands = !voided && sameThing(current.subject, thing);
    add({
      stream: thingStream(pack.jurisdiction, thing),
      limits: limitsOn(pack, def, def.on),
      stands: () => stands,
    });
  }
  if (def.permit !== undefined) for (const id of permits) add(underPermit(load, current, pack, def, id));
  const judgedBy = (ref: ThingRef | undefined, as: PostedAs): void => {
    if (!ref || !asksOf(pack, def, ref.kind)) return;
    add({ stream: thingStream(pack.jurisdiction, ref), as, limits: [], stands: () => !voided });
  };
  judgedBy(current.hauler, 'hauler');
  judgedBy(current.vehicle ?? manifest?.vehicle, 'vehicle');
  for (const { place } of def.sources ? sourcesOf(current, manifest) : []) {
    if (place)
      add({
        stream: thingStream(pack.jurisdiction, place),
        as: 'place',
        limits: [],
        stands: () => !voided,
      });
  }
  for (const { by } of linksOf(pack, def)) {
    const id = current.facts[by];
    if (typeof id !== 'string' || !isUuid(id.toLowerCase())) continue;
    const stream = permitStream(id.toLowerCase());
    add({ stream, as: 'permit', limits: [], stands: () => !voided });
  }
  return [...found.values()];
}

function underPermit(
  { voided }: LoadState,
  { permitId, hauler }: LoadContent,
  pack: Pack,
  def: LoadDef,
  id: string,
): Target {
  return {
    stream: permitStream(id),
    as: 'permit',
    limits: limitsOn(pack, def, PERMIT),
    // Nobody counts against another's permit by naming it.
    stands: (state) =>
      !voided && permitId === id && isPermit(state) && isItsPermit(state, pack, def.permit ?? '', hauler),
  };
}

const limitsOn = (pack: Pack, def: LoadDef, key: string): readonly string[] =>
  def.countsIn.filter((name) => pack.limits.get(name)?.key === key);

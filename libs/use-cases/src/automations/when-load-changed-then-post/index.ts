import {
  decideThing,
  factsOfLoad,
  isNoted,
  isPermit,
  packAt,
  type LoadPosted,
  type LoadState,
  type PermitState,
  type SubjectCommand,
  type SubjectState,
} from '@headworks/domain';
import type { RecordedEvent } from '@headworks/kernel';
import type { LoadDef, Pack } from '@headworks/rules-engine';
import type { Services } from '../../context';
import { idOf, loads, loadStream, permits, permitStream, thingModel } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';
import { targetsOf, type Target } from './targets';

const NAME = 'when-load-changed-then-post';

/**
 * A load counts in the stream of each thing its limits are keyed on; corrected or moved, its posting follows it. A
 * posting is looked at once more after it was made: the load may have changed between its reading and the append.
 */
export const whenLoadChangedThenPost: Automation = {
  name: NAME,
  plan: ({ type, stream, data }) => {
    switch (type) {
      case 'LoadDischarged':
      case 'LoadCorrected':
        return [`post:${idOf(stream)}`];
      case 'LoadPosted':
        return [`check:${(data as LoadPosted).load}:${stream}`];
      default:
        return [];
    }
  },
  run: async (services, work) => {
    const [ask, id = '', at = ''] = work.key.split(':');
    const load = await services.runner.read(loads, loadStream(id));
    const { pack, def } = lawOf(services, load) ?? {};
    if (!pack || !def) return [];
    const targets = targetsOf(load, pack, def);
    if (ask === 'check' && (await standsAsItIs(services, load, targets, at))) return [];
    const posted = await Promise.all(targets.map((target) => post(services, work, load, target)));
    return posted.flat();
  },
};

function lawOf(
  { rules }: Services,
  { current }: LoadState,
): { readonly pack: Pack; readonly def: LoadDef } | undefined {
  // The newest words will do to leave a place that another version posted it to.
  const pack =
    current && (packAt(rules, current.pack, current.occurredMs) ?? rules.packs.get(current.pack)?.at(-1));
  const def = pack?.loads.get(current?.load ?? '');
  return pack && def ? { pack, def } : undefined;
}

/** Whether the posting that asks is the load as it is now. */
async function standsAsItIs(
  services: Services,
  load: LoadState,
  targets: readonly Target[],
  stream: string,
): Promise<boolean> {
  const target = targets.find((one) => one.stream === stream);
  const thing = await services.runner.read(thingModel(stream), stream);
  if (target?.stands(thing) !== true) return false;
  const posting = postingOn(thing, idOf(load.stream));
  if (posting && isNoted(posting.data)) return posting.key.ms === load.current?.occurredMs;
  return posting?.data.loadRevision === load.contentRevision;
}

const postingOn = ({ postings }: SubjectState, load: string) =>
  postings.find(({ data, broughtFrom }) => data.load === load && broughtFrom === undefined);

async function post(
  services: Services,
  work: Work,
  { stream: loadAt }: LoadState,
  { stream }: Target,
): Promise<readonly RecordedEvent[]> {
  const job = automaticJob<SubjectState>(services, NAME, work, stream, async (state, envelope, nowMs) => {
    // Read after the thing's own head: whoever corrects the load later posts it later.
    const load = await services.runner.read(loads, loadAt);
    const command = await postingOf(services, load, state);
    return decideThing(command, state, { law: services.rules, nowMs, envelope });
  });
  return (await services.runner.run(thingModel(stream), stream, job)).events;
}

type PostLoad = Extract<SubjectCommand, { type: 'post-load' }>;

/** What the load now asks of the thing's stream: to stand there as it is, or to leave it. */
async function postingOf(services: Services, load: LoadState, state: SubjectState): Promise<PostLoad> {
  const { current, contentRevision, contentEvent, manifest } = load;
  const id = idOf(load.stream);
  const common = { type: 'post-load', load: id, loadRevision: contentRevision } as const;
  const { pack, def } = lawOf(services, load) ?? {};
  const target = pack && def && targetsOf(load, pack, def).find(({ stream }) => stream === state.stream);
  if (!current || !pack || !def || target?.stands(state) !== true) return common;
  if (!packAt(services.rules, current.pack, current.occurredMs)) return common;
  const permit = await permitOf(services, load, state);
  const said = { ...current, event: contentEvent };
  return {
    ...common,
    posting: {
      ...factsOfLoad(def, said, manifest, permit, id),
      pack: current.pack,
      loadType: current.load,
      limits: target.limits,
      quantity: current.quantity,
      hauler: current.hauler,
      event: contentEvent,
      ...(target.as && { as: target.as }),
    },
  };
}

/** The permit's file, where its manifest may have been accepted in it: a load that nobody asked for reads none. */
async function permitOf(
  services: Services,
  { current, manifest }: LoadState,
  state: SubjectState,
): Promise<({ readonly id: string } & PermitState) | undefined> {
  const id = current?.permitId;
  if (!manifest || id === undefined) return undefined;
  const stream = permitStream(id);
  const permit =
    isPermit(state) && state.stream === stream ? state : await services.runner.read(permits, stream);
  return { ...permit, id };
}

import { CodedError, isoInstant, type DomainEvent } from '@headworks/kernel';
import type { FactSource, LimitDef, Pack } from '@headworks/rules-engine';
import { dutyClauses } from '../duties/campaign-duties';
import { loadFactSource } from '../load-facts';
import { tellEnded } from '../manifest/rejudge-held';
import { packOf } from '../pack-at';
import { isNoted, originOf } from '../postings';
import type { CommandOf, SubjectContext, SubjectDraft } from './context';
import { rejudge, withdrawGone } from './limits.decide';

type Posting = NonNullable<CommandOf<'post-load'>['posting']>;

/** Before any instant that a request may name. */
const EVER = Date.UTC(1900, 0, 1);

/** Makes the load stand here as it is, or leave; every later posting of its windows is judged again. */
export function postLoad(
  command: CommandOf<'post-load'>,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  const { load, loadRevision, posting } = command;
  const standing = draft.state.postings.find((p) => p.data.load === load && p.broughtFrom === undefined);
  if (standing && standing.data.loadRevision >= loadRevision) return 'posted already';
  if (!standing && !posting) return 'never posted here';
  if (posting && isNoted(posting) && standing?.key.ms === posting.occurredMs) return 'noted already';
  const instants: number[] = [];
  if (standing) {
    draft.push({
      type: 'PostingReversed',
      data: {
        posting: standing.event,
        load,
        loadRevision,
        ...(standing.data.as && { as: standing.data.as }),
      },
      occurred: { at: isoInstant(standing.key.ms) },
      causedBy: `load-${load}@${loadRevision}`,
    });
    instants.push(standing.key.ms);
  }
  if (posting) {
    draft.push(loadPosted(command, posting, context));
    instants.push(posting.occurredMs);
  }
  if (standing) withdrawGone(draft, load);
  const limits = new Set([...(standing?.data.limits ?? []), ...(posting?.limits ?? [])]);
  rejudge(draft, context.law, { instants, limits, reaches: 'window' });
  return undefined;
}

/** The posting carries what the clauses of its limits and duties ask of the load: nobody reads the load's stream there. */
function loadPosted(
  { load, loadRevision }: CommandOf<'post-load'>,
  posting: Posting,
  context: SubjectContext,
): DomainEvent {
  const pack = packOf(context.law, posting.pack, posting.occurredMs);
  const def = pack.loads.get(posting.loadType);
  if (!def) throw new Error(`Pack ${pack.ref.pack} has no load '${posting.loadType}'.`);
  const source = loadFactSource(pack, def, posting, undefined);
  const limits = posting.limits
    .map((name) => pack.limits.get(name))
    .filter((limit): limit is LimitDef => limit !== undefined)
    .filter((limit) => countsFor(pack, limit, source) !== 'no');
  const perhaps = limits
    .filter((limit) => countsFor(pack, limit, source) === 'perhaps')
    .map(({ name }) => name);
  const duties = limits.some(({ campaign }) => campaign) ? dutyClauses(pack, def) : [];
  const wanted = new Set([
    ...limits.flatMap(({ postingFacts }) => postingFacts),
    ...pack.factsUsedBy(duties.map(({ id }) => id)),
  ]);
  const facts = [...wanted]
    .map((fact) => [fact, source(fact)?.json] as const)
    .filter(([, json]) => json !== undefined);
  return {
    type: 'LoadPosted',
    data: {
      pack: posting.pack,
      load,
      loadRevision,
      loadType: posting.loadType,
      limits: limits.map(({ name }) => name),
      ...(perhaps.length > 0 && { perhaps }),
      quantity: { ...posting.quantity },
      hauler: posting.hauler,
      ...(posting.as && { as: posting.as }),
      facts: Object.fromEntries(facts) as DomainEvent['data'],
      rows: Object.fromEntries(limits.map((limit) => [limit.name, pack.row(limit.name, source)])),
    },
    occurred: { at: isoInstant(posting.occurredMs) },
    causedBy: posting.event,
    law: pack.ref,
  };
}

/** Whether a load counts in a limit: what the law leaves out uses up nothing of it; while nobody knows, it may. */
export function countsFor(pack: Pack, { countsIf }: LimitDef, source: FactSource): 'yes' | 'no' | 'perhaps' {
  if (countsIf === undefined) return 'yes';
  const value = pack.value(countsIf, source);
  return value === undefined ? 'perhaps' : value === true ? 'yes' : 'no';
}

export function supersede(command: CommandOf<'supersede'>, draft: SubjectDraft): void {
  const { successors, on, reason, occurred } = command;
  const { superseded } = draft.state;
  if (superseded) {
    throw new CodedError('conflict', 'This thing is superseded already; look at its successors.', [], {
      by: superseded.event,
    });
  }
  draft.push({
    type: 'SubjectSuperseded',
    data: { successors, on, reason },
    ...(occurred && { occurred }),
  });
}

export function bringForward(
  { data }: CommandOf<'bring-forward'>,
  draft: SubjectDraft,
  context: SubjectContext,
): string | undefined {
  const carried = draft.state.broughtForward.get(data.from);
  if (carried && carried.revision >= data.fromRevision) return 'carried already';
  const wanted = data.postings.map(({ posting, loadRevision }) => `${originOf(posting)} ${loadRevision}`);
  // Things that succeed each other in a circle come to rest here: nothing new, so nothing to pass on.
  if (carried && sameList(carried.postings, wanted)) return 'nothing changed';
  if (!carried && wanted.length === 0) return 'nothing to carry';
  draft.push({ type: 'BroughtForward', data: { ...data }, causedBy: `${data.from}@${data.fromRevision}` });
  const limits = new Set(data.postings.flatMap((posting) => posting.limits));
  for (const posting of draft.state.postings) for (const name of posting.data.limits) limits.add(name);
  rejudge(draft, context.law, { instants: [EVER], limits, reaches: 'onwards' });
  return undefined;
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** Goes on where the append before was full. */
export function judgeRest(
  { since, limits, manifests = [] }: CommandOf<'judge-rest'>,
  draft: SubjectDraft,
  context: SubjectContext,
): void {
  if (manifests.length > 0) tellEnded(draft, context, manifests);
  rejudge(draft, context.law, {
    instants: [Date.parse(since)],
    limits: new Set(limits),
    reaches: 'onwards',
  });
}

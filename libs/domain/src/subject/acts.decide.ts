import {
  CodedError,
  isoInstant,
  type ActedBy,
  type DomainEvent,
  type Finding,
  type Operand,
  type JsonValue,
} from '@headworks/kernel';
import type { ActDef, FactSource, Pack } from '@headworks/rules-engine';
import { storedFinding, type Facts } from '../events';
import { firstOf } from '../load-facts';
import { dayIn } from '../pack-at';
import type { SubjectCommand } from './commands';
import { actEnds, sameScope, scopeOf } from './act-scope';
import { subjectSource } from './subject-facts';
import type { DoneAct, SubjectState } from './subject';

type DoAct = Extract<SubjectCommand, { type: 'do-act' }>;

/** The event that asking an act makes: the act done, or ActRefused with every finding that stands against it. */
export function decideAct(command: DoAct, state: SubjectState, pack: Pack, ms: number): DomainEvent {
  const def = pack.acts.get(command.act);
  if (!def) throw new CodedError('not-found', `Pack '${pack.ref.pack}' has no act '${command.act}'.`);
  const facts: Facts = { ...givenByAct(pack, def, command, ms), ...command.facts };
  const findings = actFindings(state, pack, def, { facts, by: command.by, ms });
  const against = findings.filter(({ status }) => status === 'violated' || status === 'unknown');
  const common = {
    act: def.name,
    pack: pack.ref.pack,
    facts,
    findings: (against.length > 0 ? against : findings).map(storedFinding),
    ...(command.note !== undefined && { note: command.note }),
  };
  const envelope = { by: command.by, law: pack.ref };
  if (against.length > 0) return { type: 'ActRefused', data: common, ...envelope };
  return {
    type: `${pack.ref.pack}.${def.event}`,
    data: {
      ...common,
      ...actEnds(pack, def, facts, ms),
      ...(def.scope.length > 0 && { scope: scopeOf(def, facts) }),
      starts: def.starts,
      ends: def.ends,
      ...(def.undoes !== undefined && { undoes: def.undoes }),
      ...judged(state, pack, def, facts, ms),
    },
    ...envelope,
  };
}

function judged(state: SubjectState, pack: Pack, def: ActDef, facts: Facts, ms: number): Facts {
  const assessment = def.judgedBy === undefined ? undefined : pack.assessments.get(def.judgedBy);
  if (!assessment) return {};
  const source = firstOf(asPayload(facts), subjectSource(state, pack, def.on, ms));
  const findings = pack.evaluate({ clauses: assessment.clauses, facts: source, now: ms });
  return { judged: { assessment: assessment.name, findings: findings.map(storedFinding) } };
}

export const asPayload =
  (facts: Facts): FactSource =>
  (fact) =>
    Object.hasOwn(facts, fact) ? { json: facts[fact] ?? null, from: { source: 'payload' } } : undefined;

/** What speaks for and against an act: its `when`, the clauses it needs, who did what before, and `once`. */
export function actFindings(
  state: SubjectState,
  pack: Pack,
  def: ActDef,
  { facts, by, ms }: { facts: Facts; by: ActedBy; ms: number },
): readonly Finding[] {
  const stored = subjectSource(state, pack, def.on, ms);
  const source = firstOf(asPayload(facts), stored);
  return [
    // When it may be done is a matter of how the thing stands, before the act changes that.
    ...(def.hasWhen ? [pack.actAllowed(def.name, stored, ms)] : []),
    ...pack.evaluate({ clauses: def.needs, facts: source, now: ms }),
    ...personFindings(state, pack, def, { facts, by, ms }),
    ...onceFinding(state, pack, def, { ms, scope: scopeOf(def, facts) }),
  ];
}

function personFindings(
  state: SubjectState,
  pack: Pack,
  def: ActDef,
  { facts, by, ms }: { readonly facts: Facts; readonly by: ActedBy; readonly ms: number },
): readonly Finding[] {
  const scope = scopeOf(def, facts);
  const rules = [
    [def.by.sameAs, true],
    [def.by.notSameAs, false],
  ] as const;
  return rules.flatMap(([act, same]) => {
    if (act === undefined) return [];
    const earlier = lastDone(state, pack, act, { ms, scope });
    const says = `It is done by ${same ? 'the same person' : 'another person than the one'} who did ${act}.`;
    const named = by.person !== undefined && earlier?.person !== undefined;
    const holds = named && (earlier.person === by.person) === same;
    const missing = [...(by.person === undefined ? ['by.person'] : []), ...(earlier ? [] : [act])];
    const status = holds || (!earlier && !same) ? 'satisfied' : named || !earlier ? 'violated' : 'unknown';
    const finding = plainFinding(
      def,
      `act:${def.name}.by`,
      says,
      status,
      missing,
      whoDidIt(act, earlier, by),
    );
    if (!earlier) return [{ ...finding, limit: { op: 'happened', value: true } }];
    if (earlier.person === undefined) return [finding];
    return [{ ...finding, limit: { op: same ? 'equals' : 'not_equal_to', value: earlier.person } }];
  });
}

/** Who asks, and who did the act that it is compared with; that one alone where it was not done. */
function whoDidIt(act: string, earlier: DoneAct | undefined, by: ActedBy): readonly Operand[] {
  const asks: Operand = {
    fact: 'by.person',
    ...(by.person !== undefined && { value: by.person }),
    from: { source: 'payload' },
  };
  const did: Operand = {
    fact: act,
    ...(earlier?.person === undefined ? { none: true } : { value: earlier.person }),
    ...(earlier && { from: { source: 'subject', event: earlier.event } }),
  };
  return earlier ? [asks, did] : [did];
}

/** When, and about what: acts of another scope are acts of something else. */
interface Asked {
  readonly ms: number;
  readonly scope: Facts;
}

/** The newest act of the name, undone by nothing, that still held at the instant. */
function lastDone(state: SubjectState, pack: Pack, act: string, { ms, scope }: Asked): DoneAct | undefined {
  const done = state.acts.findLast(
    (one) =>
      one.act === act && one.pack === pack.ref.pack && one.key.ms <= ms && sameScope(one.data.scope, scope),
  );
  if (!done || undoneBetween(state, pack, act, { from: done.key.ms, to: ms, scope })) return undefined;
  const ends = Object.values(done.data.until ?? {});
  return ends.length === 0 || ends.some((end) => Date.parse(end) > ms) ? done : undefined;
}

/** Whether an act undid the other after the first instant, up to the second. */
const undoneBetween = (
  state: SubjectState,
  pack: Pack,
  act: string,
  { from, to, scope }: { readonly from: number; readonly to: number; readonly scope: Facts },
): boolean =>
  state.acts.some(
    ({ data, key, pack: of }) =>
      data.undoes === act &&
      of === pack.ref.pack &&
      key.ms > from &&
      key.ms <= to &&
      sameScope(data.scope, scope),
  );

/** Of an act that says until when it holds nothing is left to undo after that. */
function isOver({ until }: ActDef, { data }: DoneAct, ms: number): boolean {
  const ends = Object.values(data.until ?? {});
  return until !== undefined && ends.length > 0 && ends.every((end) => Date.parse(end) <= ms);
}

/** Between two acts that are done once, another has to undo the first: in legal order, whichever was recorded first. */
function onceFinding(state: SubjectState, pack: Pack, def: ActDef, { ms, scope }: Asked): readonly Finding[] {
  if (!def.once) return [];
  const lacking = def.scope.filter((fact) => scope[fact] === undefined);
  if (lacking.length > 0) {
    return [plainFinding(def, `act:${def.name}.once`, 'It is done once.', 'unknown', lacking, [])];
  }
  const same = state.acts.filter(
    ({ act, pack: of, data }) => act === def.name && of === pack.ref.pack && sameScope(data.scope, scope),
  );
  const before = same.findLast(({ key }) => key.ms <= ms);
  const after = same.find(({ key }) => key.ms > ms);
  const stands =
    before &&
    !isOver(def, before, ms) &&
    !undoneBetween(state, pack, def.name, { from: before.key.ms, to: ms, scope })
      ? before
      : after && !undoneBetween(state, pack, def.name, { from: ms, to: after.key.ms, scope })
        ? after
        : undefined;
  const operands = stands ? [{ fact: def.name, value: stands.event }] : [];
  const status = stands ? 'violated' : 'satisfied';
  return [plainFinding(def, `act:${def.name}.once`, 'It is done once.', status, [], operands)];
}

function plainFinding(
  def: ActDef,
  clause: string,
  says: string,
  status: Finding['status'],
  missing: readonly string[],
  operands: Finding['operands'],
): Finding {
  const reason = status === 'unknown' ? { reason: 'fact_missing' as const } : {};
  return {
    clause,
    rows: def.rows,
    cite: def.cite,
    says,
    status,
    ...reason,
    operands,
    missing,
    binds: 'office',
  };
}

/** Facts that an act gives of itself: nobody types the day on which it is done. */
export function givenByAct(
  pack: Pack,
  def: ActDef,
  command: Pick<DoAct, 'by' | 'hauler'>,
  ms: number,
): Facts {
  const given: Record<string, JsonValue> = {};
  for (const [fact, source] of Object.entries(def.gives)) {
    switch (source) {
      case 'occurredAt':
        given[fact] = isoInstant(ms);
        break;
      case 'occurred_on':
        given[fact] = dayIn(pack, ms);
        break;
      case 'person':
        if (command.by.person !== undefined) given[fact] = command.by.person;
        break;
      case 'hauler':
        if (command.hauler !== undefined) given[fact] = command.hauler;
        break;
      case 'quantity':
      case 'finishedAt':
      case 'vehicle':
      case 'ticket':
      case 'signed':
      case 'waste_types':
      case 'generators_named':
      case 'locations_named':
      case 'manifest_accepted_at':
      case 'campaign_start':
      case 'campaign_number':
        throw new Error(`Act ${def.name}: '${source}' is nothing an act can give.`);
    }
  }
  return given;
}

import {
  approvalFindings,
  bodyRuleOf,
  completeFindings,
  groundsOf,
  isAgainst,
  isWaived,
  issueFindings,
  PERMIT,
  PERMIT_DECISIONS,
  personFinding,
  phasesFor,
  tableFinding,
  transitionOf,
  type PermitContext,
  type PermitDecision,
  type PermitLaw,
  type PermitState,
  type SubjectState,
} from '@headworks/domain';
import type { Finding, JsonObject } from '@headworks/kernel';
import { shownFinding } from '../answers';
import { lawOf } from '../commands/permits/decide-on-permit';
import type { Caller, Services } from '../context';
import { readingAt } from './cut';
import { shownActs } from './views';

/**
 * Every decision and every act on the permit: whether it may be done now, by whom, and what blocks it under which
 * clause. A decision that the law gives to nobody is left out.
 */
export function shownPermitActs(
  services: Services,
  permit: PermitState,
  holder: SubjectState | undefined,
  caller: Caller,
): readonly JsonObject[] {
  const ms = services.clock.now();
  const { envelope, ...reading } = readingAt(services, ms);
  const context: PermitContext = {
    ...reading,
    envelope: { ...envelope, by: { person: caller.id } },
    ...(holder && { holder }),
  };
  const decisions = PERMIT_DECISIONS.flatMap((decision) => {
    const law = lawOf(services, permit, decision, ms);
    const names = transitionOf(decision).by === 'applicant' || bodyRuleOf(law.def, decision) !== undefined;
    return names ? [shownDecision(permit, decision, { law, context, caller, ms })] : [];
  });
  const pack = permit.file.filed?.pack;
  const acts = shownActs(services, permit, PERMIT, caller).filter((act) => act['pack'] === pack);
  return [...decisions, ...acts];
}

interface Asked {
  readonly law: PermitLaw;
  readonly context: PermitContext;
  readonly caller: Caller;
  readonly ms: number;
}

function shownDecision(
  permit: PermitState,
  decision: PermitDecision,
  { law, context, caller, ms }: Asked,
): JsonObject {
  const { pack, def } = law;
  // Where the table says no, the clauses have nothing to add: they would speak of a decision that nobody can take.
  const table = tableFinding(permit.file, def, decision, ms);
  const found = table.status === 'violated' ? [] : judgedBefore(permit, decision, law, context);
  const body = bodyRuleOf(def, decision)?.body;
  const shown = body === undefined ? undefined : pack.bodies.get(body);
  const yours = !shown || caller.roles.includes(shown.role) || caller.roles.includes('admin');
  // Whether it may be this person is asked of those whose decision it is.
  const persons = yours ? personFinding(permit, def, decision, { by: context.envelope.by, ms }) : [];
  const against = [table, ...found, ...persons].filter(isAgainst);
  const says = decision === 'approval' ? def.sets : [];
  // A power may leave it unmet until the approval; after that only what the approval waived is.
  const waivable = ({ clause }: Finding) =>
    decision === 'issuance' ? isWaived(permit, { clause }) : Object.hasOwn(def.waivedBy, clause);
  const blocking = against.filter((finding) => !waivable(finding) && !toCome(finding, says));
  const may = blocking.some(({ status }) => status === 'violated')
    ? 'no'
    : blocking.length > 0
      ? 'unknown'
      : 'yes';
  return {
    decision,
    pack: pack.ref.pack,
    cite: def.cite,
    may,
    from: phasesFor(def, decision),
    by: shown ? { body: shown.id, name: shown.name, role: shown.role } : { person: 'applicant' },
    yours,
    ...(needsGrounds(decision) && { grounds: groundsFor(decision, law) }),
    ...(decision === 'approval' && { sets: def.sets, waivable: def.waivedBy }),
    why: against.map((finding) => shownFinding(finding, 'brief')),
  };
}

/** What the decision itself will say is not known yet: a clause that only lacks that does not stand against it. */
const toCome = ({ status, missing }: Finding, says: readonly string[]): boolean =>
  status === 'unknown' && missing.length > 0 && missing.every((fact) => says.includes(fact));

/** Decisions that are refused by clauses, as the file stands. The others keep what they find and stand all the same. */
function judgedBefore(
  permit: PermitState,
  decision: PermitDecision,
  law: PermitLaw,
  context: PermitContext,
): readonly Finding[] {
  switch (decision) {
    case 'completion':
      return completeFindings(permit, law, context);
    case 'approval':
      return approvalFindings(permit, law, context);
    case 'issuance':
      return issueFindings(permit, law, context);
    case 'information-requests':
    case 'information':
    case 'denial':
    case 'withdrawal':
    case 'conditions':
    case 'suspension':
    case 'reinstatement':
    case 'revocation':
    case 'voidance':
      return [];
  }
}

const needsGrounds = (decision: PermitDecision): boolean =>
  decision === 'suspension' || decision === 'revocation' || decision === 'denial';

const groundsFor = (decision: PermitDecision, law: PermitLaw): readonly string[] =>
  decision === 'denial' ? [...law.pack.clauses.keys()] : groundsOf(law);

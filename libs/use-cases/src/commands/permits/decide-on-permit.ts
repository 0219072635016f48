import {
  applicationLaw,
  bodyRuleOf,
  lawAt,
  transitionOf,
  type Facts,
  type FileCommand,
  type PermitDecision,
  type PermitLaw,
  type PermitState,
} from '@headworks/domain';
import { refuseFaults, type ActedBy, type Fault } from '@headworks/kernel';
import { answeredBefore, mustBeAdopted, timing, type Request, type Services } from '../../context';
import { permits, permitStream } from '../../models';
import type { Outcome } from '../../stream-runner';
import { actedBy } from '../do-act';
import { onPermit, permitSeen } from './on-permit';

/** Everything that a decision may say. Which of it a decision takes, and needs, is `PARTS`. */
export interface DecisionBody {
  readonly occurredAt?: string;
  readonly reason?: string;
  readonly evidence?: string;
  readonly by?: ActedBy;
  /** Of a request: names of facts. Of information: facts. */
  readonly facts?: unknown;
  readonly note?: string;
  readonly sets?: unknown;
  readonly waive?: readonly { readonly clause: string; readonly reason: string }[];
  /** false: approve alone, and issue another day. */
  readonly issue?: boolean;
  readonly grounds?: readonly string[];
  readonly conditions?: readonly string[];
}

type Part = 'reason' | 'facts' | 'note' | 'sets' | 'waive' | 'issue' | 'grounds' | 'conditions';

/** What each decision takes; what it needs is named first. */
const PARTS: Readonly<
  Record<PermitDecision, { readonly needs: readonly Part[]; readonly may: readonly Part[] }>
> = {
  'information-requests': { needs: ['reason'], may: ['facts'] },
  information: { needs: ['facts'], may: ['note'] },
  completion: { needs: [], may: [] },
  approval: { needs: ['reason'], may: ['sets', 'waive', 'issue'] },
  denial: { needs: ['reason', 'grounds'], may: [] },
  withdrawal: { needs: ['reason'], may: [] },
  issuance: { needs: [], may: [] },
  conditions: { needs: ['reason'], may: ['conditions', 'sets'] },
  suspension: { needs: ['reason', 'grounds'], may: [] },
  reinstatement: { needs: ['reason'], may: [] },
  revocation: { needs: ['reason', 'grounds'], may: [] },
  voidance: { needs: ['reason'], may: [] },
};

/** Takes a decision on a file, by the body that the pack names for it. */
export async function decideOnPermit(
  services: Services,
  request: Request,
  id: string,
  decision: PermitDecision,
  body: DecisionBody,
): Promise<Outcome<PermitState>> {
  const { permit, jurisdiction } = await permitSeen(services, request, id);
  const before = await answeredBefore(services, request, permits, () => permitStream(id));
  if (before) return before;
  mustBeAdopted(services, jurisdiction);
  const faults: Fault[] = partFaults(decision, body);
  const time = timing(request, body, faults);
  // Body and words come from the text in force; the decider asks the same text again, under the head it writes on.
  const law = lawOf(services, permit, decision, time.ms);
  const by = actedBy(
    law.pack,
    bodyRuleOf(law.def, decision)?.body,
    request,
    body.by,
    `The ${wordOf(decision)}`,
  );
  const command = commandOf(decision, body, law, faults);
  refuseFaults(faults, `The ${wordOf(decision)}`);
  return onPermit(services, request, id, command, { time, jurisdiction, by });
}

const wordOf = (decision: PermitDecision): string =>
  decision === 'information-requests' ? 'request' : decision;

/** An application is decided under the law of its day; a permit that stands, under that of the decision. */
export function lawOf(
  { rules }: Services,
  permit: PermitState,
  decision: PermitDecision,
  ms: number,
): PermitLaw {
  const { from } = transitionOf(decision);
  return from.includes('issued') ? lawAt(rules, permit, ms) : applicationLaw(rules, permit);
}

/** All that is missing, and all that has no place in the decision: nothing that is sent is dropped unread. */
function partFaults(decision: PermitDecision, body: DecisionBody): Fault[] {
  const { needs, may } = PARTS[decision];
  const faults: Fault[] = [];
  for (const part of needs) {
    if (isSaid(body[part])) continue;
    const detail = `'${part}' is missing: the ${wordOf(decision)} needs it.`;
    faults.push({ pointer: `/${part}`, code: `${part}-needed`, detail });
  }
  const known: readonly Part[] = ['reason', ...needs, ...may];
  for (const part of ['facts', 'note', 'sets', 'waive', 'issue', 'grounds', 'conditions'] as const) {
    if (body[part] === undefined || known.includes(part)) continue;
    const detail = `The ${wordOf(decision)} says no '${part}'.`;
    faults.push({ pointer: `/${part}`, code: 'not-here', detail, hint: 'leave it out' });
  }
  return faults;
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && !(typeof value === 'string' && value.trim() === '') && !isEmpty(value);
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function commandOf(
  decision: PermitDecision,
  body: DecisionBody,
  law: PermitLaw,
  faults: Fault[],
): FileCommand {
  const { reason = '', grounds = [], conditions = [], waive = [], issue = true } = body;
  switch (decision) {
    case 'information-requests':
      return { type: 'request-information', reason, facts: namesOf(law, body.facts, faults) };
    case 'information': {
      const facts = parsed(law, body.facts, { allowed: law.def.form, pointer: '/facts' }, faults);
      return { type: 'receive-information', facts, ...(body.note !== undefined && { note: body.note }) };
    }
    case 'completion':
      return { type: 'complete', ...(body.reason !== undefined && { reason }) };
    case 'approval':
      return { type: 'approve', reason, sets: setsOf(law, body, faults), waive, issue };
    case 'denial':
      return { type: 'deny', reason, grounds };
    case 'withdrawal':
      return { type: 'withdraw', reason };
    case 'issuance':
      return { type: 'issue' };
    case 'conditions': {
      const sets = setsOf(law, body, faults);
      if (conditions.length === 0 && Object.keys(sets).length === 0) {
        const detail = 'There is no condition in it.';
        faults.push({
          pointer: '/conditions',
          code: 'nothing-said',
          detail,
          hint: 'send conditions or sets',
        });
      }
      return { type: 'condition', reason, conditions, sets };
    }
    case 'suspension':
      return { type: 'suspend', reason, grounds };
    case 'reinstatement':
      return { type: 'reinstate', reason };
    case 'revocation':
      return { type: 'revoke', reason, grounds };
    case 'voidance':
      return { type: 'void', reason };
  }
}

/** What an approval or a condition may fix is the pack's list, not the form. */
const setsOf = (law: PermitLaw, { sets }: DecisionBody, faults: Fault[]): Facts =>
  parsed(law, sets ?? {}, { allowed: law.def.sets, pointer: '/sets' }, faults);

function parsed(
  { pack }: PermitLaw,
  facts: unknown,
  { allowed, pointer }: { readonly allowed: readonly string[]; readonly pointer: string },
  faults: Fault[],
): Facts {
  const result = pack.parseFacts(facts ?? {}, allowed, pointer);
  faults.push(...result.faults);
  return result.facts;
}

/** Names of facts on the form. */
function namesOf({ def }: PermitLaw, facts: unknown, faults: Fault[]): readonly string[] {
  if (facts === undefined) return [];
  const hint = `use ${def.form.join(', ')}`;
  if (!Array.isArray(facts)) {
    const detail = 'A request names the facts that it asks for, in a list.';
    faults.push({ pointer: '/facts', code: 'no-list', detail, hint });
    return [];
  }
  return facts.filter((fact: unknown, index): fact is string => {
    if (typeof fact === 'string' && def.form.includes(fact)) return true;
    const detail = `${JSON.stringify(fact)} is no fact of the form.`;
    faults.push({ pointer: `/facts/${index}`, code: 'unknown-fact', detail, hint });
    return false;
  });
}

import { localDateAt } from '@headworks/calendars';
import { isoInstant, type Finding, type JsonValue, type Provenance } from '@headworks/kernel';
import type { FactEntry, FactSource, Pack, PermitDef, PermitGive } from '@headworks/rules-engine';
import { extensionEntry } from '../duties/extension-facts';
import type { ThingRef } from '../events';
import { factAt } from '../facts';
import { sameThing } from '../same-thing';
import { actFacts } from '../subject/act-facts';
import {
  holderOf,
  isLive,
  lastStep,
  phaseAt,
  phaseNameAt,
  type PermitState,
  type PermitStep,
} from './permit';
import type { StepType } from './transitions';

/** What a pack calls the thing that acts, limits and facts of a permit stand on. */
export const PERMIT = 'permit';

/** The permit's type as the pack has it; undefined where it is a permit of another pack or of none. */
export function permitDefOf({ file }: PermitState, pack: Pack): PermitDef | undefined {
  const { filed } = file;
  return filed && filed.pack === pack.ref.pack ? pack.permits.get(filed.permitType) : undefined;
}

/**
 * What is known of a permit at an instant: what its own life gives (none until it has happened), and the facts kept
 * with it. An act that dates itself is done here or not at all, as on any thing (docs/adr/0006).
 */
export function permitSource(state: PermitState, pack: Pack, def: PermitDef, ms: number): FactSource {
  const declared = new Set(def.facts);
  const { ofActs, doneHere } = actFacts(pack, PERMIT);
  const head: Provenance = {
    source: 'permit',
    ...(state.revision < 0 ? {} : { event: `${state.stream}@${state.revision}` }),
  };
  return (fact) => {
    const give = def.gives[fact];
    if (give !== undefined) return given(state, pack, give, { ms, head });
    const extension = extensionEntry(state, pack, fact, ms);
    if (extension) return extension;
    if (!declared.has(fact) && !ofActs.has(fact)) return undefined;
    const row = factAt(state.facts, fact, ms);
    if (row) return { json: row.json, from: { source: 'permit', event: row.saidBy } };
    // What an approval fixes is fixed here or not at all, as what an act that dates itself records.
    const here =
      doneHere.has(fact) || (def.sets.includes(fact) && lastStep(state.file, 'ApplicationApproved', ms));
    return here && pack.facts.get(fact)?.optional === true ? { json: null, from: head } : undefined;
  };
}

interface Asked {
  readonly ms: number;
  readonly head: Provenance;
}

/** Before anything was filed nothing is known of a life, not even that nothing has happened. */
function given(state: PermitState, pack: Pack, give: PermitGive, asked: Asked): FactEntry | undefined {
  const { file } = state;
  const { ms, head } = asked;
  const filed = lastStep(file, 'ApplicationFiled', ms);
  if (!filed || !file.filed) return undefined;
  const by = (step: PermitStep | undefined, json: (step: PermitStep) => JsonValue): FactEntry =>
    step ? { json: json(step), from: { source: 'permit', event: step.event } } : { json: null, from: head };
  const dayOf = (step: PermitStep): JsonValue => localDateAt(pack.zone, step.key.ms);
  const on = (type: StepType) => by(lastStep(file, type, ms), dayOf);
  switch (give) {
    case 'filed_at':
      return by(filed, ({ key }) => isoInstant(key.ms));
    case 'filed_on':
      return by(filed, dayOf);
    case 'requested_on':
      return on('InformationRequested');
    case 'received_on':
      return by(answered(state, ms), dayOf);
    case 'completed_on':
      return on('ApplicationCompleted');
    case 'decided_on':
      return by(
        file.steps.findLast(
          ({ type, key }) => key.ms <= ms && (type === 'ApplicationApproved' || type === 'ApplicationDenied'),
        ),
        dayOf,
      );
    case 'issued_on':
      return on('PermitIssued');
    case 'valid_from':
      return by(lastStep(file, 'PermitIssued', ms), ({ data }) => validity(data, 'from'));
    case 'valid_until':
      return by(lastStep(file, 'PermitIssued', ms), ({ data }) => validity(data, 'until'));
    case 'suspended_on':
      return by(standingSuspension(state, ms), dayOf);
    case 'revoked_on':
      return on('PermitRevoked');
    case 'renews':
      return { json: file.filed.renews !== undefined, from: { source: 'permit', event: filed.event } };
    case 'holder':
      return { json: file.filed.applicant.key, from: { source: 'permit', event: filed.event } };
    case 'status':
      return { json: phaseNameAt(file, ms), from: head };
  }
}

const validity = (data: PermitStep['data'], end: 'from' | 'until'): JsonValue =>
  (data['valid'] as Readonly<Record<'from' | 'until', string>>)[end];

/** The answer to the last request for information; none again while another request waits. */
function answered({ file }: PermitState, ms: number): PermitStep | undefined {
  const asked = lastStep(file, 'InformationRequested', ms);
  const received = lastStep(file, 'InformationReceived', ms);
  if (!asked || !received) return received;
  return file.steps.indexOf(received) > file.steps.indexOf(asked) ? received : undefined;
}

/** The suspension that no reinstatement has ended. */
function standingSuspension({ file }: PermitState, ms: number): PermitStep | undefined {
  const suspended = lastStep(file, 'PermitSuspended', ms);
  const lifted = lastStep(file, 'PermitReinstated', ms);
  if (!suspended || !lifted) return suspended;
  return file.steps.indexOf(lifted) > file.steps.indexOf(suspended) ? undefined : suspended;
}

/** Id of a finding that no clause of the pack makes, but the permit type itself. */
export const permitClause = (def: Pick<PermitDef, 'name'>, what?: string): string =>
  what === undefined ? `permit:${def.name}` : `permit:${def.name}.${what}`;

/**
 * Whether the permit gives leave at the instant, and where it is asked, to the one who asks. For a manifest that is
 * the planned instant, for a load the discharge: a permit that does not exist gives none.
 */
export function permitLive(
  state: PermitState | undefined,
  def: PermitDef,
  ms: number,
  asks?: ThingRef,
): Finding {
  const file = state?.file ?? { steps: [] };
  const [phase, name] = [phaseAt(file, ms), phaseNameAt(file, ms)];
  const holder = holderOf(file);
  const issued = 'issued' in phase ? phase.issued : undefined;
  const ofType = file.filed === undefined || file.filed.permitType === def.name;
  const held = !asks || !holder || sameThing(asks, holder);
  const at = 'step' in phase ? { from: { source: 'permit' as const, event: phase.step.event } } : {};
  // The operand that speaks against it comes first: texts are made of it.
  const operands: Finding['operands'] = [
    ...(held ? [] : [{ fact: 'permit.holder', value: holder?.key ?? null, ...at }]),
    { fact: 'permit.status', value: name, ...at },
    ...(ofType ? [] : [{ fact: 'permit.type', value: file.filed?.permitType ?? null, ...at }]),
    ...(issued
      ? [
          { fact: 'permit.valid_from', value: issued.valid.from, ...at },
          { fact: 'permit.valid_until', value: issued.valid.until, ...at },
        ]
      : []),
  ];
  return {
    clause: permitClause(def),
    rows: def.rows,
    cite: def.cite,
    says: 'There is a permit in force for it: issued, inside its days, not suspended, held by who asks.',
    status: ofType && held && isLive(file, ms) ? 'satisfied' : 'violated',
    operands,
    ...(held
      ? { limit: { op: 'equals', value: 'issued' } }
      : { limit: { op: 'equals', value: asks?.key ?? '' } }),
    missing: [],
    binds: 'person',
  };
}

/**
 * Facts that may be recorded on a permit as they are: those of its form that no decision fixes and no act records.
 * What an approval fixes or an act records comes from who may do that.
 */
export function permitRecordable(pack: Pack, { form, sets }: PermitDef): readonly string[] {
  const { ofActs } = actFacts(pack, PERMIT);
  return form.filter((fact) => !sets.includes(fact) && !ofActs.has(fact));
}

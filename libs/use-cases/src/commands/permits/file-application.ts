import { factAt, packAt, type Facts, type PermitState, type ThingRef } from '@headworks/domain';
import { CodedError, nameId, refuseFaults, type ActedBy, type Fault } from '@headworks/kernel';
import type { Pack, PermitDef } from '@headworks/rules-engine';
import {
  answeredBefore,
  commandIdOf,
  mustBeAdopted,
  packNamed,
  timing,
  type Request,
  type Services,
  type Timing,
} from '../../context';
import { mustFileFor } from '../../holding';
import { idOf, permits, permitStream } from '../../models';
import type { Outcome } from '../../stream-runner';
import { NO_PERMIT, onPermit, permitSeen } from './on-permit';

export interface RenewalBody {
  readonly occurredAt?: string;
  /** Facts that are otherwise than on the form of the permit that it follows. */
  readonly facts?: unknown;
  readonly by?: ActedBy;
  readonly reason?: string;
  readonly evidence?: string;
}

export interface ApplicationBody extends RenewalBody {
  readonly pack: string;
  readonly permitType: string;
  readonly applicant: ThingRef;
}

interface Filed {
  readonly id: string;
  readonly outcome: Outcome<PermitState>;
}

/** An application's id, and its permit's, is a function of the request that filed it. */
const permitIdOf = (jurisdiction: string, commandId: string): string =>
  nameId('permit', jurisdiction, commandId);

/** Puts an application on file, whatever is found: only an official refuses it. */
export async function fileApplication(
  services: Services,
  request: Request,
  body: ApplicationBody,
): Promise<Filed> {
  const { jurisdiction } = packNamed(services, request.caller, body.pack);
  mustFileFor(request.caller, body.applicant);
  // Before the body is looked at again: what was in time at its first receipt may be late by now.
  const before = await filedBefore(services, request, jurisdiction);
  if (before) return before;
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const { pack, def } = permitTypeOf(services, body, time, faults);
  if (def && body.applicant.kind !== def.holder) {
    const detail = `A ${def.name} permit is a ${def.holder}'s, not a '${body.applicant.kind}'s.`;
    faults.push({ pointer: '/applicant/kind', code: 'wrong-kind', detail });
  }
  const facts = formFacts(pack, def, body.facts, faults);
  return file(services, request, { ...body, time, facts, faults, jurisdiction });
}

/** Files an application that would follow the permit: its form is carried over, and overridden by what is sent. */
export async function renewPermit(
  services: Services,
  request: Request,
  id: string,
  body: RenewalBody,
): Promise<Filed> {
  const { permit, jurisdiction } = await permitSeen(services, request, id);
  const { filed } = permit.file;
  if (!filed) throw new CodedError('not-found', NO_PERMIT);
  const before = await filedBefore(services, request, jurisdiction);
  if (before) return before;
  const faults: Fault[] = [];
  const time = timing(request, body, faults);
  const { pack, def } = permitTypeOf(services, filed, time, faults);
  mustBeRenewable(permit, def);
  const carried = Object.fromEntries(
    (def?.form ?? []).flatMap((fact) => {
      const row = factAt(permit.facts, fact, time.ms);
      return row ? [[fact, row.json] as const] : [];
    }),
  );
  const facts = { ...carried, ...formFacts(pack, def, body.facts, faults) };
  const { applicant, pack: name, permitType } = filed;
  return file(services, request, {
    ...body,
    ...{ pack: name, permitType, applicant, renews: id },
    ...{ time, facts, faults, jurisdiction },
  });
}

/** A permit that has ended may be renewed too: whether in time is what the application is judged by. */
function mustBeRenewable({ file }: PermitState, def: PermitDef | undefined): void {
  if (def && !def.renewable) {
    throw new CodedError(
      'conflict',
      `A permit of this type (${def.cite}) is not renewed; file an application of its own.`,
    );
  }
  if (file.steps.some(({ type }) => type === 'PermitIssued')) return;
  throw new CodedError('conflict', 'This application was never issued, so there is nothing to renew.');
}

async function filedBefore(
  services: Services,
  request: Request,
  jurisdiction: string,
): Promise<Filed | undefined> {
  const outcome = await answeredBefore(services, request, permits, (commandId) =>
    permitStream(permitIdOf(jurisdiction, commandId)),
  );
  return outcome && { id: idOf(outcome.state.stream), outcome };
}

/** The permit type in the version in force when it was applied for. */
function permitTypeOf(
  services: Services,
  { pack: name, permitType }: Pick<ApplicationBody, 'pack' | 'permitType'>,
  time: Timing,
  faults: Fault[],
): { readonly pack?: Pack; readonly def?: PermitDef } {
  const pack = packAt(services.rules, name, time.ms);
  if (!pack) {
    const detail = `No version of '${name}' was in force then.`;
    const hint = 'GET /v1/packs/{pack} lists the versions';
    faults.push({ pointer: '/occurredAt', code: 'no-law-then', detail, hint });
    return {};
  }
  const def = pack.permits.get(permitType);
  if (def) return { pack, def };
  const known = [...pack.permits.keys()].join(', ');
  faults.push({
    pointer: '/permitType',
    code: 'unknown-permit-type',
    detail: `'${permitType}' is no permit of pack '${name}'.`,
    hint: known === '' ? 'it has none' : `use ${known}`,
  });
  return { pack };
}

/** Of a form that the pack does not know, nobody can say which facts are wrong. */
function formFacts(
  pack: Pack | undefined,
  def: PermitDef | undefined,
  facts: unknown,
  faults: Fault[],
): Facts {
  if (!pack || !def) return {};
  const parsed = pack.parseFacts(facts ?? {}, def.form, '/facts');
  faults.push(...parsed.faults);
  return parsed.facts;
}

interface ToFile extends Omit<ApplicationBody, 'facts'> {
  readonly time: Timing;
  readonly facts: Facts;
  readonly faults: readonly Fault[];
  readonly jurisdiction: string;
  readonly renews?: string;
}

async function file(services: Services, request: Request, told: ToFile): Promise<Filed> {
  const { pack, permitType, applicant, facts, faults, jurisdiction, renews, time } = told;
  refuseFaults(faults, 'The application');
  mustBeAdopted(services, jurisdiction);
  const commandId = await commandIdOf(services, request);
  const id = permitIdOf(jurisdiction, commandId);
  const { evidence } = told.by ?? {};
  const by = { person: told.by?.person ?? request.caller.id, ...(evidence !== undefined && { evidence }) };
  // As a thing is registered: the key as it is written, compared in its normal form.
  const asked = { key: applicant.key.trim(), kind: applicant.kind };
  const command = { type: 'file-application', pack, permitType, applicant: asked, facts } as const;
  const outcome = await onPermit(
    services,
    request,
    id,
    renews === undefined ? command : { ...command, renews },
    { time, jurisdiction, by, applicant: asked, commandId },
  );
  return { id, outcome };
}

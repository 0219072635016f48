import { asPayload, firstOf, packAt } from '@headworks/domain';
import {
  CodedError,
  isoInstant,
  parseInstant,
  parseLocalDate,
  refuseFaults,
  type Fault,
  type Finding,
  type JsonObject,
  type JsonValue,
} from '@headworks/kernel';
import { startOfDay } from '@headworks/calendars';
import type { Headroom, Pack } from '@headworks/rules-engine';
import { shownFinding, type Explain } from '../answers';
import { packNamed, type Request, type Services } from '../context';
import { mustFileFor } from '../holding';
import { checkFacts, definitionOf, type Checked } from './check-facts';

export interface CheckBody extends Checked {
  readonly pack: string;
  readonly assessment: string;
  readonly asOf?: string;
  readonly facts?: unknown;
}

export interface CheckAnswer {
  readonly pack: string;
  readonly packVersion: string;
  readonly judgedOn: string;
  readonly asOf: string;
  readonly summary: {
    readonly status: 'satisfied' | 'violated' | 'unknown';
    readonly satisfied: number;
    readonly violated: number;
    readonly unknown: number;
    readonly notYetDue: number;
    readonly notApplicable: number;
  };
  readonly findings: readonly JsonObject[];
  readonly totals: JsonObject;
  readonly headroom: readonly Headroom[];
}

/** Asks an assessment of facts, stored and given: nothing is written. Given facts come before stored ones. */
export async function check(
  services: Services,
  request: Request,
  body: CheckBody,
  explain: Explain = 'full',
): Promise<CheckAnswer> {
  const newest = packNamed(services, request.caller, body.pack);
  if (body.hauler) mustFileFor(request.caller, body.hauler);
  const faults: Fault[] = [];
  const asOfMs = instantOf(body.asOf, request.receivedMs, faults);
  const parsed = newest.parseFacts(body.facts ?? {}, askable(newest), '/facts');
  const assessment = newest.assessments.get(body.assessment);
  if (!assessment) {
    const hint = `use one of ${[...newest.assessments.keys()].join(', ')}`;
    faults.push({
      pointer: '/assessment',
      code: 'unknown-assessment',
      detail: `'${body.assessment}' is no assessment of '${body.pack}'.`,
      hint,
    });
  }
  const judgedOn = judgedMs(newest, parsed.facts[assessment?.judgedOn ?? ''], asOfMs);
  const pack = packAt(services.rules, body.pack, judgedOn);
  if (!pack)
    faults.push({
      pointer: '/asOf',
      code: 'no-law-then',
      detail: `No version of '${body.pack}' was in force then.`,
    });
  const asked = definitionOf(pack ?? newest, body.assessment, body);
  const def = asked?.def;
  if (body.subject && def && body.subject.kind !== def.on) {
    faults.push({
      pointer: '/subject/kind',
      code: 'wrong-kind',
      detail: `This is asked of a ${def.on}, not of a '${body.subject.kind}'.`,
    });
  }
  refuseFaults([...faults, ...parsed.faults], 'The check');
  if (!pack || !assessment) throw new CodedError('not-found', 'There is no such assessment.');
  const stored = await checkFacts(services, request, pack, {
    ...{ body, def: asked, ms: asOfMs },
    given: parsed.facts,
  });
  const facts = firstOf(asPayload(parsed.facts), stored.facts);
  const clauses = pack.assessments.get(body.assessment)?.clauses ?? [];
  const findings = [...stored.besides, ...pack.evaluate({ clauses, facts, now: asOfMs })];
  const limits = stored.limits.filter((name) => pack.limits.has(name));
  return {
    pack: pack.ref.pack,
    packVersion: pack.ref.version,
    judgedOn: isoInstant(judgedOn),
    asOf: isoInstant(asOfMs),
    summary: summarise(findings),
    findings: findings.map((finding) => shownFinding(finding, explain)),
    totals: Object.assign({}, ...limits.map((name) => pack.measures(name, facts))) as JsonObject,
    headroom: limits.flatMap((name) => pack.headroom(name, facts)),
  };
}

/** What may be given in a check: every fact but ledgers, which the log alone tells. */
const askable = (pack: Pack): readonly string[] =>
  [...pack.facts.values()].filter(({ type }) => type !== 'series').map(({ name }) => name);

function instantOf(text: string | undefined, fallback: number, faults: Fault[]): number {
  if (text === undefined) return fallback;
  const parsed = parseInstant(text);
  if ('ms' in parsed) return parsed.ms;
  faults.push({ pointer: '/asOf', code: 'no-instant', detail: parsed.why });
  return fallback;
}

/** The instant that picks the version: the assessment's own date where it is given, else `asOf`. */
function judgedMs(pack: Pack, value: JsonValue | undefined, asOfMs: number): number {
  if (typeof value !== 'string') return asOfMs;
  const date = parseLocalDate(value);
  if (date) return startOfDay(pack.zone, date);
  const instant = parseInstant(value);
  return 'ms' in instant ? instant.ms : asOfMs;
}

/** What is not yet due is a duty to come, not an open question: it keeps no load from being found in order. */
function summarise(findings: readonly Finding[]): CheckAnswer['summary'] {
  const notYetDue = findings.filter(({ reason }) => reason === 'not_yet_due').length;
  const count = (status: string) => findings.filter((finding) => finding.status === status).length;
  const [violated, unknown] = [count('violated'), count('unknown') - notYetDue];
  const status = violated > 0 ? 'violated' : unknown > 0 ? 'unknown' : 'satisfied';
  return {
    status,
    satisfied: count('satisfied'),
    violated,
    unknown,
    notYetDue,
    notApplicable: count('not_applicable'),
  };
}

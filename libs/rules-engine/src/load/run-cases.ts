import { localDateAt } from '@headworks/calendars';
import {
  inUnit,
  isJsonObject,
  parseInstant,
  parseLocalDate,
  parseQuantity,
  quantityJson,
  type Finding,
  type JsonValue,
  type LocalDate,
  type QuantityJson,
} from '@headworks/kernel';
import type { FactEntry, FactSource, Pack, RuleSet } from '../api';
import { explainFinding } from '../explain';
import { modelOf } from '../pack';
import type { ValueType } from '../model/types';
import type { Problem } from '../source/problem';
import { inOrder } from '../source/problem';
import { validate } from '../source/validate';
import type { YamlFile } from '../source/yaml-file';
import { compareFinding, type Expected } from './compare-finding';
import { checkFolder } from './load-rules';

export interface CaseResult {
  readonly pack: string;
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** Empty where the case holds. */
  readonly failures: readonly string[];
}

interface RawCase {
  readonly name: string;
  readonly assessment: string;
  readonly now?: string;
  readonly on?: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, Expected>>;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Runs every case beside the packs. Where the rules or a case can't be read there are problems and no results. */
export function runCases(dir: string): {
  readonly problems: readonly Problem[];
  readonly results: readonly CaseResult[];
  /** Clauses that could be judged and that no case expects anything of, `pack/clause`. */
  readonly clausesWithoutCases: readonly string[];
} {
  const { rules, problems, folder } = checkFolder(dir);
  if (!rules) return { problems, results: [], clausesWithoutCases: [] };
  for (const { file } of folder.cases) {
    if (file.data !== undefined) validate(file, 'cases.schema.json', (path) => caseName(file, path[0]));
  }
  const wrong = folder.cases.flatMap(({ file }) => file.problems);
  if (wrong.length > 0) return { problems: inOrder(wrong), results: [], clausesWithoutCases: [] };
  const results = folder.cases.flatMap(({ pack, file }) =>
    (file.data as readonly RawCase[]).map((raw, index): CaseResult => {
      const { line } = file.position([index]);
      const failures = runCase(rules, pack, raw);
      return { pack, path: file.path, line, name: raw.name, failures };
    }),
  );
  const tried = new Set(
    folder.cases.flatMap(({ pack, file }) =>
      (file.data as readonly RawCase[]).flatMap(({ expect }) =>
        Object.keys(expect).map((clause) => `${pack}/${clause}`),
      ),
    ),
  );
  return { problems: [], results, clausesWithoutCases: judged(rules).filter((id) => !tried.has(id)) };
}

/** Clauses of the newest versions that end in a finding: powers and standing duties are listed for people. */
const judged = (rules: RuleSet): readonly string[] =>
  [...rules.packs].flatMap(([id, versions]) =>
    [...(versions.at(-1)?.clauses.values() ?? [])]
      .filter(({ verb }) => verb !== 'power' && verb !== 'obligation')
      .map((clause) => `${id}/${clause.id}`),
  );

function caseName(file: YamlFile, index: string | number | undefined): string | undefined {
  const one = Array.isArray(file.data)
    ? (file.data[Number(index)] as { name?: unknown } | undefined)
    : undefined;
  return typeof one?.name === 'string' ? `case '${one.name}'` : undefined;
}

/** Each way in which the case does not hold, or why it could not be run. */
function runCase(rules: RuleSet, id: string, raw: RawCase): readonly string[] {
  const newest = rules.packs.get(id)?.at(-1);
  if (!newest) return [`there is no pack '${id}'`];
  const judgedOn = newest.assessments.get(raw.assessment)?.judgedOn;
  if (judgedOn === undefined) return [`there is no assessment '${raw.assessment}'`];
  const pack = versionFor(rules, newest, raw.facts[judgedOn]);
  const parsed = pack.parseFacts(asJson(pack, raw.facts), pack.facts.keys(), '');
  if (parsed.faults.length > 0)
    return parsed.faults.map(({ detail, hint }) => `${detail}${hint ? `: ${hint}` : ''}`);
  const strange = Object.keys(raw.expect).filter((clause) => !pack.clauses.has(clause));
  if (strange.length > 0) return strange.map((clause) => `there is no clause '${clause}'`);
  const now = nowOf(pack, raw);
  if (typeof now === 'string') return [now];
  const facts = sourceOf(parsed.facts);
  const findings = pack.evaluate({ clauses: Object.keys(raw.expect), facts, now });
  return [
    ...findings.flatMap((finding) => checkFinding(finding, raw.expect)),
    ...Object.entries(raw.values ?? {}).flatMap(([name, wanted]) => checkValue(pack, name, wanted, facts)),
  ];
}

/** A case is judged by the version in force on its day, as the event would be; without a day, by the newest. */
function versionFor(rules: RuleSet, newest: Pack, judged: unknown): Pack {
  if (typeof judged !== 'string') return newest;
  const date = parseLocalDate(judged);
  const instant = parseInstant(judged);
  const day: LocalDate | undefined =
    date ?? ('ms' in instant ? localDateAt(newest.zone, instant.ms) : undefined);
  return (day && rules.packOn(newest.ref.pack, day)) ?? newest;
}

/** YAML 1.2 has no yes and no, and people write them: in cases they stand for the booleans of JSON. */
function asJson(pack: Pack, facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(facts).map(([name, value]): [string, unknown] => {
    const fact = pack.facts.get(name);
    const isYesNo = fact?.type === 'bool' || fact?.type === 'judgement';
    if (isYesNo && (value === 'yes' || value === 'no')) return [name, value === 'yes'];
    return [name, value === 'none' && fact?.optional && !fact.of?.includes('none') ? null : value];
  });
  return Object.fromEntries(entries);
}

/** What is due is measured against an hour: a case that expects something of a deadline must name it. */
function nowOf(pack: Pack, raw: RawCase): number | string {
  const text = raw.now ?? raw.on;
  if (text === undefined) {
    const named = Object.entries(raw.expect).filter(([, expected]) => expected !== 'not_applicable');
    const deadline = named.map(([id]) => id).find((id) => pack.clauses.get(id)?.verb === 'deadline');
    return deadline === undefined
      ? 0
      : `'${deadline}' is a deadline: say 'now', the moment at which it is judged`;
  }
  const instant = parseInstant(text);
  return 'ms' in instant ? instant.ms : `now: ${instant.why}`;
}

/** Rows under a series stand for a ledger; everything else counts as said by the caller. */
function sourceOf(facts: Readonly<Record<string, JsonValue>>): FactSource {
  const entries = new Map<string, FactEntry>(
    Object.entries(facts).map(([name, json]) => [
      name,
      { json, from: Array.isArray(json) ? { source: 'ledger', count: json.length } : { source: 'payload' } },
    ]),
  );
  return (name) => entries.get(name);
}

function checkFinding(finding: Finding, expect: Readonly<Record<string, Expected>>): readonly string[] {
  const wanted = expect[finding.clause];
  if (wanted === undefined) return [];
  const differences = compareFinding(finding, wanted);
  return differences.map((difference) => `${finding.clause}: ${difference} (${explainFinding(finding)})`);
}

/** A derived value in the unit of the pack, compared as exactly as it is stored. */
function checkValue(pack: Pack, name: string, wanted: string | number, facts: FactSource): readonly string[] {
  const type = modelOf(pack).slots.find((slot) => slot.name === name)?.type;
  if (!type) return [`there is no fact or derived value '${name}'`];
  const found = pack.value(name, facts);
  const shown = found === undefined ? 'unknown' : found === null ? 'none' : showValue(found);
  const expected = expectedText(type, wanted);
  return shown === expected ? [] : [`${name}: expected ${expected}, found ${shown}`];
}

function expectedText(type: ValueType, wanted: string | number): string {
  const text = String(wanted);
  if (type.is !== 'quantity' || type.kind === 'count' || text === 'unknown' || text === 'none') return text;
  const parsed = parseQuantity(text);
  if (!parsed.ok || parsed.value.kind !== type.kind) return `${text} (which is no ${type.kind})`;
  return showValue({ ...quantityJson(inUnit(parsed.value, type.unit)) });
}

function showValue(value: JsonValue): string {
  if (isJsonObject(value)) {
    const { value: amount, unit } = value as unknown as QuantityJson;
    return `${amount} ${unit}`;
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

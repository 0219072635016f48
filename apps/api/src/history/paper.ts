import type { JsonObject } from '@headworks/kernel';
import type { RuleSet } from '@headworks/rules-engine';
import {
  findingsIn,
  nameOf,
  packOf,
  sentenceOf,
  valueOf,
  wallOf,
  type About,
  type ShownEvent,
  type ShownHistory,
} from './told';

export interface Told {
  readonly about: About;
  readonly history: ShownHistory;
  readonly rules: RuleSet;
  readonly zone: string;
  /** The log's time is virtual. */
  readonly isSandbox: boolean;
  /** What was asked for beside the order: type, instants, cut. */
  readonly asked: readonly (readonly [name: string, value: string])[];
}

/** Members of an event that an entry shows, and what they are called. What is not here stands in the log alone. */
const MEMBERS: readonly (readonly [member: string, name: string])[] = [
  ['permitType', 'Permit type'],
  ['applicant', 'Applicant'],
  ['holder', 'Holder'],
  ['reason', 'Reason'],
  ['why', 'Why'],
  ['grounds', 'Grounds'],
  ['conditions', 'Conditions'],
  ['waived', 'Waived'],
  ['note', 'Note'],
  ['evidence', 'Evidence'],
  ['valid', 'Valid'],
  ['series', 'Register'],
  ['number', 'Number'],
  ['renews', 'Renews'],
  ['by', 'Followed by'],
  ['subject', 'On'],
  ['hauler', 'Hauler'],
  ['vehicle', 'Vehicle'],
  ['ticket', 'Ticket'],
  ['quantity', 'Quantity'],
  ['load', 'Load'],
  ['manifest', 'Manifest'],
  ['plannedAt', 'Planned'],
  ['until', 'Until'],
  ['missing', 'Missing'],
  ['limit', 'Limit'],
  ['limits', 'Limits'],
  ['clause', 'Clause'],
  ['responsible', 'Responsible'],
  ['outcome', 'Outcome'],
  ['ends', 'Ends'],
  ['corrects', 'Corrects'],
  ['annuls', 'Annuls'],
  ['exceeded', 'Takes back'],
  ['posting', 'Posting'],
  ['ended', 'Ends what was said in'],
  ['event', 'Takes back'],
];

/** A history as a paper that can be filed: what it is of, then an entry an event, findings as sentences with citation. */
export function paperOf(told: Told): string {
  const { about, history, zone, isSandbox, asked } = told;
  const order = history.order === 'legal' ? 'as it happened' : 'as it was recorded';
  const head = [
    ...about.lines,
    ['Entries', `${order}; times are of ${zone}`] as const,
    ...asked.map(([name, value]) => [name, value] as const),
  ];
  const entries = history.events.map((event, index) => entryOf(event, index + 1, told));
  const { next } = history;
  const parts = [
    `# ${plain(about.title)}`,
    ...(isSandbox ? ['**SANDBOX: the time of this log is virtual.**'] : []),
    listed(head, zone),
    ...(entries.length > 0 ? entries : ['There is no entry.']),
    ...(next === null ? [] : [`Further entries follow; ask for those after ${next}.`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function entryOf(event: ShownEvent, place: number, told: Told): string {
  const { rules, zone } = told;
  const { occurred, recordedAt, by, actor, law, late, cause, changedBy } = event;
  const body = by?.body === undefined ? undefined : packOf(rules, law)?.bodies.get(by.body)?.name;
  const person = by?.person === undefined ? [] : [`person ${by.person}`];
  const evidence = by?.evidence === undefined ? [] : [`evidence: ${by.evidence}`];
  const acted = [...(by?.body === undefined ? [] : [body ?? by.body]), ...person, ...evidence].join(', ');
  const lines: (readonly [string, string])[] = [
    ['Happened', wallOf(zone, occurred)],
    [
      'Recorded',
      `${wallOf(zone, { at: recordedAt })} by ${actor.id} (${actor.roles.join(', ') || 'no role'})`,
    ],
    ...(acted === '' ? [] : [['Done by', acted] as const]),
    ...(late ? [['Recorded late', `${late.reason}; evidence: ${late.evidence}`] as const] : []),
    ...(law ? [['Law', `${law.pack}, version ${law.version}`] as const] : []),
    ...membersOf(event),
    ...factsOf(event, rules),
    ...(cause === undefined ? [] : [['Because of', cause] as const]),
    ...(changedBy ?? []).map((change) => ['Changed later by', `${change.event} (${change.type})`] as const),
    ['Event', event.event],
  ];
  const findings = findingsIn(event).map((finding) => `- ${plain(onClocks(zone, sentenceOf(finding)))}`);
  return [
    `## ${place}. ${plain(nameOf(event, rules))}, ${wallOf(zone, occurred).slice(0, 16)}`,
    listed(lines, zone),
    ...(findings.length > 0 ? [`Findings:`, findings.join('\n')] : []),
  ].join('\n\n');
}

const membersOf = ({ data }: ShownEvent): readonly (readonly [string, string])[] =>
  MEMBERS.flatMap(([member, name]) => {
    const value = data[member];
    const isSaid = value !== undefined && !(Array.isArray(value) && value.length === 0);
    return isSaid ? [[name, valueOf(value)] as const] : [];
  });

/** They carry facts of elsewhere, to be judged by where they stand: a paper tells them where they were recorded. */
const CARRIES_FACTS: readonly string[] = ['CapacityReserved', 'LoadPosted', 'ManifestPending'];

/** Facts that it recorded or set, called as the ordinance calls them. */
function factsOf({ type, data, law }: ShownEvent, rules: RuleSet): readonly (readonly [string, string])[] {
  if (CARRIES_FACTS.includes(type)) return [];
  const pack = packOf(rules, law) ?? rules.packs.get(valueOf(data['pack']))?.at(-1);
  const said = [data['facts'], data['sets']].filter(
    (facts): facts is JsonObject => typeof facts === 'object' && facts !== null && !Array.isArray(facts),
  );
  return said.flatMap((facts) =>
    Object.entries(facts).map(
      ([fact, value]) => [pack?.facts.get(fact)?.label ?? fact, valueOf(value)] as const,
    ),
  );
}

const listed = (lines: readonly (readonly [string, string])[], zone: string): string =>
  lines.map(([name, value]) => `- ${plain(name)}: ${plain(onClocks(zone, value))}`).join('\n');

/** Instants as the log writes them, on the clocks of the place. */
const onClocks = (zone: string, text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (at) => wallOf(zone, { at }));

/** What callers wrote stays what it is: no character of it forms the paper, and no line of it begins one. */
const plain = (text: string): string =>
  text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    // Inside a word an underscore is one.
    .replace(/[\\`*[\]<>|~&]|(?<!\w)_|_(?!\w)/g, (sign) => `\\${sign}`)
    .trim()
    .replace(/^[#+-]/, '\\$&');

import { localDateAt, occurredMs, offsetAt } from '@headworks/calendars';
import { isAct, type ThingRef } from '@headworks/domain';
import { isJsonObject, type JsonObject, type JsonValue, type Occurred } from '@headworks/kernel';
import type { Pack, RuleSet } from '@headworks/rules-engine';

/** An event as the history answers it; see `shownEvent` of the use-cases. */
export interface ShownEvent {
  readonly event: string;
  readonly type: string;
  readonly occurred: Occurred;
  readonly recordedAt: string;
  readonly actor: { readonly id: string; readonly roles: readonly string[] };
  readonly by?: { readonly body?: string; readonly person?: string; readonly evidence?: string };
  readonly law?: { readonly pack: string; readonly version: string };
  readonly cause?: string;
  readonly late?: { readonly reason: string; readonly evidence: string };
  readonly changedBy?: readonly { readonly event: string; readonly type: string }[];
  readonly data: JsonObject;
}

export interface ShownHistory {
  readonly stream: string;
  readonly order: 'recorded' | 'legal';
  readonly events: readonly ShownEvent[];
  readonly next: number | null;
}

/** What a paper is of: read from the thing itself. */
export interface About {
  readonly title: string;
  readonly jurisdiction: string;
  /** Lines below the title, each with its name. */
  readonly lines: readonly (readonly [name: string, value: string])[];
}

export interface Finding {
  readonly clause: string;
  readonly cite: string;
  readonly status: string;
  readonly says?: string;
  readonly text?: string;
}

export const findingsIn = ({ data }: ShownEvent): readonly Finding[] => {
  const { findings, finding } = data;
  const several = (Array.isArray(findings) ? findings : []) as readonly JsonValue[];
  return [...several, ...(finding === undefined ? [] : [finding])]
    .filter(isJsonObject)
    .map((found) => found as unknown as Finding);
};

/** A finding as one sentence: what the law says, how it stands, and on which figures. */
export function sentenceOf({ clause, cite, status, says, text }: Finding): string {
  const stands = status.replaceAll('_', ' ');
  const figures = text === undefined || text === '' ? '' : ` (${text})`;
  return `${clause}, ${cite}: ${stands}. ${says ?? ''}${figures}`.trim();
}

/** An instant on the clocks of a zone, with its offset; what is dated by the day is that day. */
export function wallOf(zone: string, occurred: Occurred): string {
  if ('date' in occurred) return occurred.date;
  const ms = occurredMs(occurred);
  const offset = offsetAt(zone, ms);
  const sign = offset < 0 ? '-' : '+';
  const minutes = Math.abs(offset) / 60_000;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  const time = new Date(ms + offset).toISOString().slice(11, 19);
  return `${localDateAt(zone, ms)} ${time} ${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** `ApplicationFiled` as people say it; an act as its ordinance calls it. */
export function nameOf({ type, data, law }: ShownEvent, rules: RuleSet): string {
  if (isAct(type)) {
    const label = packOf(rules, law)?.acts.get(valueOf(data['act']))?.label;
    if (label !== undefined) return label;
  }
  const words = type.slice(type.indexOf('.') + 1).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `${words.slice(0, 1)}${words.slice(1).toLowerCase()}`;
}

export const packOf = (rules: RuleSet, law: ShownEvent['law']): Pack | undefined =>
  law && rules.packs.get(law.pack)?.find(({ ref }) => ref.version === law.version);

/** A value as a sentence holds it. */
export function valueOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (!isJsonObject(value)) return value.length === 0 ? 'none' : value.map(valueOf).join(', ');
  const { value: amount, unit, kind, key, sealed } = value;
  if (sealed === true) return 'sealed';
  if (typeof unit === 'string') return `${valueOf(amount)} ${unit}`;
  if (typeof kind === 'string' && typeof key === 'string') return thing({ kind, key });
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${valueOf(inner)}`)
    .join(', ');
}

export const thing = ({ kind, key }: ThingRef): string => `${kind} ${key}`;

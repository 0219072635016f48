import { dayOfWeek, parseLocalDate, type CountedBy, type DerivationStep, type Due } from '@headworks/kernel';
import type { Clock } from './api';
import { WEEKDAYS } from './day-rule';
import { clockAt, localDateAt, offsetTextAt } from './zones';

/**
 * A due date and how it was counted, as Markdown that a person can file: the rules, then every day in order. It holds
 * nothing but the date's own derivation, so whoever has the law and the lists can count it again by hand.
 */
export function derivationMarkdown(counted: Due | Clock, heading: string): string {
  const { result, by, steps } = partsOf(counted);
  const rows = steps.map((step) => stepRow(step, by?.zone));
  const table = ['| Day | Weekday | Counts | Why | Source |', '| --- | --- | --- | --- | --- |', ...rows];
  const parts = [`# ${plain(heading)}`, result, ...(by ? [headLines(by).join('\n')] : []), table.join('\n')];
  return `${parts.join('\n\n')}\n`;
}

interface Parts {
  readonly result: string;
  readonly by: CountedBy | undefined;
  readonly steps: readonly DerivationStep[];
}

function partsOf(counted: Due | Clock): Parts {
  if ('pausedSince' in counted && counted.pausedSince !== undefined) {
    const { by, derivation: steps, pausedSince } = counted;
    const since = momentText(pausedSince, by.zone);
    return { result: `**Nothing is due: the clock stands still since ${since}.**`, by, steps };
  }
  const due = 'date' in counted ? counted : counted.due;
  const { by, derivation: steps = [] } = due;
  return { result: dueText(due, by?.zone), by, steps };
}

/** The last moment in time; where hours were counted, the one by the clock as well. */
function dueText(due: Due, zone: string | undefined): string {
  const day = `${weekdayOf(due.date)}, ${due.date}`;
  if (due.elapsedAt === null) {
    return `**Due by the end of ${day}.** Late from ${momentText(due.at, zone)} on.`;
  }
  const by = `**Due at ${momentText(due.at, zone)}.**`;
  if (due.elapsedAt === due.at) return by;
  return `${by} By the clock alone: ${momentText(due.elapsedAt, zone)}; between the two it is contestable.`;
}

function headLines(by: CountedBy): readonly string[] {
  const { clause, start, calendars } = by;
  const counting = by.counting === 'plain' ? 'every day alike' : `by ${countingName(by.counting)}`;
  const from = clause?.pack === undefined ? '' : ` of ${clause.pack}, version ${clause.version ?? '?'}`;
  const event = start.event === undefined ? '' : ` (${start.event})`;
  return [
    ...(clause ? [`- Clause: ${plain(`${clause.id} (${clause.cite})${from}`)}`] : []),
    `- Start: ${plain(`${start.text === undefined ? '' : `${start.text}, `}${start.on}${event}`)}`,
    `- Counted: ${plain(`${by.period}, as a ${by.kind}, ${counting}`)}`,
    ...calendars.map(({ as, id, version, amendedBy }) => {
      const added = amendedBy ? `, with days added by ${amendedBy.join(', ')}` : '';
      const what = as === 'legal' ? 'Legal holidays' : 'Days of the office';
      return `- ${what}: ${plain(`${id}, version ${version}${added}`)}`;
    }),
    `- Zone: ${plain(by.zone)}`,
  ];
}

/** `wis-990.001` is how a pack spells it. */
const countingName = (counting: string): string =>
  counting === 'wis-990.001' ? 'Wis. Stat. 990.001(4)' : counting;

function stepRow({ on, counted, why, source, event }: DerivationStep, zone: string | undefined): string {
  const [first = on, last] = on.split('/');
  const days = last === undefined ? dayText(first, zone) : `${first} to ${last}`;
  const weekdays = last === undefined ? weekdayOf(first, zone) : `${weekdayOf(first)} to ${weekdayOf(last)}`;
  const from = [source, event !== undefined && !source?.includes(event) ? event : undefined];
  const cells = [
    days,
    weekdays,
    counted ? 'yes' : 'no',
    why,
    from.filter((one) => one !== undefined).join('; '),
  ];
  return `| ${cells.map(plain).join(' | ')} |`;
}

const dayText = (on: string, zone: string | undefined): string =>
  parseLocalDate(on) ? on : momentText(on, zone);

/** `15:00 on 2025-07-07 (UTC-05:00)`: by the clocks that people there look at. */
function momentText(at: string, zone: string | undefined): string {
  if (zone === undefined) return at;
  const ms = Date.parse(at);
  return `${clockAt(zone, ms)} on ${localDateAt(zone, ms)} (UTC${offsetTextAt(zone, ms)})`;
}

function weekdayOf(on: string, zone?: string): string {
  const date = parseLocalDate(on) ?? (zone === undefined ? undefined : localDateAt(zone, Date.parse(on)));
  return date === undefined ? '' : (WEEKDAYS[dayOfWeek(date) - 1] ?? '');
}

/** Names and reasons come from people: none of them may break the table or bring in markup. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|#&]/g, '\\$&');

import { wallToInstant } from '@headworks/calendars';
import { isoInstant, parseInstant, parseLocalDate } from '@headworks/kernel';

/** How a file writes times: a pattern of these words, or `iso`. */
const WORDS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<twelve>\\d{2})',
  h: '(?<twelve>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  A: '(?<half>[AaPp])\\.?[Mm]\\.?',
};
const TOKEN = /YYYY|MM|DD|HH|hh|mm|ss|M|D|H|h|A/g;
const ISO_DAY = '(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})';
const ISO_TIME = '(?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))?';
/** An instant with its offset: whatever the file's own writing, it says all by itself. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

export interface TimeWriting {
  readonly pattern: string;
  readonly regexp: RegExp;
}

/** The writing of a pattern such as `M/D/YYYY h:mm A`, or why it is none. */
export function timeWriting(pattern: string, what: 'time' | 'day' = 'time'): TimeWriting | { why: string } {
  if (pattern === 'iso') {
    const text = what === 'day' ? ISO_DAY : `${ISO_DAY}[ T]${ISO_TIME}`;
    const shown = what === 'day' ? '2027-07-03' : '2027-07-03 15:00';
    return { pattern: shown, regexp: new RegExp(`^${text}$`, 'u') };
  }
  const words: readonly string[] = pattern.match(TOKEN) ?? [];
  const lacks = (...some: readonly string[]): boolean => !some.some((word) => words.includes(word));
  const noDay = lacks('YYYY') || lacks('MM', 'M') || lacks('DD', 'D');
  const noTime = lacks('mm') || (lacks('HH', 'H') && (lacks('hh', 'h') || lacks('A')));
  if (noDay || (what === 'time' && noTime) || new Set(words.map(familyOf)).size < words.length) {
    const example = what === 'day' ? 'M/D/YYYY' : 'M/D/YYYY H:mm, or M/D/YYYY h:mm A';
    return { why: `'${pattern}' does not say a ${what}, each part once: write it as ${example}, or iso` };
  }
  const parts = pattern.split(TOKEN).map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const text = parts.map((part, index) => `${part}${WORDS[words[index] ?? ''] ?? ''}`).join('');
  return { pattern, regexp: new RegExp(`^${text}$`) };
}

const familyOf = (word: string): string =>
  word === 'M' || word === 'MM' ? 'month' : (word.toLowerCase()[0] ?? '');

/** The local date of a cell, or why it is none. */
export function readDay(
  text: string,
  { regexp, pattern }: TimeWriting,
): { readonly date: string } | { why: string } {
  const found = regexp.exec(text)?.groups;
  if (!found) return { why: `'${text}' is not written as ${pattern}` };
  const date = dayText(found);
  return parseLocalDate(date) ? { date } : { why: `there is no day ${date}` };
}

/**
 * The instant of a cell, by the zone's clock. A time that does not exist or comes twice is refused with what to write:
 * an instant with its offset is taken whatever the pattern, so that the one of the two that is meant can be said.
 */
export function readTime(
  text: string,
  writing: TimeWriting,
  zone: string,
): { readonly at: string } | { why: string } {
  if (isWithOffset(text)) {
    const instant = parseInstant(text);
    return 'ms' in instant ? { at: isoInstant(instant.ms) } : instant;
  }
  const found = writing.regexp.exec(text)?.groups;
  if (!found) return { why: `'${text}' is not written as ${writing.pattern}` };
  const date = parseLocalDate(dayText(found));
  if (!date) return { why: `there is no day ${dayText(found)}` };
  const hour = hourOf(found);
  if (hour === undefined) return { why: `'${text}' has no such hour: write 1 to 12 with AM or PM` };
  const instant = wallToInstant(zone, date, `${hour}:${found['minute'] ?? ''}:${found['second'] ?? '00'}`);
  return 'ms' in instant ? { at: isoInstant(instant.ms) } : instant;
}

export const isWithOffset = (text: string): boolean => WITH_OFFSET.test(text);

type Groups = Readonly<Record<string, string | undefined>>;

const two = (text: string | undefined): string => (text ?? '').padStart(2, '0');
const dayText = ({ year, month, day }: Groups): string => `${year ?? ''}-${two(month)}-${two(day)}`;

function hourOf({ hour, twelve, half }: Groups): string | undefined {
  if (twelve === undefined) return two(hour);
  const shown = Number(twelve);
  if (shown < 1 || shown > 12) return undefined;
  return two(String((shown % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)));
}

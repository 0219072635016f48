import { isZone } from '@headworks/calendars';
import { isJsonObject, nearest, type JsonObject, type JsonValue } from '@headworks/kernel';
import { LineCounter, parseDocument } from 'yaml';
import type { Template } from './template';
import { timeWriting, type TimeWriting } from './times';
import { plain } from './plain';

export const IMPORTS = ['loads', 'manifests', 'subjects'] as const;
export type Imported = (typeof IMPORTS)[number];

/** What the file does not say, and the server knows: found for each row before anything is sent. */
export interface LookUp {
  readonly member: string;
  readonly what: 'permit' | 'manifest';
  readonly permitType?: string | undefined;
  readonly optional: boolean;
}

/** How a file of the trade reads: which column is which member of the request. */
export interface Mapping {
  readonly imports: Imported;
  readonly zone: string;
  readonly delimiter: string;
  readonly thousands?: string | undefined;
  /** Rows in which one of these is empty are passed over: a load that was never brought. */
  readonly skipWhereEmpty: readonly string[];
  /** Kind of the things that are registered. */
  readonly kind?: string | undefined;
  readonly lookUps: readonly LookUp[];
  readonly body: Template;
}

const MEMBERS = [
  'import',
  'zone',
  'times',
  'days',
  'delimiter',
  'thousands',
  'skip_where_empty',
  'kind',
  'body',
];

/** Reads a mapping, and says all that is wrong with it at once. */
export function readMapping(text: string): Mapping | { readonly faults: readonly string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  if (document.errors.length > 0) return { faults: document.errors.map(({ message }) => message) };
  const raw: unknown = document.toJS();
  if (!isJsonObject(raw)) return { faults: ['a mapping is a list of members: import, zone, times, body'] };
  return new Reader().mapping(raw);
}

class Reader {
  private readonly faults: string[] = [];
  private times: TimeWriting | undefined;
  private days: TimeWriting | undefined;

  mapping(raw: JsonObject): Mapping | { readonly faults: readonly string[] } {
    this.onlyKnown(raw, MEMBERS, 'the mapping');
    const imports = IMPORTS.find((one) => one === raw['import']);
    if (!imports) this.faults.push(`import: say which of ${IMPORTS.join(', ')} the file holds`);
    const zone = raw['zone'];
    if (typeof zone !== 'string' || !isZone(zone))
      this.faults.push('zone: say the zone of its times, as America/Chicago');
    this.times = this.writing(raw['times'] ?? 'iso', 'time');
    this.days = this.writing(raw['days'] ?? 'iso', 'day');
    const body = raw['body'];
    if (!isJsonObject(body)) this.faults.push('body: say what a row becomes, member by member');
    const kind = this.optionalText(raw, 'kind');
    if (imports === 'subjects' && kind === undefined)
      this.faults.push('kind: say what kind of things they are');
    const { lookUps, rest } = this.lookUps(isJsonObject(body) ? body : {});
    const template = this.template(rest, 'body');
    const skip = raw['skip_where_empty'] ?? [];
    const skipWhereEmpty = Array.isArray(skip) ? skip.map(plain) : [plain(skip)];
    if (this.faults.length > 0 || !imports) return { faults: this.faults };
    return {
      ...{ imports, zone: plain(zone), lookUps, body: template, skipWhereEmpty, kind },
      delimiter: this.optionalText(raw, 'delimiter') ?? ',',
      thousands: this.optionalText(raw, 'thousands'),
    };
  }

  private optionalText(raw: JsonObject, name: string): string | undefined {
    const value = raw[name];
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    this.faults.push(`${name}: it must be a text`);
    return undefined;
  }

  private writing(raw: JsonValue, what: 'time' | 'day'): TimeWriting | undefined {
    const read = timeWriting(plain(raw), what);
    if ('regexp' in read) return read;
    this.faults.push(`${what}s: ${read.why}`);
    return undefined;
  }

  private lookUps(body: JsonObject): { lookUps: readonly LookUp[]; rest: JsonObject } {
    const lookUps: LookUp[] = [];
    const rest = Object.entries(body).filter(([member, raw]) => {
      if (!isJsonObject(raw) || !('look_up' in raw)) return true;
      this.onlyKnown(raw, ['look_up', 'type', 'optional'], `body.${member}`);
      const what = raw['look_up'];
      if (what !== 'permit' && what !== 'manifest') {
        this.faults.push(`body.${member}: what is looked up is a permit or a manifest`);
        return false;
      }
      const permitType = this.optionalText(raw, 'type');
      if (what === 'permit' && permitType === undefined)
        this.faults.push(`body.${member}: say the type of the permit, as the pack has it`);
      lookUps.push({ member, what, permitType, optional: isYes(raw['optional']) });
      return false;
    });
    return { lookUps, rest: Object.fromEntries(rest) };
  }

  private template(raw: JsonValue, at: string): Template {
    if (Array.isArray(raw)) {
      const items = (raw as readonly JsonValue[]).map((item, index) => this.template(item, `${at}.${index}`));
      return { is: 'list', items };
    }
    if (!isJsonObject(raw)) return { is: 'constant', value: raw };
    if ('column' in raw) return this.cell(raw, at);
    if ('time' in raw || 'day' in raw) return this.moment(raw, at);
    if ('split' in raw) return this.split(raw, at);
    if ('shape' in raw && isYes(raw['shape'])) return { is: 'geometry' };
    return {
      is: 'object',
      members: Object.entries(raw).map(([name, member]) => [name, this.template(member, `${at}.${name}`)]),
    };
  }

  private cell(raw: JsonObject, at: string): Template {
    this.onlyKnown(raw, ['column', 'unit', 'as', 'words', 'optional'], at);
    const { as = 'text', words } = raw;
    const kinds = ['text', 'number', 'yes or no'] as const;
    const kind = kinds.find((one) => one === as);
    if (!kind) this.faults.push(`${at}: 'as' is one of ${kinds.join(', ')}`);
    if (words !== undefined && !isJsonObject(words))
      this.faults.push(`${at}: 'words' is a list of the file's words with what each stands for`);
    return {
      ...{ is: 'cell', column: plain(raw['column']), optional: isYes(raw['optional']), as: kind ?? 'text' },
      unit: this.optionalText(raw, 'unit'),
      ...(isJsonObject(words) && { words: new Map(Object.entries(words)) }),
    };
  }

  private moment(raw: JsonObject, at: string): Template {
    const is = 'time' in raw ? 'time' : 'day';
    this.onlyKnown(raw, [is, 'written', 'optional'], at);
    const from = raw[is];
    const columns = Array.isArray(from) ? from.map(plain) : [plain(from)];
    const own = raw['written'];
    const writing = own === undefined ? (is === 'time' ? this.times : this.days) : this.writing(own, is);
    return {
      is,
      columns,
      optional: isYes(raw['optional']),
      writing: writing ?? { pattern: '', regexp: /^$/ },
    };
  }

  private split(raw: JsonObject, at: string): Template {
    this.onlyKnown(raw, ['split', 'by', 'parts', 'at', 'each', 'optional'], at);
    const { parts, each } = raw;
    if (!Array.isArray(parts) || parts.length === 0 || each === undefined) {
      this.faults.push(
        `${at}: a cell that is split has 'parts', what they are called, and 'each', what they become`,
      );
    }
    return {
      ...{ is: 'split', column: plain(raw['split']), optional: isYes(raw['optional']) },
      ...{ by: plain(raw['by'] ?? ';'), at: plain(raw['at'] ?? '=') },
      parts: Array.isArray(parts) ? parts.map(plain) : [],
      each: this.template(each ?? {}, `${at}.each`),
    };
  }

  private onlyKnown(raw: JsonObject, known: readonly string[], at: string): void {
    for (const name of Object.keys(raw).filter((key) => !known.includes(key))) {
      const meant = nearest(name, known);
      this.faults.push(
        `${at}: '${name}' means nothing here; ${meant === undefined ? `use ${known.join(', ')}` : `is '${meant}' meant?`}`,
      );
    }
  }
}

const isYes = (raw: JsonValue | undefined): boolean => raw === true || raw === 'yes';

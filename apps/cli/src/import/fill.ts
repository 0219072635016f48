import type { JsonObject, JsonValue } from '@headworks/kernel';
import type { Row, RowFault } from './row';
import type { Cell, Split, Template } from './template';
import { isWithOffset, readDay, readTime } from './times';

/** A row as the request it becomes, and from which column each place of the request came. */
export interface Filled {
  readonly body: JsonObject;
  readonly columns: ReadonlyMap<string, string>;
  readonly faults: readonly RowFault[];
}

export interface Writing {
  readonly zone: string;
  /** How the file groups thousands: `2,500`. Elsewhere a comma in a number is an error. */
  readonly thousands?: string | undefined;
}

/** Fills a template from a row. Every fault of the row is found at once. */
export function fill(template: Template, row: Row, writing: Writing): Filled {
  const filler = new Filler(row, writing);
  const body = filler.value(template, row.cells, '');
  return { body: (body ?? {}) as JsonObject, columns: filler.columns, faults: filler.faults };
}

class Filler {
  readonly columns = new Map<string, string>();
  readonly faults: RowFault[] = [];

  constructor(
    private readonly row: Row,
    private readonly writing: Writing,
  ) {}

  /** Undefined: nothing is said of it, so it is left out. */
  value(template: Template, cells: Row['cells'], pointer: string): JsonValue | undefined {
    switch (template.is) {
      case 'constant':
        return template.value;
      case 'geometry':
        if (this.row.geometry === undefined)
          this.fault(undefined, 'it has no shape; export the layer with its geometry');
        return this.row.geometry as JsonValue | undefined;
      case 'object':
        return this.object(template.members, cells, pointer);
      case 'list':
        return template.items.flatMap((item, index) => this.value(item, cells, `${pointer}/${index}`) ?? []);
      case 'cell':
        return this.cell(template, cells, pointer);
      case 'time':
      case 'day':
        return this.moment(template, cells, pointer);
      case 'split':
        return this.split(template, cells, pointer);
    }
  }

  private object(
    members: readonly (readonly [string, Template])[],
    cells: Row['cells'],
    pointer: string,
  ): JsonValue | undefined {
    const filled = members.flatMap(([name, template]) => {
      const value = this.value(template, cells, `${pointer}/${name}`);
      return value === undefined ? [] : [[name, value] as const];
    });
    // A thing of which nothing is said, such as a truck without a plate, is none.
    return filled.length === 0 && members.length > 0 ? undefined : Object.fromEntries(filled);
  }

  private text(column: string, optional: boolean, cells: Row['cells'], pointer: string): string | undefined {
    this.columns.set(pointer, column);
    const text = (cells.get(column) ?? '').trim();
    if (text !== '') return text;
    if (!optional) this.fault(column, "it is empty; fill it in, or let the mapping say 'optional: yes'");
    return undefined;
  }

  private cell(cell: Cell, cells: Row['cells'], pointer: string): JsonValue | undefined {
    const { column, unit, words } = cell;
    const text = this.text(column, cell.optional, cells, pointer);
    if (text === undefined) return undefined;
    if (words) {
      const meant = words.get(text);
      if (meant === undefined)
        this.fault(
          column,
          `'${text}' is none of ${[...words.keys()].join(', ')}; add it to the mapping's words`,
        );
      return meant;
    }
    if (unit !== undefined) {
      const number = this.number(column, text);
      return number === undefined ? undefined : { value: number, unit };
    }
    switch (cell.as) {
      case 'text':
        return text;
      case 'number':
        return this.number(column, text);
      case 'yes or no':
        return this.yesOrNo(column, text);
    }
  }

  /** Exact: the digits stay as they are written. */
  private number(column: string, text: string): string | undefined {
    const { thousands } = this.writing;
    const grouped =
      thousands !== undefined && new RegExp(`^-?\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\.\\d+)?$`).test(text);
    const digits = grouped ? text.replaceAll(thousands, '') : text;
    if (/^-?\d+(\.\d+)?$/.test(digits)) return digits;
    const hint = /^[\d,' ]+$/.test(text)
      ? '; say \'thousands: ","\' in the mapping if the file groups them'
      : '';
    this.fault(
      column,
      `'${text}' is no number: write it as 2500 or 0.5, the unit stands in the mapping${hint}`,
    );
    return undefined;
  }

  private yesOrNo(column: string, text: string): boolean | undefined {
    const word = text.toLowerCase();
    if (['yes', 'y', 'true', 'x', '1'].includes(word)) return true;
    if (['no', 'n', 'false', '0'].includes(word)) return false;
    this.fault(column, `'${text}' is neither yes nor no`);
    return undefined;
  }

  private moment(
    template: Extract<Template, { is: 'time' | 'day' }>,
    cells: Row['cells'],
    pointer: string,
  ): string | undefined {
    const shown = template.columns.join(' and ');
    const texts = template.columns.map((column) => this.text(column, template.optional, cells, pointer));
    this.columns.set(pointer, shown);
    if (texts.includes(undefined)) return undefined;
    // Of a date and a time in cells of their own, one may say it all: the hour that comes twice, with its offset.
    const text = texts.find((one) => one !== undefined && isWithOffset(one)) ?? texts.join(' ');
    const read =
      template.is === 'day'
        ? readDay(text, template.writing)
        : readTime(text, template.writing, this.writing.zone);
    if ('date' in read) return read.date;
    if ('at' in read) return read.at;
    this.fault(shown, read.why);
    return undefined;
  }

  private split(template: Split, cells: Row['cells'], pointer: string): JsonValue | undefined {
    const { column, by, at, parts, each } = template;
    const text = this.text(column, template.optional, cells, pointer);
    if (text === undefined) return undefined;
    const things = text.split(by).map((thing) => thing.trim());
    return things.flatMap((thing, index) => {
      const found = parts.length > 1 ? thing.split(at).map((part) => part.trim()) : [thing];
      if (found.length !== parts.length || found.includes('')) {
        this.fault(column, `'${thing}' is not written as ${parts.join(` ${at} `)}`);
        return [];
      }
      const own = new Map([...cells, ...parts.map((name, i) => [name, found[i] ?? ''] as const)]);
      return this.value(each, own, `${pointer}/${index}`) ?? [];
    });
  }

  private fault(column: string | undefined, why: string): void {
    this.faults.push({ place: this.row.place, column, why });
  }
}

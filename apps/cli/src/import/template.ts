import type { JsonValue } from '@headworks/kernel';
import type { TimeWriting } from './times';

/** What a mapping says of one member of a request: a constant, or where in the row it stands. */
export type Template =
  | { readonly is: 'constant'; readonly value: JsonValue }
  | { readonly is: 'object'; readonly members: readonly (readonly [name: string, template: Template])[] }
  | { readonly is: 'list'; readonly items: readonly Template[] }
  | Cell
  | {
      readonly is: 'time' | 'day';
      readonly columns: readonly string[];
      readonly optional: boolean;
      readonly writing: TimeWriting;
    }
  | Split
  | { readonly is: 'geometry' };

export interface Cell {
  readonly is: 'cell';
  readonly column: string;
  readonly optional: boolean;
  readonly unit?: string | undefined;
  readonly as: 'text' | 'number' | 'yes or no';
  /** The file's words, and what they stand for; a word that is not listed is an error. */
  readonly words?: ReadonlyMap<string, JsonValue> | undefined;
}

/** One cell that holds several things: `farmhouse = 1500; cottage = 1000`. */
export interface Split {
  readonly is: 'split';
  readonly column: string;
  readonly optional: boolean;
  readonly by: string;
  /** What each thing is made of, as columns of its own for `each`. */
  readonly parts: readonly string[];
  readonly at: string;
  readonly each: Template;
}

/** Columns that a template reads from the file itself. */
export function columnsOf(template: Template): readonly string[] {
  switch (template.is) {
    case 'constant':
    case 'geometry':
      return [];
    case 'object':
      return template.members.flatMap(([, member]) => columnsOf(member));
    case 'list':
      return template.items.flatMap((item) => columnsOf(item));
    case 'cell':
      return [template.column];
    case 'time':
    case 'day':
      return template.columns;
    case 'split':
      return [template.column, ...columnsOf(template.each).filter((name) => !template.parts.includes(name))];
  }
}

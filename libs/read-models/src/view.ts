import { Registry, type RecordedEvent } from '@headworks/kernel';

/** What every row has: its own id, the part of the view that it is folded with, its tenant, and the rest as JSON. */
export interface ViewRow<Doc = unknown> {
  readonly id: string;
  /** The rows of one part (of one stream, or of less) are read, folded and written together, so parts stay small. */
  readonly part: string;
  readonly jurisdiction: string;
  readonly doc: Doc;
}

/** `text?` may be null. Flags are integers, since SQLite has no booleans. */
export type ColumnType = 'text' | 'text?' | 'integer';

export type Flag = 0 | 1;
export const flag = (value: boolean): Flag => (value ? 1 : 0);

/** The table of a view, its columns checked against the type of its rows. */
export interface Table<Row extends ViewRow> {
  readonly name: string;
  readonly version: number;
  /** Key and filter columns, beside those of every row. */
  readonly columns: { readonly [column in Exclude<keyof Row, keyof ViewRow>]: ColumnType };
  /** Columns that lists are found and sorted by; the id is added to each. */
  readonly indexes: readonly (readonly (keyof Row & string)[])[];
}

/**
 * A view: a pure fold of the log into the rows of one table. A change of the columns or of the fold is a new version,
 * which is a new table, built from the beginning.
 */
export interface View<Row extends ViewRow = ViewRow> {
  readonly name: string;
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly indexes: readonly (readonly string[])[];
  /** Parts whose rows the event changes; none where the view has no use for it. */
  partsOf(event: RecordedEvent): readonly string[];
  /**
   * All rows of a part after the event, given all before it; a row that stays the same is the same object. Whatever
   * order streams are interleaved in, the rows must come out the same.
   */
  evolve(rows: readonly Row[], event: RecordedEvent, part: string): readonly Row[];
}

export const tableOf = ({ name, version }: Pick<View, 'name' | 'version'>): string => `${name}_v${version}`;

/** The views by name; a doubled one stops the boot. */
export function viewRegistry(views: readonly View[]): Registry<View> {
  const registry = new Registry<View>('view');
  for (const view of views) registry.add(view.name, view);
  return registry;
}

/** The view of that name, or a sentence with the names there are. */
export function viewNamed(views: readonly View[], name: string): View {
  const found = views.find((view) => view.name === name);
  if (found) return found;
  throw new Error(`There is no view '${name}'; the views are ${views.map((view) => view.name).join(', ')}.`);
}

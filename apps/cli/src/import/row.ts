/** One record of a file: its cells by the names of the columns, as they are written, and where it stands. */
export interface Row {
  /** `line 14`, or `feature 3` where the file has no lines to speak of. */
  readonly place: string;
  readonly cells: ReadonlyMap<string, string>;
  /** The shape of a feature; of a line there is none. */
  readonly geometry?: unknown;
}

/** What is wrong in a file, and what to do about it. */
export interface RowFault {
  readonly place: string;
  readonly column?: string | undefined;
  readonly why: string;
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly faults: readonly RowFault[];
}

export const faultText = ({ place, column, why }: RowFault): string =>
  `${place}${column === undefined ? '' : `, ${column}`}: ${why}`;

import { isJsonObject, type JsonObject, type JsonValue } from '@headworks/kernel';
import { StartRefused } from '../port';

export interface FileFormat {
  readonly headworks: string;
  readonly format: number;
}

/** A line of a file that is carried from store to store, by its number from one. */
export interface CarriedLine {
  readonly number: number;
  readonly value: JsonObject;
}

export const headerLine = (format: FileFormat, more: JsonObject = {}): string =>
  `${JSON.stringify({ ...format, ...more })}\n`;

/** A file that was cut off has no last line, or counts otherwise. */
export const lastLine = (rows: number): string => `${JSON.stringify({ end: true, rows })}\n`;

export const damagedAt = (line: number, why: string): StartRefused =>
  new StartRefused(`Line ${line} of the file ${why}; export it again.`);

/**
 * The rows between the first line and the last. Throws `StartRefused` where the file is none of the format, is cut off,
 * or holds a line that is no JSON.
 */
export async function* rowsOf(
  lines: AsyncIterable<string>,
  { headworks, format }: FileFormat,
): AsyncGenerator<CarriedLine> {
  let number = 0;
  let ended = false;
  for await (const text of lines) {
    number++;
    if (ended) throw damagedAt(number, 'stands behind the last one');
    const value = parse(text, number);
    if (number === 1) {
      if (value['headworks'] !== headworks) {
        throw new StartRefused(
          `The file holds no ${headworks} of Headworks; name one that was exported as such.`,
        );
      }
      if (value['format'] !== format) {
        throw new StartRefused(
          `The file has format ${shown(value['format'])} and this release knows ${format}; use the release that wrote it.`,
        );
      }
    } else if (value['end'] === true) {
      ended = true;
      if (value['rows'] !== number - 2)
        throw damagedAt(number, `counts ${shown(value['rows'])} rows, and ${number - 2} came`);
    } else yield { number, value };
  }
  if (!ended) throw new StartRefused('The file is cut off: its last line is missing; export it again.');
}

function parse(text: string, number: number): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw damagedAt(number, 'is no JSON');
  }
  if (!isJsonObject(value)) throw damagedAt(number, 'is no JSON object');
  return value;
}

const shown = (value: JsonValue | undefined): string => JSON.stringify(value ?? null);

/** A line as it came, without its end, or the sign that it is longer than may be. Lines count from one. */
export type Line =
  { readonly number: number; readonly bytes: Buffer } | { readonly number: number; readonly tooLong: true };

export const NDJSON = 'application/x-ndjson';
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * The lines of a body as they come in; empty ones are passed over, and count. Of one that is too long nothing more than
 * the limit is ever held.
 */
export async function* linesOf(body: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Line> {
  const line = new Collected(limit);
  let number = 1;
  for await (const chunk of body) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      line.add(chunk.subarray(from, at));
      yield* line.end(number++);
      from = at + 1;
    }
    line.add(chunk.subarray(from));
  }
  yield* line.end(number);
}

class Collected {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(private readonly limit: number) {}

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.limit) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  *end(number: number): Generator<Line> {
    const { size } = this;
    const bytes = withoutReturn(Buffer.concat(this.parts));
    [this.parts, this.size] = [[], 0];
    if (size > this.limit) yield { number, tooLong: true };
    else if (bytes.length > 0) yield { number, bytes };
  }
}

const withoutReturn = (bytes: Buffer): Buffer => (bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes);

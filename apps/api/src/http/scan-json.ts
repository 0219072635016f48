/** Where a text stops being JSON: the offset, and what could stand there. */
export interface Stop {
  readonly offset: number;
  readonly expected: string;
}

export interface Scanned {
  readonly stop?: Stop;
  /** Pointers of keys that an object has twice; JSON.parse would take the last and say nothing. */
  readonly duplicates: readonly string[];
}

/**
 * Reads a text by the grammar of RFC 8259 without making anything of it. V8's messages name a place only sometimes, and
 * never a doubled key; this runs when there is something to say, so it may be slow.
 */
export function scanJson(text: string): Scanned {
  const scanner = new Scanner(text);
  try {
    scanner.all();
    return { duplicates: scanner.duplicates };
  } catch (error) {
    if (error instanceof Stopped) return { stop: error.at, duplicates: scanner.duplicates };
    throw error;
  }
}

/** Line and column (both from 1, a column is a UTF-16 unit) of an offset. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

class Stopped extends Error {
  constructor(readonly at: Stop) {
    super(at.expected);
  }
}

const MOST_DEEP = 500;
const FIRST_PRINTABLE = 0x20;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Scanner {
  readonly duplicates: string[] = [];
  private at = 0;

  constructor(private readonly text: string) {}

  all(): void {
    this.value('', 0);
    this.take(SPACE);
    if (this.at < this.text.length) this.stop('the end of the body');
  }

  private value(pointer: string, depth: number): void {
    this.take(SPACE);
    if (depth > MOST_DEEP) this.stop('less nesting');
    if (this.is('{')) return this.members(pointer, depth);
    if (this.is('[')) return this.elements(pointer, depth);
    if (this.is('"')) return void this.string();
    const word = ['true', 'false', 'null'].find((known) => this.text.startsWith(known, this.at));
    if (word !== undefined) this.at += word.length;
    else if (this.take(NUMBER) === '') this.stop('a value');
  }

  private members(pointer: string, depth: number): void {
    const keys = new Set<string>();
    do {
      this.at++;
      this.take(SPACE);
      if (keys.size === 0 && this.is('}')) break;
      if (!this.is('"')) this.stop('a key in double quotes');
      const key = this.string();
      const place = `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
      if (keys.has(key)) this.duplicates.push(place);
      keys.add(key);
      this.take(SPACE);
      if (!this.is(':')) this.stop("':' after the key");
      this.at++;
      this.value(place, depth + 1);
      this.take(SPACE);
    } while (this.is(','));
    if (!this.is('}')) this.stop("',' or '}'");
    this.at++;
  }

  private elements(pointer: string, depth: number): void {
    let index = 0;
    do {
      this.at++;
      this.take(SPACE);
      if (index === 0 && this.is(']')) break;
      this.value(`${pointer}/${index++}`, depth + 1);
      this.take(SPACE);
    } while (this.is(','));
    if (!this.is(']')) this.stop("',' or ']'");
    this.at++;
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      if (this.at >= this.text.length) this.stop('the closing " of a text');
      if (this.is('"')) return JSON.parse(this.text.slice(start, ++this.at)) as string;
      if (!this.is('\\') && this.text.charCodeAt(this.at) >= FIRST_PRINTABLE) this.at++;
      else if (this.take(ESCAPE) === '') this.stop('a character of a text, or an escape of JSON');
    }
  }

  private is(character: string): boolean {
    return this.text[this.at] === character;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private stop(expected: string): never {
    throw new Stopped({ offset: this.at, expected });
  }
}

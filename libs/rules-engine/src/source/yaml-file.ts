import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Problem } from './problem';

export type Segment = string | number;
export type Path = readonly Segment[];

/** A YAML file with the place of everything in it. `data` is undefined where the text can't be read at all. */
export class YamlFile {
  readonly problems: Problem[] = [];
  readonly data: unknown;
  private readonly lines = new LineCounter();
  private readonly doc: Document.Parsed;

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    this.doc = parseDocument(text, {
      lineCounter: this.lines,
      schema: 'core',
      strict: true,
      // Doubled keys are looked for below: those that a comma makes have a message of their own.
      uniqueKeys: false,
      prettyErrors: false,
      // Silence would also swallow a second document.
      logLevel: 'error',
    });
    for (const error of [...this.doc.errors, ...this.doc.warnings]) {
      this.report(error.pos[0], syntaxMessage(error.code, error.message));
    }
    this.refuseExtras();
    // An alias or a tag may mean anything: what stands around it can't be judged.
    const broken = this.problems.length > 0;
    this.mendSplitTexts();
    this.data = broken ? undefined : (this.doc.toJS({ maxAliasCount: 0 }) as unknown);
  }

  /** Reports a problem at a place of the data; `key` points at the key and not at what stands after it. */
  problem(path: Path, message: string, options: { key?: boolean; where?: string } = {}): Problem {
    const { line, col } = this.position(path, options.key ?? false);
    const where = options.where ? { where: options.where } : {};
    const problem = { path: this.path, line, col, ...where, message };
    this.problems.push(problem);
    return problem;
  }

  /** The text as it is written at a place, for messages: a number of YAML has lost its zeros by then. */
  written(path: Path): string | undefined {
    const node = this.nodeAt(path);
    return isScalar(node) ? node.source : undefined;
  }

  position(path: Path, key = false): { line: number; col: number } {
    const last = path[path.length - 1];
    const offset = key && last !== undefined ? this.keyOffset(path) : undefined;
    return this.at(offset ?? this.nodeAt(path)?.range?.[0] ?? 0);
  }

  private report(offset: number, message: string): void {
    this.problems.push({ path: this.path, ...this.at(offset), message });
  }

  private at(offset: number): { line: number; col: number } {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(line, 1), col: Math.max(col, 1) };
  }

  /** The node at the path, or the nearest one above it that exists. */
  private nodeAt(path: Path): Node | null {
    let node: Node | null = this.doc.contents;
    for (const segment of path) {
      const next = childOf(node, segment);
      if (!next) return node;
      node = next;
    }
    return node;
  }

  private keyOffset(path: Path): number | undefined {
    const parent = this.nodeAt(path.slice(0, -1));
    if (!isMap(parent)) return undefined;
    const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === path.at(-1));
    return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  }

  /** What YAML can do and a pack may not: a reader should see each value where it stands, and only once. */
  private refuseExtras(): void {
    const { directives } = this.doc;
    if (directives.yaml.explicit === true)
      this.report(0, 'leave the %YAML line out: packs are read as YAML 1.2');
    visit(this.doc, (_key, node) => {
      if (isAlias(node)) {
        this.report(
          node.range?.[0] ?? 0,
          `'*${node.source}' is an alias: write the value out where it is used`,
        );
      } else if (isScalar(node) || isMap(node) || isSeq(node)) {
        const offset = node.range?.[0] ?? 0;
        if (node.anchor) this.report(offset, `'&${node.anchor}' is an anchor: packs have none, leave it out`);
        if (node.tag !== undefined)
          this.report(offset, `'${node.tag}' is a tag: packs have none, leave it out`);
      }
      if (isMap(node)) this.refuseKeys(node);
    });
  }

  private refuseKeys(map: YAMLMap): void {
    const seen = new Set<string>();
    for (const pair of map.items) {
      if (!isScalar(pair.key) || (map.flow === true && isBare(pair))) continue;
      const { source = '?', range, value } = pair.key;
      if (typeof value !== 'string') {
        this.report(range?.[0] ?? 0, `the key ${source} is not a word: put it in quotes`);
      } else if (seen.has(value)) {
        this.report(range?.[0] ?? 0, `the key '${value}' stands here twice: keep one of them`);
      } else {
        seen.add(value);
      }
    }
  }

  /**
   * `{ at_most: 20,000 gal/acre }` is two entries to YAML. Each is reported and put together again, so that the rest
   * of the file is checked as it was meant and one mistake gives one message.
   */
  private mendSplitTexts(): void {
    visit(this.doc, {
      Map: (_key, map) => {
        if (map.flow !== true) return;
        for (let index = 0; index < map.items.length; index++) {
          const tail = map.items.slice(index).findIndex((pair) => !isBare(pair));
          const length = tail < 0 ? map.items.length - index : tail;
          if (length === 0) continue;
          this.mend(map.items[index - 1], map.items.slice(index, index + length));
          map.items.splice(index, length);
        }
      },
    });
  }

  /** Puts a head and the bare keys after it together again; the first of them is where the comma stands. */
  private mend(before: Pair | undefined, bare: readonly Pair[]): void {
    const keys = bare.map(({ key }) => (isScalar(key) ? (key.source ?? '') : ''));
    const first = bare[0]?.key;
    const head = isScalar(before?.value) ? (before.value.source ?? '') : '';
    const number = /\d$/.test(head) && keys.every((key) => /^\d{3}(?!\d)/.test(key));
    const whole = number ? [head, ...keys].join('') : [head, ...keys].join(', ');
    const advice = number
      ? `write ${whole} without the comma`
      : 'put the whole text in quotes, or write it without the comma';
    const parts = [...(head ? [head] : []), ...keys].map((part) => `'${part}'`).join(' and ');
    const split = parts.includes(' and ')
      ? `${parts} are entries of their own`
      : `${parts} is an entry of its own`;
    const offset = isScalar(first) ? (first.range?.[0] ?? 0) : 0;
    this.report(offset, `a comma inside { } splits the text: ${split}; ${advice}`);
    if (before && isScalar(before.value)) before.value.value = whole;
  }
}

function childOf(node: Node | null, segment: Segment): Node | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(segment));
    return (pair?.value as Node | null | undefined) ?? undefined;
  }
  if (isSeq(node)) return node.items[Number(segment)] as Node | undefined;
  return undefined;
}

/** A key of a flow map with nothing after it, not even a colon. */
function isBare(pair: Pair): boolean {
  if (!isScalar(pair.key) || typeof pair.key.value === 'object') return false;
  return pair.value === null || (isScalar(pair.value) && pair.value.value === null && !pair.value.source);
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'one file holds one document: take out the line ---';
  // The commonest slip: `says: Note: this` looks like a mapping inside a text.
  const quotes = code === 'BLOCK_AS_IMPLICIT_KEY' ? ". A text with ': ' in it stands in quotes" : '';
  return `this is not YAML: ${message}${quotes}`;
}

import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';

/** Who takes part: a key of these roles, and what its bearer acts for. */
export interface Player {
  readonly roles: readonly string[];
  /** `hauler 12345`: kind and key. */
  readonly holds?: string;
}

/** A load in the words of its ticket; the player writes the request from it. */
export interface TicketWords {
  readonly ticket: string;
  readonly under?: string;
  readonly truck?: string;
  readonly planned?: string;
  readonly finished?: string;
  readonly gallons?: number;
  readonly of?: string;
  readonly from?: string;
  readonly sources?: readonly { readonly gallons: number; readonly of: string; readonly from?: string }[];
  readonly signed?: boolean;
  readonly at?: string;
}

/** What is expected of one step. What is not named is not compared. */
export interface Then {
  readonly answer?: number;
  readonly standing?: string;
  /** All clauses that the answer's findings have with this status, in any order. */
  readonly violated?: readonly string[];
  readonly unknown?: readonly string[];
  /** At least these. */
  readonly satisfied?: readonly string[];
  readonly not_applicable?: readonly string[];
  readonly findings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** All events that the step put into the log, in order, packs' names left out. */
  readonly events?: readonly string[];
  /** Clauses of the violations that the step opened. */
  readonly violations?: readonly string[];
  /** Members of the answer's body, as they are. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface Step {
  /** `2026-08-14 09:10`, the wall clock of the jurisdiction. Without it, the clock stands where it stood. */
  readonly when?: string;
  readonly who?: string;
  readonly does: string;
  readonly as?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly sets?: Readonly<Record<string, unknown>>;
  readonly because?: string;
  readonly grounds?: readonly string[];
  readonly waive?: readonly { readonly clause: string; readonly reason: string }[];
  readonly issue?: boolean;
  readonly asking?: readonly string[];
  readonly load?: TicketWords;
  readonly then?: Then;
  /** File and line, for messages. */
  readonly place: string;
}

export interface Scenario {
  readonly title: string;
  readonly rows: readonly string[];
  readonly cast: Readonly<Record<string, Player>>;
  readonly steps: readonly Step[];
}

/** What the scenarios of one ordinance share: where they play, who takes part, and openings by name. */
export interface Stage {
  readonly jurisdiction: string;
  readonly pack: string;
  readonly zone: string;
  readonly cast: Readonly<Record<string, Player>>;
  readonly givens: Readonly<Record<string, readonly Step[]>>;
}

const WORDS = {
  stage: ['jurisdiction', 'pack', 'zone', 'cast', 'givens'],
  scenario: ['scenario', 'cite', 'rows', 'given', 'steps'],
  step: [
    ...['when', 'who', 'does', 'as', 'facts', 'sets', 'because'],
    ...['grounds', 'waive', 'issue', 'asking', 'load', 'then'],
  ],
  load: [
    'ticket',
    'under',
    'truck',
    'planned',
    'finished',
    'gallons',
    'of',
    'from',
    'sources',
    'signed',
    'at',
  ],
  then: [
    ...['answer', 'standing', 'violated', 'unknown', 'satisfied', 'not_applicable'],
    ...['findings', 'events', 'violations', 'body'],
  ],
} as const;

type Plain = Readonly<Record<string, unknown>>;

/** The stage of an ordinance's scenarios. */
export function readStage(path: string, text: string = readFileSync(path, 'utf8')): Stage {
  const { data, lineOf } = readYaml(path, text);
  onlyWords('stage', data, path);
  const givens = Object.entries((data['givens'] ?? {}) as Plain).map(
    ([name, steps]) => [name, stepsOf(steps, ['givens', name], path, lineOf)] as const,
  );
  return { ...(data as unknown as Stage), givens: Object.fromEntries(givens) };
}

/** One scenario, its openings before its own steps. An unknown word is refused: a typo must not pass as no demand. */
export function readScenario(
  path: string,
  stage: Stage,
  text: string = readFileSync(path, 'utf8'),
): Scenario {
  const { data, lineOf } = readYaml(path, text);
  onlyWords('scenario', data, path);
  for (const key of ['scenario', 'cite', 'rows', 'steps']) {
    if (data[key] === undefined) throw new Error(`${path}: '${key}' is missing`);
  }
  const openings = ((data['given'] ?? []) as readonly string[]).flatMap((name) => {
    const given = stage.givens[name];
    if (given) return given;
    throw new Error(`${path}: there is no opening '${name}': use ${Object.keys(stage.givens).join(', ')}`);
  });
  return {
    title: String(data['scenario']),
    rows: data['rows'] as readonly string[],
    cast: stage.cast,
    steps: [...openings, ...stepsOf(data['steps'], ['steps'], path, lineOf)],
  };
}

type LineOf = (path: readonly (string | number)[]) => number;

function readYaml(path: string, text: string): { readonly data: Plain; readonly lineOf: LineOf } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const [error] = document.errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  return {
    data: document.toJS() as Plain,
    lineOf: (at) => {
      const node = document.getIn(at, true) as { readonly range?: readonly number[] } | undefined;
      return lines.linePos(node?.range?.[0] ?? 0).line;
    },
  };
}

function stepsOf(
  raw: unknown,
  at: readonly (string | number)[],
  path: string,
  lineOf: LineOf,
): readonly Step[] {
  return (raw as readonly Plain[]).map((step, index) => {
    const place = `${path}:${lineOf([...at, index])}`;
    onlyWords('step', step, place);
    if (typeof step['does'] !== 'string') throw new Error(`${place}: say what is done: add 'does'`);
    if (step['load'] !== undefined) onlyWords('load', step['load'] as Plain, place);
    if (step['then'] !== undefined) onlyWords('then', step['then'] as Plain, place);
    return { ...(step as unknown as Step), place };
  });
}

function onlyWords(what: keyof typeof WORDS, data: Plain, place: string): void {
  const known: readonly string[] = WORDS[what];
  const strange = Object.keys(data).filter((key) => !known.includes(key));
  if (strange.length === 0) return;
  throw new Error(`${place}: '${strange.join("', '")}' means nothing in a ${what}: use ${known.join(', ')}`);
}

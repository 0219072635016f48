import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuseFaults, type JsonObject } from '@headworks/kernel';
import type { CheckAnswer, CheckBody } from '@headworks/use-cases';
import { linesOf, type Line } from '../http/ndjson';
import { problemOf } from '../http/problem-of';
import { problemJson } from '../http/problem.filter';
import { HttpProblem } from '../http/problems';
import { readJson } from '../http/read-json';
import { faultsOf, hasShape } from '../shapes/faults-of';
import { CheckDto } from './check.dto';

/** A line as long as a body may be would let few callers hold much of the memory. */
export const LINE_BYTES = 64 * 1024;
/** So long a batch may keep others waiting. */
const TURN_MS = 10;

export interface CheckLines {
  readonly body: AsyncIterable<Buffer>;
  readonly check: (body: CheckBody) => Promise<CheckAnswer>;
  readonly monotonic: () => number;
  /** Told of an error that nobody foresaw. */
  readonly failed: (line: number, error: unknown) => void;
}

/**
 * Answers each line with one of its own, in their order: `{line, ...answer}`, or `{line, problem}` where that line could
 * not be asked. A bad line harms no other.
 */
export async function* checkLines(lines: CheckLines): AsyncGenerator<string> {
  let turnEnds = lines.monotonic() + TURN_MS;
  for await (const line of linesOf(lines.body, LINE_BYTES)) {
    if (lines.monotonic() >= turnEnds) {
      await nextTurn();
      turnEnds = lines.monotonic() + TURN_MS;
    }
    yield `${JSON.stringify({ line: line.number, ...(await answerTo(lines, line)) })}\n`;
  }
}

async function answerTo({ check, failed }: CheckLines, line: Line): Promise<object> {
  try {
    return await check(checkIn(line));
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === 'internal-error') failed(line.number, error);
    return { problem: problemJson(problem) };
  }
}

function checkIn(line: Line): CheckBody {
  if ('tooLong' in line) {
    throw new HttpProblem('too-large', `A line is at most ${LINE_BYTES / 1024} KB; send less in one.`);
  }
  const value = readJson(line.bytes);
  if (!hasShape(CheckDto, value)) refuseFaults(faultsOf(CheckDto, value, 'body'), 'The line');
  return value as CheckBody & JsonObject;
}

import type { NewEvent, RecordedEvent } from '@headworks/kernel';
import { toNewEvent } from '@headworks/domain';
import { LIMITS } from '@headworks/event-store';
import { envelopeOf, provisional, type Folded, type Model, type Waiting } from './job';

/** What became of a job before its batch is appended. */
export type Decided<S extends Folded> =
  | {
      readonly is: 'made';
      readonly waiting: Waiting<S>;
      readonly state: S;
      readonly events: readonly RecordedEvent[];
      readonly ignored?: string;
    }
  /** Its command stands in the stream, or will with this batch: it is answered from the log. */
  | { readonly is: 'known'; readonly waiting: Waiting<S> }
  | { readonly is: 'failed'; readonly waiting: Waiting<S>; readonly error: unknown };

export interface Batch<S extends Folded> {
  readonly decided: readonly Decided<S>[];
  readonly events: readonly NewEvent[];
  readonly state: S;
  /** Jobs that the append has no room for. */
  readonly back: readonly Waiting<S>[];
}

/** Bytes of an event beside its own JSON: stream, revision and the names of its members. */
const AROUND = 300;
const MOST_BYTES = LIMITS.appendBytes * 0.9;

/** Decides the jobs in turn, each on the state that those before it leave, as far as one append has room. */
export async function decideBatch<S extends Folded>(
  model: Model<S>,
  from: S,
  jobs: readonly Waiting<S>[],
  seal: (event: NewEvent) => Promise<NewEvent>,
): Promise<Batch<S>> {
  let state = from;
  let bytes = 0;
  const events: NewEvent[] = [];
  const decided: Decided<S>[] = [];
  for (const [index, waiting] of jobs.entries()) {
    if (state.commands.has(waiting.job.commandId)) {
      decided.push({ is: 'known', waiting });
      continue;
    }
    try {
      const { made, ignored } = await decideOne(state, waiting, seal);
      // A job alone shares its append with nobody: how large it is, the log itself measures.
      const size = jobs.length === 1 ? 0 : made.reduce((sum, event) => sum + sizeOf(event), 0);
      const full = events.length + made.length > LIMITS.appendEvents || bytes + size > MOST_BYTES;
      if (full && events.length > 0) return { decided, events, state, back: jobs.slice(index) };
      const before = state.revision;
      const recorded = made.map((event, at) => provisional(from.stream, before + 1 + at, event));
      state = recorded.reduce(model.evolve, state);
      events.push(...made);
      bytes += size;
      decided.push({
        is: 'made',
        waiting,
        state,
        events: recorded,
        ...(ignored !== undefined && { ignored }),
      });
    } catch (error) {
      decided.push({ is: 'failed', waiting, error });
    }
  }
  return { decided, events, state, back: [] };
}

const sizeOf = (event: NewEvent): number => Buffer.byteLength(JSON.stringify(event)) + AROUND;

async function decideOne<S extends Folded>(
  state: S,
  { job }: Waiting<S>,
  seal: (event: NewEvent) => Promise<NewEvent>,
): Promise<{ readonly made: readonly NewEvent[]; readonly ignored?: string }> {
  const envelope = envelopeOf(job, state);
  const decision = await job.decide(state, envelope);
  const made: NewEvent[] = [];
  for (const [index, event] of decision.events.entries()) {
    made.push(await seal(toNewEvent(state.stream, index, event, envelope)));
  }
  return { made, ...('ignored' in decision && { ignored: decision.ignored }) };
}

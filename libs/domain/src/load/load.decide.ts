import {
  canonicalText,
  CodedError,
  ignore,
  isoInstant,
  type Decision,
  type Finding,
  type JsonValue,
} from '@headworks/kernel';
import { storedFinding, type LoadCorrected, type LoadDischarged, type StoredFinding } from '../events';
import { sameVerdicts } from './judge-load';
import type { LoadState } from './load';

export type LoadCommand =
  | {
      readonly type: 'discharge';
      readonly data: Omit<LoadDischarged, 'findings'>;
      readonly findings: readonly Finding[];
    }
  | { readonly type: 'correct'; readonly data: LoadCorrected }
  | { readonly type: 'judge'; readonly findings: readonly Finding[]; readonly cause: string };

export function decideLoad(command: LoadCommand, state: LoadState): Decision {
  switch (command.type) {
    case 'discharge':
      return discharge(command, state);
    case 'correct':
      return correct(command, state);
    case 'judge':
      return judge(command, state);
  }
}

/** A load that was dumped was dumped: nothing that the law finds keeps it from being recorded. */
function discharge(command: Extract<LoadCommand, { type: 'discharge' }>, state: LoadState): Decision {
  const { current } = state;
  if (current) {
    if (current.content === command.data.content) return ignore('this load is recorded already');
    throw new CodedError(
      'conflict',
      `Ticket '${current.ticket}' of this hauler stands for another load; correct that one, or send "distinct": true with a reason.`,
      [],
      { load: state.stream.slice('load-'.length), differs: differences(command.data, state) },
    );
  }
  return {
    events: [
      { type: 'LoadDischarged', data: { ...command.data, findings: command.findings.map(storedFinding) } },
    ],
  };
}

function differences(data: Omit<LoadDischarged, 'findings'>, { current }: LoadState): readonly string[] {
  if (!current) return [];
  const pairs: readonly (readonly [string, JsonValue | undefined, JsonValue | undefined])[] = [
    ['pack', data.pack, current.pack],
    ['load', data.load, current.load],
    ['subject', data.subject, current.subject],
    ['vehicle', data.vehicle, current.vehicle],
    ['quantity', data.quantity, current.quantity],
    ['finishedAt', data.finishedAt, current.finishedMs && isoInstant(current.finishedMs)],
    ['facts', data.facts, current.facts],
    [
      'sources',
      data.sources.map((s) => [s.wasteType, s.quantity]),
      current.sources.map((s) => [s.wasteType, s.quantity]),
    ],
  ];
  const found = pairs.filter(([, a, b]) => canonicalText(a) !== canonicalText(b)).map(([name]) => name);
  return found.length > 0 ? found : ['occurredAt'];
}

function correct({ data }: Extract<LoadCommand, { type: 'correct' }>, state: LoadState): Decision {
  if (!state.current) throw new CodedError('not-found', 'There is no such load.');
  if (state.voided) {
    throw new CodedError(
      'conflict',
      'This load is void; record what was discharged under a ticket of its own.',
    );
  }
  const occurred = { at: isoInstant(state.current.occurredMs) };
  return { events: [{ type: 'LoadCorrected', data, occurred, causedBy: state.contentEvent }] };
}

/** Judging again is worth an event only where the verdict on a clause changed. */
function judge({ findings, cause }: Extract<LoadCommand, { type: 'judge' }>, state: LoadState): Decision {
  if (sameVerdicts(findings, state.findings)) return ignore('every finding stands as it was');
  const stored: readonly StoredFinding[] = findings.map(storedFinding);
  const occurred = state.current && { occurred: { at: isoInstant(state.current.occurredMs) } };
  return {
    events: [{ type: 'LoadJudged', data: { findings: stored, cause }, ...occurred, causedBy: cause }],
  };
}

import {
  canonicalText,
  CodedError,
  ignore,
  isoInstant,
  type Decision,
  type Finding,
  type JsonValue,
} from '@headworks/kernel';
import {
  storedFinding,
  type LoadCorrected,
  type LoadDischarged,
  type Source,
  type StoredFinding,
} from '../events';
import type { ManifestSubmitted } from '../manifest/events';
import { sameVerdicts } from './judge-load';
import type { LoadState } from './load';

export type LoadCommand =
  | {
      readonly type: 'discharge';
      readonly data: Omit<LoadDischarged, 'findings'>;
      readonly findings: readonly Finding[];
    }
  | {
      readonly type: 'submit';
      readonly data: Omit<ManifestSubmitted, 'findings'>;
      readonly findings: readonly Finding[];
    }
  /** Where no permit's stream can say so: see ManifestRefused. */
  | { readonly type: 'refuse-asked'; readonly findings: readonly Finding[] }
  | { readonly type: 'correct'; readonly data: LoadCorrected }
  | { readonly type: 'judge'; readonly findings: readonly Finding[]; readonly cause: string };

export function decideLoad(command: LoadCommand, state: LoadState): Decision {
  switch (command.type) {
    case 'discharge':
      return discharge(command, state);
    case 'submit':
      return submit(command, state);
    case 'refuse-asked':
      return refuseAsked(command, state);
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
    throw ticketTaken(`another load; correct that one,`, state, differences(command.data, state));
  }
  return {
    events: [
      { type: 'LoadDischarged', data: { ...command.data, findings: command.findings.map(storedFinding) } },
    ],
  };
}

/** Tickets are unique to a hauler, over manifests and loads: the manifest's is its load's. */
function ticketTaken(by: string, state: LoadState, differs: readonly string[]): CodedError {
  const ticket = state.current?.ticket ?? state.manifest?.ticket;
  return new CodedError(
    'conflict',
    `Ticket '${ticket}' of this hauler stands for ${by} or send "distinct": true with a reason.`,
    [],
    { [state.current ? 'load' : 'manifest']: state.stream.slice('load-'.length), differs },
  );
}

function submit({ data, findings }: Extract<LoadCommand, { type: 'submit' }>, state: LoadState): Decision {
  const { manifest, current } = state;
  if (manifest) {
    if (manifest.content === data.content) return ignore('this manifest is submitted already');
    const { type, plannedMs, ...standing } = manifest;
    const before = { ...standing, manifest: type, plannedAt: isoInstant(plannedMs) };
    const names = ['pack', 'manifest', 'permitId', 'subject', 'vehicle', 'quantity', 'plannedAt', 'facts'];
    throw ticketTaken('another manifest; use a ticket of its own,', state, differing(names, data, before));
  }
  if (current) throw ticketTaken('a load that was discharged already; use a ticket of its own,', state, []);
  return {
    events: [{ type: 'ManifestSubmitted', data: { ...data, findings: findings.map(storedFinding) } }],
  };
}

/** It is refused where it was asked: the permit's stream is none that this hauler may have written into. */
function refuseAsked(
  { findings }: Extract<LoadCommand, { type: 'refuse-asked' }>,
  { manifest, current, stream }: LoadState,
): Decision {
  if (!manifest || manifest.refused || current) return ignore('it is answered already');
  const data = { manifest: stream.slice('load-'.length), findings: findings.map(storedFinding) };
  return { events: [{ type: 'ManifestRefused', data, causedBy: manifest.event }] };
}

function differences(data: Omit<LoadDischarged, 'findings'>, { current }: LoadState): readonly string[] {
  if (!current) return [];
  const { finishedMs, ...standing } = current;
  const before = { ...standing, finishedAt: finishedMs === undefined ? undefined : isoInstant(finishedMs) };
  const names = ['pack', 'load', 'permitId', 'manifestId', 'subject', 'vehicle', 'quantity', 'finishedAt'];
  const found = differing([...names, 'facts'], data, before);
  return found.length > 0 ? found : ['occurredAt'];
}

interface Compared {
  readonly sources: readonly Source[];
  readonly [name: string]: unknown;
}

/** Names of the members that are not the same; of the sources, what no person is known by. */
function differing(names: readonly string[], some: Compared, others: Compared): readonly string[] {
  const plain = (value: unknown): string => canonicalText((value ?? undefined) as JsonValue | undefined);
  const found = names.filter((name) => plain(some[name]) !== plain(others[name]));
  const shown = ({ sources }: Compared) =>
    sources.map((s) => [s.wasteType, { ...s.quantity }, s.place ? { ...s.place } : null]);
  return canonicalText(shown(some)) === canonicalText(shown(others)) ? found : [...found, 'sources'];
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

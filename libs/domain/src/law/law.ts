import { CodedError, type Decision, type DomainEvent, type RecordedEvent } from '@headworks/kernel';
import type { LawAdopted } from '../events';

/** The texts that a jurisdiction's log has adopted, by kind, id and version: the newest hash stands. */
export interface LawState {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly texts: ReadonlyMap<string, LawAdopted>;
  readonly commands: ReadonlyMap<string, number>;
}

export const newLaw = (stream: string): LawState => ({
  stream,
  revision: -1,
  lastRecordedAt: '',
  texts: new Map(),
  commands: new Map(),
});

export const textKey = (text: { kind: string; id: string; version: string }): string =>
  `${text.kind}|${text.id}|${text.version}`;

export function evolveLaw(state: LawState, event: RecordedEvent): LawState {
  const { recordedAt, commandId } = event.metadata;
  const next: LawState = {
    ...state,
    revision: event.revision,
    lastRecordedAt: recordedAt > state.lastRecordedAt ? recordedAt : state.lastRecordedAt,
    commands: new Map(state.commands).set(commandId, event.revision),
  };
  if (event.type !== 'LawAdopted') return next;
  const text = event.data as LawAdopted;
  return { ...next, texts: new Map(state.texts).set(textKey(text), text) };
}

/**
 * Adopts what the log does not have. A draft that changed is adopted again under its new hash; an adopted version
 * never changes.
 */
export function decideAdoption(files: readonly LawAdopted[], state: LawState): Decision {
  const events: DomainEvent[] = [];
  for (const file of files) {
    const standing = state.texts.get(textKey(file));
    if (standing?.sha256 === file.sha256) continue;
    if (standing?.status === 'adopted') {
      throw new CodedError(
        'law-not-adopted',
        `${file.kind} '${file.id}' version ${file.version} was adopted with another text; give the changed text a new version.`,
      );
    }
    events.push({ type: 'LawAdopted', data: file });
  }
  return events.length === 0 ? { events: [], ignored: 'every text is adopted' } : { events };
}

/** Texts of this process that the log has not adopted (it may have another one of the same version). */
export const notAdopted = (files: readonly LawAdopted[], state: LawState): readonly LawAdopted[] =>
  files.filter((file) => state.texts.get(textKey(file))?.sha256 !== file.sha256);

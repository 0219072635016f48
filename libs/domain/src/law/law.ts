import { occurredMs, type Whom } from '@headworks/calendars';
import { address, CodedError, type Decision, type DomainEvent, type RecordedEvent } from '@headworks/kernel';
import type { LawAdopted } from '../events';

/** An officer closed days that the calendar's own lists do not: a storm, a closure. */
export type CalendarAmended = {
  readonly calendar: string;
  readonly days: readonly {
    readonly date: string;
    readonly name: string;
    readonly closedFor: 'everyone' | readonly Whom[];
  }[];
  readonly reason: string;
  readonly evidence: string;
};

/** An officer takes back days that were closed by mistake: all that one event closed. */
export type ClosedDaysAnnulled = {
  readonly annuls: string;
  readonly calendar: string;
  readonly reason: string;
  readonly evidence: string;
};

/** What changed days of the calendars: by which event, since when, and where that stands in the log. */
export interface CalendarChange {
  readonly event: string;
  readonly ms: number;
  readonly position: string;
  /** Absent where another version of a text was adopted, which is loaded with the rules. */
  readonly amended?: CalendarAmended;
  /** The event whose days it takes back; that one stands before it in the log. */
  readonly annulled?: ClosedDaysAnnulled;
}

/** Days that are closed by the changes: whoever does not know yet that some were taken back still counts them. */
export function closedBy<C extends CalendarChange>(changes: readonly C[]): readonly C[] {
  const annulled = new Set(changes.map((change) => change.annulled?.annuls));
  return changes.filter(({ amended, event }) => amended !== undefined && !annulled.has(event));
}

/** The texts that a jurisdiction's log has adopted, by kind, id and version: the newest hash stands. */
export interface LawState {
  readonly stream: string;
  readonly revision: number;
  readonly lastRecordedAt: string;
  readonly texts: ReadonlyMap<string, LawAdopted>;
  readonly commands: ReadonlyMap<string, number>;
  /** In the order of recording. */
  readonly changes: readonly CalendarChange[];
}

export const newLaw = (stream: string): LawState => ({
  stream,
  revision: -1,
  lastRecordedAt: '',
  texts: new Map(),
  commands: new Map(),
  changes: [],
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
  const change = changeIn(state, event);
  const changed = change ? { ...next, changes: [...state.changes, change] } : next;
  if (event.type !== 'LawAdopted') return changed;
  const text = event.data as LawAdopted;
  return { ...changed, texts: new Map(state.texts).set(textKey(text), text) };
}

/** The first text of a calendar is what everything was counted by; what comes after it changes days. */
function changeIn({ texts }: LawState, event: RecordedEvent): CalendarChange | undefined {
  const { data, type, metadata, position } = event;
  const at = { event: address(event), ms: occurredMs(metadata.occurred), position };
  if (type === 'CalendarAmended') return { ...at, amended: data as CalendarAmended };
  if (type === 'ClosedDaysAnnulled') return { ...at, annulled: data as ClosedDaysAnnulled };
  if (type !== 'LawAdopted') return undefined;
  const { kind, id } = data as LawAdopted;
  const isAnother =
    kind === 'calendar' && [...texts.values()].some((one) => one.kind === kind && one.id === id);
  return isAnother ? at : undefined;
}

/** What each day says of itself, so that a day is closed once for each whom. */
export function decideAmendment(amended: CalendarAmended, state: LawState): Decision {
  const closed = (day: CalendarAmended['days'][number]): string => JSON.stringify([day.date, day.closedFor]);
  const standing = new Set(
    closedBy(state.changes).flatMap(({ amended: one }) =>
      one?.calendar === amended.calendar ? one.days.map(closed) : [],
    ),
  );
  const days = amended.days.filter((day) => !standing.has(closed(day)));
  if (days.length === 0) return { events: [], ignored: 'every day of it is closed already' };
  return { events: [{ type: 'CalendarAmended', data: { ...amended, days } }] };
}

/** Takes back what one event closed. It is no RecordedInError: until it was found, the day did count for everyone. */
export function decideClosedDaysAnnulment(
  { annuls, ...said }: Omit<ClosedDaysAnnulled, 'calendar'>,
  { changes }: LawState,
): Decision {
  const closed = changes.find(({ event, amended }) => event === annuls && amended !== undefined)?.amended;
  if (!closed) {
    throw new CodedError(
      'not-found',
      `No days of this jurisdiction were closed by '${annuls}'; name an event that its closed days list.`,
    );
  }
  const standing = changes.find(({ annulled }) => annulled?.annuls === annuls)?.event;
  if (standing !== undefined) {
    throw new CodedError(
      'conflict',
      `What ${annuls} closed was taken back by ${standing} already; close the days again if they are closed after all.`,
      [],
      { standing },
    );
  }
  const data: ClosedDaysAnnulled = { annuls, calendar: closed.calendar, ...said };
  return { events: [{ type: 'ClosedDaysAnnulled', data, causedBy: annuls }] };
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

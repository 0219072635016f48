import { isoInstant, type Due } from '@headworks/kernel';
import { storedDue } from '../events';
import type { Law } from '../pack-at';
import type { SubjectContext, SubjectDraft } from '../subject/context';
import { dutiesNamed } from './derive';
import type { DutyMoved } from './duty-events';
import { openEntry, type Duty } from './duty';
import { tellChanges } from './settle.decide';
import type { OpenDuty } from './state';
import type { SubjectState } from '../subject/subject';

/**
 * Moves what is open to where the calendars as they stand now put it, before anything is decided. A duty that was
 * decided is not open, so nothing here touches it.
 */
export function moveOpen(draft: SubjectDraft, { law }: Pick<SubjectContext, 'law'>): void {
  const { jurisdiction, openDuties } = draft.state;
  if (openDuties.size === 0 || jurisdiction === undefined) return;
  const change = law.calendarsChangedBy?.(jurisdiction);
  if (!change) return;
  const known = countedUnder(law);
  const open = [...openDuties.values()].filter((one) => one.dueAt !== null && !known.has(nameOf(one)));
  if (open.length === 0) return;
  for (const duty of dutiesNamed(
    draft.state,
    law,
    open.map((one) => one.duty),
  )) {
    const before = open.find((one) => one.duty === duty.duty);
    const { due } = duty.clock;
    if (!before || !due || due.at === before.dueAt) continue;
    draft.push({
      type: 'DutyMoved',
      data: movedData(duty, before, due, change),
      occurred: { at: isoInstant(change.ms) },
      causedBy: change.event,
      law: duty.pack.ref,
    });
    tellChanges(draft, { opened: [openEntry(duty)], closed: [] });
  }
  for (const one of draft.state.openDuties.values()) known.add(nameOf(one));
}

/** Whether calendars changed since anything of the thing was counted: what is open has to be looked at again. */
export const mayMove = ({ jurisdiction, openDuties }: SubjectState, { law }: SubjectContext): boolean =>
  openDuties.size > 0 && jurisdiction !== undefined && law.calendarsChangedBy?.(jurisdiction) !== undefined;

type Newest = { readonly event: string; readonly annulled?: object };

/** What took a day back is in no count, so it is named by itself: the days that are left moved nothing. */
function movedData({ duty, pack, clause }: Duty, before: OpenDuty, due: Due, newest: Newest): DutyMoved {
  const days = (due.derivation ?? []).flatMap(({ event }) => (event?.startsWith('law-') ? [event] : []));
  return {
    duty,
    pack: pack.ref.pack,
    clause: clause.id,
    from: { ...(before.dueOn !== undefined && { date: before.dueOn }), at: before.dueAt ?? '' },
    due: storedDue(due),
    by: days.length > 0 && !newest.annulled ? [...new Set(days)] : [newest.event],
  };
}

/** What was counted under a law already: a thing keeps its duties open for months, and is written to every day. */
const counted = new WeakMap<Law, Set<string>>();
const MOST = 100_000;

function countedUnder(law: Law): Set<string> {
  let known = counted.get(law);
  if (!known || known.size > MOST) counted.set(law, (known = new Set()));
  return known;
}

const nameOf = ({ duty, dueAt }: OpenDuty): string => `${duty}|${dueAt}`;

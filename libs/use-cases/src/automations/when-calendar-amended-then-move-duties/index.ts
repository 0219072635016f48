import type { DutyChanges } from '@headworks/domain';
import type { RecordedEvent } from '@headworks/kernel';
import { takeLaw } from '../../commands/amend-calendar';
import { settleSubject } from '../../commands/settle';
import type { Services } from '../../context';
import type { Automation } from '../automation';

const NAME = 'when-calendar-amended-then-move-duties';

/**
 * A day that was closed late, or taken back, moves what is open: every thing that owes something is settled, which moves its duties
 * first. Whatever this misses moves when anything happens to its thing, or when its old day comes.
 */
export const whenCalendarAmendedThenMoveDuties: Automation = {
  name: NAME,
  plan: ({ type, stream, revision, data }) => {
    const isNew = type === 'LawAdopted' && data['kind'] === 'calendar' && revision > 0;
    return type === 'CalendarAmended' || type === 'ClosedDaysAnnulled' || isNew ? [stream] : [];
  },
  run: async (services, work) => {
    // This process may see the event before its own book has it.
    await takeLaw(services, work.key);
    if (services.rules.calendarsChangedBy?.(work.jurisdiction) === undefined) return [];
    const moved: RecordedEvent[] = [];
    const owing = services.owing ?? ((jurisdiction: string) => owingInLog(services, jurisdiction));
    for (const stream of await owing(work.jurisdiction)) {
      moved.push(...(await settleSubject(services, stream)));
    }
    return moved;
  },
};

/** Streams that opened a duty at any time. */
async function owingInLog(services: Services, jurisdiction: string): Promise<readonly string[]> {
  const streams = new Set<string>();
  for await (const batch of services.store.readAll()) {
    for (const { stream, data, metadata } of batch) {
      const { opened = [] } = (data['duties'] as DutyChanges | undefined) ?? {};
      if (metadata.jurisdiction === jurisdiction && opened.length > 0) streams.add(stream);
    }
  }
  return [...streams];
}

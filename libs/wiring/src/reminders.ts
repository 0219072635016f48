import { Reminders, type Notifier, type RemindedDuty } from '@headworks/duties';
import { claimReminder, REMINDER_TRIES, reminderId, tellReminder, type Services } from '@headworks/use-cases';
import type { DutyFilter } from '@headworks/read-models';
import { mailNotifier } from './mail';
import type { ReminderConfig } from './reminder-config';
import type { ViewQueries } from './views';
import { webhookNotifier } from './webhook';

export interface ForReminders {
  readonly services: Services;
  readonly lists: Pick<ViewQueries, 'duties'>;
  readonly say: (sentence: string) => void;
}

/** Reminders as the operator has set them up. */
export function openReminders(
  { recipients, smtpUrl, mailFrom }: ReminderConfig,
  { services, lists, say }: ForReminders,
): Reminders {
  const { clock } = services;
  const notifiers: readonly Notifier[] = [
    webhookNotifier(() => new Date()),
    ...(smtpUrl !== undefined && mailFrom !== undefined ? [mailNotifier(smtpUrl, mailFrom)] : []),
  ];
  const all = async (filter: DutyFilter): Promise<readonly RemindedDuty[]> => {
    const found: RemindedDuty[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await lists.duties('*', clock.now(), filter, {
        limit: 500,
        ...(cursor !== undefined && { cursor }),
      });
      found.push(...page.items.flatMap(({ id, due, ...item }) => (due ? [{ ...item, duty: id, due }] : [])));
      cursor = page.next;
    }
    return found;
  };
  return new Reminders({
    port: {
      open: (pack, clause, dueBefore) => all({ status: ['open', 'contestable'], pack, clause, dueBefore }),
      missed: (pack, since) => all({ status: ['missed'], binds: 'office', pack, dueFrom: since }),
      claim: (stream, notice) => claimReminder(services, stream, notice),
      tell: (stream, notice, outcome) => tellReminder(services, stream, notice, outcome),
    },
    packs: () => services.rules.packs,
    ...{ recipients, notifiers, idOf: reminderId, tries: REMINDER_TRIES, now: () => clock.now(), say },
    isSandbox: clock.kind === 'virtual',
  });
}

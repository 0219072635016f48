import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readRecipients, type Recipients } from '@headworks/duties';

/** Whom reminders go to, and through what. */
export interface ReminderConfig {
  readonly recipients: Recipients;
  readonly smtpUrl?: string;
  readonly mailFrom?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of reminders; without recipients there are none. An address that is wrong is not repeated. */
export function readReminderConfig(env: Environment, faults: string[]): ReminderConfig | undefined {
  const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
  const file = set(env.HEADWORKS_RECIPIENTS);
  const smtpUrl = set(env.SMTP_URL);
  const mailFrom = set(env.MAIL_FROM);
  if (smtpUrl !== undefined && !/^smtps?:\/\/[^\s/]+/.test(smtpUrl))
    faults.push('SMTP_URL is no address of a mail server; write smtps://user:password@host:465.');
  if ((smtpUrl === undefined) !== (mailFrom === undefined))
    faults.push('SMTP_URL and MAIL_FROM go together; set both, or neither.');
  if (file === undefined) {
    if (smtpUrl !== undefined)
      faults.push('SMTP_URL is set without HEADWORKS_RECIPIENTS; name the file that says who is reminded.');
    return undefined;
  }
  const recipients = recipientsIn(file, faults);
  if (recipients?.channels.has('email') === true && smtpUrl === undefined)
    faults.push(
      `HEADWORKS_RECIPIENTS ('${file}') names e-mail addresses, but SMTP_URL and MAIL_FROM are not set.`,
    );
  if (!recipients) return undefined;
  return {
    recipients,
    ...(smtpUrl !== undefined && { smtpUrl }),
    ...(mailFrom !== undefined && { mailFrom }),
  };
}

function recipientsIn(file: string, faults: string[]): Recipients | undefined {
  const found: string[] = [];
  try {
    const raw: unknown = parse(readFileSync(file, 'utf8'));
    const recipients = readRecipients(raw, found);
    faults.push(...found.map((fault) => `HEADWORKS_RECIPIENTS ('${file}'): ${fault}`));
    return recipients;
  } catch (error) {
    const { code = 'it is no YAML or JSON' } = error as { readonly code?: string };
    faults.push(`HEADWORKS_RECIPIENTS ('${file}') can't be read (${code}); name a file that can.`);
    return undefined;
  }
}

import { createTransport } from 'nodemailer';
import type { Delivery, Notifier } from '@headworks/duties';

const PATIENCE_MS = 15_000;
/** Nobody took the connection: it did not go out. Of one that broke later the library does not say how far it came. */
const NEVER_CONNECTED = /^(connect E|Connection timeout|Greeting never received|getaddrinfo )/;

/** Reminders by e-mail, through the operator's server. */
export function mailNotifier(smtpUrl: string, from: string): Notifier {
  const patience = {
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  };
  const transport = createTransport({ url: smtpUrl, ...patience });
  return {
    channel: 'email',
    async send(to, { id, subject, text }) {
      if (to.channel !== 'email') return { is: 'failed', why: 'it is no e-mail address' };
      try {
        // The same Message-ID for every try: a mailbox that got two shows one.
        await transport.sendMail({
          from,
          to: to.address,
          subject,
          text,
          messageId: `<${id}@headworks.invalid>`,
        });
        return { is: 'sent' };
      } catch (error) {
        return deliveryOf(error as MailError);
      }
    },
  };
}

interface MailError {
  readonly code?: string;
  readonly message: string;
  readonly responseCode?: number;
}

/** The server's sentence may repeat the address, so its number alone is told. */
function deliveryOf({ code = 'no code', message, responseCode }: MailError): Delivery {
  const why = responseCode === undefined ? code : `${code}, answered ${responseCode}`;
  // The operator's own password is put right without giving a reminder up.
  if (code === 'EAUTH' || code === 'EDNS') return { is: 'again', why };
  if (responseCode !== undefined) return { is: responseCode >= 500 ? 'failed' : 'again', why };
  return { is: NEVER_CONNECTED.test(message) ? 'again' : 'unclear', why };
}

import type { Channel } from '@headworks/domain';

/** Where a reminder goes. Personal: it stands in the operator's file, and in no event, log line or job. */
export type Address =
  | { readonly channel: 'email'; readonly address: string }
  | { readonly channel: 'webhook'; readonly url: string; readonly secret: string };

/** What is sent: written when it is sent, of what stands then. */
export interface Message {
  /** The same for every try at one reminder, so that a receiver knows it again. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  /** For machines. */
  readonly data: Readonly<Record<string, string | boolean | null>>;
}

/**
 * What became of a message. `again`: it certainly did not arrive, and another try may do. `unclear`: it may have arrived,
 * so it is not sent again. `why` names no address.
 */
export type Delivery =
  { readonly is: 'sent' } | { readonly is: 'again' | 'failed' | 'unclear'; readonly why: string };

/** The notification port: one adapter a channel, chosen in wiring. */
export interface Notifier {
  readonly channel: Channel;
  send(to: Address, message: Message): Promise<Delivery>;
}

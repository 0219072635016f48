import { CHANNELS, type Channel } from '@headworks/domain';
import { isJsonObject, type JsonObject, type JsonValue } from '@headworks/kernel';
import type { Address } from './notifier';

export interface Recipient {
  readonly to: readonly Address[];
  /** The body that is told when this one is late. */
  readonly supervisor?: string;
}

/** Who is reminded, by jurisdiction: bodies of its packs, and the haulers and others who answer for duties. */
export interface Recipients {
  /** Those of a body, or of a holder written `kind key`. */
  of(jurisdiction: string, name: string): Recipient | undefined;
  readonly channels: ReadonlySet<Channel>;
}

export const NOBODY: Recipients = { of: () => undefined, channels: new Set() };

/**
 * Reads the operator's file: `jurisdiction: { bodies: { clerk: { to: [...], supervisor: board } }, holders: { "hauler 7":
 * { to: [...] } } }`, each of `to` an `email`, or a `webhook` with its `secret`. All faults at once, without addresses.
 */
export function readRecipients(raw: unknown, faults: string[]): Recipients {
  const found = new Map<string, Recipient>();
  if (!isJsonObject(raw)) {
    faults.push('It must name jurisdictions, each with bodies and holders.');
    return NOBODY;
  }
  for (const [jurisdiction, groups] of Object.entries(raw)) {
    for (const [group, named] of entriesOf(groups, jurisdiction, ['bodies', 'holders'], faults)) {
      const place = `${jurisdiction}.${group}`;
      for (const [name, one] of isJsonObject(named) ? Object.entries(named) : []) {
        const recipient = recipientOf(one, `${place}.${name}`, faults);
        found.set(`${jurisdiction}/${name}`, recipient);
        if (recipient.supervisor !== undefined && !isNamed(groups, recipient.supervisor))
          faults.push(`${place}.${name}: its supervisor '${recipient.supervisor}' is no body of the file.`);
      }
    }
  }
  const channels = new Set([...found.values()].flatMap(({ to }) => to.map(({ channel }) => channel)));
  return { of: (jurisdiction, name) => found.get(`${jurisdiction}/${name}`), channels };
}

const isNamed = (groups: JsonValue, body: string): boolean =>
  isJsonObject(groups) && isJsonObject(groups['bodies']) && body in groups['bodies'];

function entriesOf(
  raw: JsonValue | undefined,
  place: string,
  known: readonly string[],
  faults: string[],
): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(raw)) {
    faults.push(`${place}: write ${known.join(' and ')}.`);
    return [];
  }
  const strange = Object.keys(raw).filter((name) => !known.includes(name));
  for (const name of strange) faults.push(`${place}: '${name}' means nothing here; use ${known.join(', ')}.`);
  return Object.entries(raw).filter(([name]) => known.includes(name));
}

function recipientOf(raw: JsonValue, place: string, faults: string[]): Recipient {
  const members: JsonObject = Object.fromEntries(entriesOf(raw, place, ['to', 'supervisor'], faults));
  const { to, supervisor } = members;
  if (!Array.isArray(to)) faults.push(`${place}: 'to' is a list, each an email or a webhook.`);
  const list = Array.isArray(to) ? (to as readonly JsonValue[]) : [];
  const addresses = list.flatMap((one, index) => addressOf(one, `${place}.to.${index}`, faults) ?? []);
  return { to: addresses, ...(typeof supervisor === 'string' && { supervisor }) };
}

function addressOf(raw: JsonValue, place: string, faults: string[]): Address | undefined {
  const { email, webhook, secret } = Object.fromEntries(
    entriesOf(raw, place, ['email', 'webhook', 'secret'], faults),
  );
  if (typeof email === 'string' && webhook === undefined && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(email))
    return { channel: 'email', address: email };
  if (typeof webhook === 'string' && typeof secret === 'string' && email === undefined) {
    // 24 bytes at least, as Standard Webhooks ask.
    if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
      faults.push(`${place}: its secret must be whsec_ and at least 24 random bytes in base64.`);
    else if (isTrusted(webhook)) return { channel: 'webhook', url: webhook, secret };
    else faults.push(`${place}: a webhook is an https address (http on the loopback alone).`);
    return undefined;
  }
  faults.push(
    `${place}: write { ${CHANNELS[0]}: ... }, or { ${CHANNELS[1]}: https://..., secret: whsec_... }.`,
  );
  return undefined;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isTrusted(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

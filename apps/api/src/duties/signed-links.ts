import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyStore } from '@headworks/event-store';
import type { Caller } from '@headworks/use-cases';

/** What a link is of, and as whom it looks: it sees what its maker saw, until it ends or the maker's key is revoked. */
export interface Linked {
  readonly caller: Caller;
  readonly jurisdiction: string;
  readonly who?: string;
  readonly stream?: string;
  readonly expiresMs: number;
}

/** What is signed: short names, since all of it stands in an address. */
interface Signed {
  readonly v: 1;
  readonly c: Caller;
  readonly j: string;
  readonly w?: string;
  readonly s?: string;
  readonly e: number;
}

/** The key is derived from the secret of the keys' own store: it is kept with the API keys, and apart from the log. */
async function keyOf(keys: KeyStore): Promise<Buffer> {
  const secret = await keys.personSecret();
  return Buffer.from(hkdfSync('sha256', secret, '', 'headworks duty calendar links v1', 32));
}

const signatureOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export async function signLink(keys: KeyStore, linked: Linked): Promise<string> {
  const { caller, jurisdiction, who, stream, expiresMs } = linked;
  const { id, roles, jurisdictions, holds } = caller;
  const signed: Signed = {
    v: 1,
    c: { id, roles, jurisdictions, ...(holds && { holds }) },
    j: jurisdiction,
    ...(who !== undefined && { w: who }),
    ...(stream !== undefined && { s: stream }),
    e: expiresMs,
  };
  const text = Buffer.from(JSON.stringify(signed)).toString('base64url');
  return `${text}.${signatureOf(await keyOf(keys), text).toString('base64url')}`;
}

/** What the link says, where this server signed it; it may have ended all the same. */
export async function readLink(keys: KeyStore, link: string): Promise<Linked | undefined> {
  const [text = '', signature = ''] = link.split('.', 2);
  const [given, wanted] = [Buffer.from(signature, 'base64url'), signatureOf(await keyOf(keys), text)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const { c, j, w, s, e } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Signed;
  return {
    caller: c,
    jurisdiction: j,
    expiresMs: e,
    ...(w !== undefined && { who: w }),
    ...(s !== undefined && { stream: s }),
  };
}

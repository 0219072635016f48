import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
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

interface Keys {
  readonly sign: Buffer;
  readonly seal: Buffer;
}

/** Both keys are derived from the secret of the keys' own store: kept with the API keys, and apart from the log. */
async function keysOf(keys: KeyStore): Promise<Keys> {
  const secret = await keys.personSecret();
  const derived = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `headworks duty calendar links v1, ${use}`, 32));
  return { sign: derived('sign'), seal: derived('seal') };
}

const signatureOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const IV = 12;
const TAG = 16;

/** An address stands in histories and logs of others: whom its maker acts for is not to be read in it. */
function sealed(key: Buffer, text: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function opened(key: Buffer, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV));
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}

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
  const { sign, seal } = await keysOf(keys);
  const text = sealed(seal, JSON.stringify(signed)).toString('base64url');
  return `${text}.${signatureOf(sign, text).toString('base64url')}`;
}

/** What the link says, where this server signed it; it may have ended all the same. */
export async function readLink(keys: KeyStore, link: string): Promise<Linked | undefined> {
  const [text = '', signature = ''] = link.split('.', 2);
  const { sign, seal } = await keysOf(keys);
  const [given, wanted] = [Buffer.from(signature, 'base64url'), signatureOf(sign, text)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const { c, j, w, s, e } = JSON.parse(opened(seal, Buffer.from(text, 'base64url'))) as Signed;
  return {
    caller: c,
    jurisdiction: j,
    expiresMs: e,
    ...(w !== undefined && { who: w }),
    ...(s !== undefined && { stream: s }),
  };
}

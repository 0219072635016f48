import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import type { GenerateKeyPairResult, JWTPayload } from 'jose';

export interface TokenOptions {
  readonly issuer?: string;
  readonly audience?: string | readonly string[];
  /** Seconds from now at which it ends, and from which it is good; null leaves the claim out. */
  readonly ends?: number | null;
  readonly begins?: number;
  readonly alg?: Algorithm;
  /** Names a key without being signed by one of the issuer's. */
  readonly kid?: string;
  /** Signed by a key that the issuer never had, under the name of its own. */
  readonly stranger?: boolean;
}

export type Algorithm = 'RS256' | 'ES256';

interface Pair extends GenerateKeyPairResult {
  readonly kid: string;
  readonly alg: Algorithm;
}

/** What the issuer does instead of answering. */
export type Mood = 'well' | 'away' | 'redirects' | 'lies' | 'speaks-no-json' | 'talks-too-much';

/**
 * An issuer of OpenID Connect over real HTTP: discovery, keys that rotate, tokens. It counts who asks, so that a test
 * sees what is kept and what is looked up again.
 */
export class OidcIssuer {
  readonly audience = 'headworks';
  mood: Mood = 'well';
  discoveries = 0;
  lookUps = 0;
  /** Made when one is first asked for: a pair of RSA takes its time. */
  private pairs = new Map<Algorithm, Promise<Pair>>();
  private rotations = 0;
  private server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<OidcIssuer> {
    const issuer = new OidcIssuer();
    issuer.server.listen(0, '127.0.0.1');
    await once(issuer.server, 'listening');
    return issuer;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** New keys; the old ones are no more. */
  rotate(): void {
    this.rotations++;
    this.pairs = new Map();
  }

  private pairOf(alg: Algorithm): Promise<Pair> {
    const pair = this.pairs.get(alg) ?? newPair(alg, `${alg}-${this.rotations}`);
    this.pairs.set(alg, pair);
    return pair;
  }

  /** Settings of Headworks that name this issuer. */
  get env(): Readonly<Record<string, string>> {
    return { OIDC_ISSUER: this.url, OIDC_AUDIENCE: this.audience };
  }

  async token(claims: JWTPayload, options: TokenOptions = {}): Promise<string> {
    const { alg = 'ES256', stranger = false } = options;
    const own = await this.pairOf(alg);
    const pair = stranger ? await newPair(alg, '') : own;
    const header = { alg, kid: options.kid ?? own.kid, typ: 'at+jwt' };
    return new SignJWT(this.claims(claims, options)).setProtectedHeader(header).sign(pair.privateKey);
  }

  /** As a forger makes them: without a signature, or with the public key as if it were a shared secret. */
  async forged(how: 'none' | 'HS256', claims: JWTPayload): Promise<string> {
    const payload = this.claims(claims, {});
    if (how === 'none') return new UnsecuredJWT(payload).encode();
    const own = await this.pairOf('RS256');
    const secret = new TextEncoder().encode(await exportSPKI(own.publicKey));
    return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: own.kid }).sign(secret);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private claims(claims: JWTPayload, options: TokenOptions): JWTPayload {
    const now = Math.floor(Date.now() / 1_000);
    const { issuer = this.url, audience = this.audience, ends = 300, begins } = options;
    return {
      iss: issuer,
      aud: audience as string | string[],
      sub: 'subject-1',
      iat: now,
      ...(ends !== null && { exp: now + ends }),
      ...(begins !== undefined && { nbf: now + begins }),
      ...claims,
    };
  }

  private async answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isDiscovery = url === '/.well-known/openid-configuration';
    if (isDiscovery) this.discoveries++;
    else if (url === '/keys') this.lookUps++;
    const send = (status: number, body: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    switch (this.mood) {
      case 'away':
        response.destroy();
        return;
      case 'redirects':
        return send(302, '', { location: `${this.url}/elsewhere` });
      case 'speaks-no-json':
        return send(200, '<html>');
      case 'talks-too-much':
        return send(200, JSON.stringify({ issuer: this.url, filler: 'x'.repeat(600 * 1024) }));
      case 'lies':
        return send(200, { issuer: 'https://someone.else', jwks_uri: `${this.url}/keys` });
      case 'well':
        if (isDiscovery) return send(200, { issuer: this.url, jwks_uri: `${this.url}/keys` });
        if (url === '/keys') return send(200, { keys: await this.published() });
        return send(404, {});
    }
  }

  private async published(): Promise<readonly object[]> {
    return Promise.all(
      (await Promise.all(this.pairs.values())).map(async ({ publicKey, kid, alg }) => {
        return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
      }),
    );
  }
}

async function newPair(alg: Algorithm, kid: string): Promise<Pair> {
  return { kid, alg, ...(await generateKeyPair(alg, { extractable: true })) };
}

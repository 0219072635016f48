import { isHolderAlone, type Caller } from '@headworks/use-cases';
import { HttpProblem } from '../http/problems';
import type { ApiKeys } from './api-keys';
import type { Tokens } from './oidc/tokens';

/** `hw_` begins a key of ours; a token of OIDC never does: it begins with the JSON of its header. */
const TOKEN = /^Bearer ([\w-]+\.[\w-]*\.[\w-]*)$/i;

/** Who asks, by what stands in the header Authorization: an API key, or a token where an issuer is set. */
export class Credentials {
  constructor(
    private readonly keys: ApiKeys,
    private readonly tokens?: Tokens,
  ) {}

  /** Undefined where there is no credential that is known; throws where one says what is wrong with it. */
  async find(authorization: string | undefined): Promise<Caller | undefined> {
    const token = TOKEN.exec(authorization ?? '')?.[1];
    const caller =
      token !== undefined && this.tokens
        ? await this.tokens.find(token)
        : await this.keys.find(authorization);
    if (caller) mustHoldSomething(caller);
    return caller;
  }
}

function mustHoldSomething(caller: Caller): void {
  if (!isHolderAlone(caller) || (caller.holds ?? []).length > 0) return;
  throw new HttpProblem(
    'forbidden',
    'A holder acts for what it holds, and this credential names nothing; make the key anew with --holder, or have the token name it.',
  );
}

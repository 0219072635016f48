import { isJsonObject, type JsonObject, type JsonValue } from '@headworks/kernel';
import type { LookUp, Mapping } from './mapping';
import type { Call } from './requests';
import type { RowFault } from './row';
import { detailOf, type Server } from './server';
import { plain } from './plain';

/** Fills in what the server knows of a row: the permit that it stands under, the manifest that asked for it. */
export class LookUps {
  private readonly permits = new Map<string, Promise<readonly JsonObject[]>>();

  constructor(
    private readonly server: Server,
    private readonly mapping: Mapping,
  ) {}

  async complete(call: Call): Promise<Call | RowFault> {
    let { body } = call;
    for (const lookUp of this.mapping.lookUps) {
      const found = await this.find(lookUp, call);
      if (typeof found !== 'string') {
        if (!lookUp.optional) return { place: call.place, ...found };
      } else body = { ...body, [lookUp.member]: found };
    }
    return { ...call, body };
  }

  /** Whether a manifest of the row's hauler and ticket is on record, however it stands. */
  async isAsked({ body }: Call): Promise<boolean> {
    const { hauler } = body;
    return isJsonObject(hauler) && (await this.manifestsOf(hauler, body['ticket'])).length > 0;
  }

  private manifestsOf(hauler: JsonObject, ticket: JsonValue | undefined): Promise<readonly JsonObject[]> {
    const of = `haulerKind=${word(hauler['kind'])}&haulerKey=${word(hauler['key'])}`;
    return this.list(`/manifests?${of}&ticket=${word(ticket)}`);
  }

  private async find(
    { what, permitType = '' }: LookUp,
    call: Call,
  ): Promise<string | { readonly why: string }> {
    const { body, name, on } = call;
    const hauler = body['hauler'];
    if (!isJsonObject(hauler)) return { why: `without a hauler no ${what} can be looked up; map 'hauler'` };
    if (what === 'manifest') {
      const [found] = (await this.manifestsOf(hauler, body['ticket'])).filter(
        ({ status }) => status !== 'refused' && status !== 'withdrawn',
      );
      return found
        ? plain(found['id'])
        : { why: `${name} has no manifest that stands; import the manifests first` };
    }
    const asked = `/permits?pack=${word(body['pack'])}&permitType=${word(permitType)}&holderKind=${word(hauler['kind'])}&holderKey=${word(hauler['key'])}`;
    const known = this.permits.get(asked) ?? this.list(asked);
    this.permits.set(asked, known);
    const valid = (await known).filter(({ valid: days }) => isWithin(days, on));
    const [permit, other] = valid;
    if (permit && !other) return plain(permit['id']);
    const how = permit ? 'more than one permit' : 'no permit';
    return {
      why: `${plain(hauler['kind'])} ${plain(hauler['key'])} has ${how} (${permitType}) on ${on}; see GET /v1${asked}`,
    };
  }

  private async list(path: string): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    let cursor: JsonValue = null;
    do {
      const page: string = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { status, body } = await this.server.call('GET', `${path}&limit=500${page}`);
      if (status !== 200) throw new Error(`GET /v1${path} answered ${status}: ${detailOf(body)}`);
      items.push(...(body['items'] as readonly JsonObject[]));
      cursor = body['next'] ?? null;
    } while (typeof cursor === 'string');
    return items;
  }
}

const word = (value: JsonValue | undefined): string => encodeURIComponent(plain(value ?? ''));

/** A permit without a last day is valid until somebody ends it. */
function isWithin(days: JsonValue | undefined, on: string): boolean {
  if (!isJsonObject(days) || on < plain(days['from'])) return false;
  return days['until'] === null || on <= plain(days['until']);
}

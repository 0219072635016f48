import type { Papers, Source, ThingRef } from '@headworks/domain';
import {
  isoInstant,
  isUuid,
  nearest,
  normaliseKey,
  parseInstant,
  parseQuantity,
  quantityJson,
  type Fault,
  type JsonValue,
  type QuantityJson,
} from '@headworks/kernel';
import type { GiveSource, Pack, SourcesDef } from '@headworks/rules-engine';
import type { Request, Timing } from '../context';

/** One of the places that a load comes from, as it is sent. */
export interface SourceBody {
  readonly wasteType: string;
  readonly quantity: unknown;
  readonly servicedAt?: string;
  /** A registered thing that stands for the place, where the pack asks for one. */
  readonly place?: ThingRef;
  readonly location?: JsonValue;
  readonly generator?: JsonValue;
}

/** What the definitions of loads and manifests have in common for what is sent with them. */
export interface SentDef {
  readonly gives: Readonly<Record<string, GiveSource>>;
  readonly sources?: SourcesDef;
}

export const keyOf = ({ kind, key }: ThingRef): string => `${kind}|${normaliseKey(key)}`;

export function amount(input: unknown, pointer: string, faults: Fault[]): QuantityJson | undefined {
  const parsed = parseQuantity(input);
  if (!parsed.ok) {
    faults.push({
      pointer,
      code: 'no-quantity',
      detail: parsed.why,
      ...(parsed.hint !== undefined && { hint: parsed.hint }),
    });
    return undefined;
  }
  if (parsed.value.kind !== 'volume' && parsed.value.kind !== 'mass') {
    faults.push({
      pointer,
      code: 'wrong-kind-of-quantity',
      detail: `A load is a volume or a mass, not a ${parsed.value.kind} (${parsed.value.unit}).`,
      hint: 'use gal, cuyd, lb or ton',
    });
    return undefined;
  }
  if (parsed.value.base.n <= 0n) {
    faults.push({ pointer, code: 'not-positive', detail: 'The quantity of a load is more than zero.' });
    return undefined;
  }
  return quantityJson(parsed.value);
}

export function finished(
  text: string | undefined,
  time: Timing,
  request: Request,
  faults: Fault[],
): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parseInstant(text);
  const fault = (code: string, detail: string) => void faults.push({ pointer: '/finishedAt', code, detail });
  if ('why' in parsed) fault('no-instant', parsed.why);
  else if (parsed.ms < time.ms) fault('ends-before-start', 'finishedAt is before occurredAt.');
  else if (parsed.ms > request.receivedMs) fault('in-the-future', 'finishedAt is later than now.');
  else return isoInstant(parsed.ms);
  return undefined;
}

export function checkSources(
  pack: Pack,
  def: SentDef | undefined,
  sources: readonly SourceBody[],
  faults: Fault[],
): readonly Source[] {
  const words = def && wasteWords(pack, def);
  return sources.map((source, index) => {
    const { wasteType, place } = source;
    const pointer = `/sources/${index}`;
    if (words && !words.includes(wasteType)) {
      const meant = nearest(wasteType, words);
      const detail = `'${wasteType}' is no kind of waste that '${pack.ref.pack}' knows.`;
      const hint = meant === undefined ? `use one of ${words.join(', ')}` : `did you mean '${meant}'?`;
      faults.push({ pointer: `${pointer}/wasteType`, code: 'unknown-waste-type', detail, hint });
    }
    if (place && def?.sources && place.kind !== def.sources.kind) {
      const detail = `It comes from a ${def.sources.kind}, not from a '${place.kind}'.`;
      faults.push({ pointer: `${pointer}/place/kind`, code: 'wrong-kind', detail });
    }
    return checkedSource(source, pointer, faults);
  });
}

/** Words of the set that the sources' kinds of waste fill, where the pack has such a one and lists them. */
function wasteWords(pack: Pack, { gives }: SentDef): readonly string[] | undefined {
  const filled = Object.entries(gives).find(([, source]) => source === 'waste_types');
  return filled && pack.facts.get(filled[0])?.of;
}

function checkedSource(source: SourceBody, pointer: string, faults: Fault[]): Source {
  const quantity = amount(source.quantity, `${pointer}/quantity`, faults);
  let servicedAt: string | undefined;
  if (source.servicedAt !== undefined) {
    const parsed = parseInstant(source.servicedAt);
    if ('why' in parsed) {
      faults.push({ pointer: `${pointer}/servicedAt`, code: 'no-instant', detail: parsed.why });
    } else servicedAt = isoInstant(parsed.ms);
  }
  const { place, location, generator, wasteType } = source;
  return {
    wasteType,
    quantity: quantity ?? { value: '0', unit: 'gal' },
    ...(servicedAt !== undefined && { servicedAt }),
    ...(place && { place: { kind: place.kind, key: place.key } }),
    ...(location !== undefined && { location }),
    ...(generator !== undefined && { generator }),
  };
}

/** What of the sources tells one content from another: nothing personal, for that is sealed and may be erased. */
export const comparable = (sources: readonly Source[]): unknown =>
  sources.map(({ wasteType, quantity: q, servicedAt, place }) => ({
    ...{ wasteType, q, servicedAt },
    ...(place && { place: keyOf(place) }),
  }));

const PAPERS: readonly GiveSource[] = ['signed', 'generators_named', 'locations_named'];

/** What was said in fields that the log seals, noted before they are sealed; only where the pack asks for it. */
export function papersOf(
  { gives }: SentDef,
  body: { readonly signedBy?: string; readonly sources?: readonly SourceBody[] },
): { papers?: Papers } {
  if (!Object.values(gives).some((source) => PAPERS.includes(source))) return {};
  const { signedBy = '', sources = [] } = body;
  const all = (said: (source: SourceBody) => boolean) => sources.length > 0 && sources.every(said);
  const papers: Papers = {
    signed: signedBy.trim() !== '',
    generatorsNamed: all(({ generator }) => saysText(generator, 'name') && saysText(generator, 'address')),
    locationsNamed: all(({ location }) => isSaid(location)),
  };
  return { papers };
}

const saysText = (value: JsonValue | undefined, member: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  isSaid((value as Readonly<Record<string, JsonValue>>)[member]);

const isSaid = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;

/** Ids that are sent as names of a permit or a manifest. */
export function checkId(id: string | undefined, pointer: string, faults: Fault[]): void {
  if (id === undefined || isUuid(id)) return;
  const detail = `'${id}' is no id.`;
  faults.push({ pointer, code: 'no-id', detail, hint: 'send the id that the answer to it gave' });
}

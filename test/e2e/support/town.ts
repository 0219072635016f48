import { PACK, TOWN, type Answered, type Api, type Json } from './api';

/** What the Town has found and recorded of a site where nothing stands against spreading. */
const IN_ORDER: readonly (readonly [act: string, facts: Json])[] = [
  ['record_state_permit', { state_permit_number: 'WI-1', state_permit_holders: ['H-1'] }],
  ['find_compliance', { complies_with_other_law: true }],
  ['find_contamination', { contamination_risk: false }],
  ['find_hazard', { soil_health_hazard: false }],
  ['find_nuisance', { nuisance: false }],
  ['find_harm', { land_treatment_harm: false }],
  ['find_benefit', { beneficial_properties: true }],
];

export const GOOD_LOAD_FACTS: Json = {
  waste_type: 'dairy',
  form: 'wet',
  total_solids: '3 %',
  spread_area: '5 acre',
  distance_to_residence: '640 ft',
  distance_to_community_well: '1200 ft',
  distance_to_drainageway: '700 ft',
  distance_to_private_well: '700 ft',
  distance_to_waterway: '700 ft',
  frost_depth: '0 in',
  saturated: false,
};

export const HAULER = { kind: 'hauler', key: 'H-1' };
export const LATE = { reason: 'entered from the paper log', evidence: 'log sheet 7' };

let tickets = 0;

/** A load that breaks nothing. */
export const load = (site: string, occurredAt: string, more: Json = {}): Json => ({
  pack: PACK,
  load: 'spreading',
  subject: { kind: 'site', key: site },
  hauler: HAULER,
  ticket: `S-${++tickets}`,
  occurredAt,
  quantity: { value: '2500', unit: 'gal' },
  facts: GOOD_LOAD_FACTS,
  ...more,
});

export const factsWith = (more: Json): Json => ({ ...GOOD_LOAD_FACTS, ...more });

/** A site of which only its area is known. */
export async function registerSite(api: Api, key: string): Promise<string> {
  const body = { jurisdiction: TOWN, key, facts: { site_area: '40 acre' } };
  return idOf(expectStatus(await api.post('/v1/subjects/site', body), 201));
}

/** A site where everything is found in order: what a test then sees, it brought about itself. */
export async function siteInOrder(api: Api, key: string): Promise<string> {
  const site = await registerSite(api, key);
  for (const [name, facts] of IN_ORDER) {
    expectStatus(await act(api, site, name, { facts }), 201);
  }
  return site;
}

export const act = (api: Api, site: string, name: string, body: Json = {}, path = ''): Promise<Answered> =>
  api.post(`/v1/subjects/site/${site}/acts/${name}${path}`, { pack: PACK, ...body });

export const idOf = ({ body }: Answered): string => String(body['id']);

export function expectStatus(answered: Answered, status: number): Answered {
  if (answered.status !== status) {
    throw new Error(`expected ${status}, but: ${answered.status} ${answered.text.slice(0, 2_000)}`);
  }
  return answered;
}

export interface ShownFinding {
  readonly clause: string;
  readonly status: string;
  readonly cite: string;
  readonly missing: readonly string[];
  readonly margin?: { readonly value: string; readonly unit: string };
  readonly text: string;
}

export const findingsOf = ({ body }: Answered): readonly ShownFinding[] =>
  (body['findings'] ?? []) as readonly ShownFinding[];

/** Clauses of a status, in order. */
export const clausesThat = (answered: Answered, status: string): readonly string[] =>
  findingsOf(answered)
    .filter((finding) => finding.status === status)
    .map(({ clause }) => clause);

export const itemsOf = ({ body }: Answered): readonly Json[] => body['items'] as readonly Json[];
export const eventsOf = ({ body }: Answered): readonly Json[] => body['events'] as readonly Json[];
export const typesOf = (answered: Answered): readonly unknown[] => eventsOf(answered).map(({ type }) => type);

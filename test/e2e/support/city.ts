import type { Answered, Api, Json } from './api';
import { expectStatus, idOf } from './town';

export const CITY = 'wi-lodi-city';
export const CITY_PACK = 'lodi-onsite-waste';
export const DISPOSER = { kind: 'hauler', key: '12345' };
export const OTHER_DISPOSER = { kind: 'hauler', key: '67890' };
export const PLANT = { kind: 'plant', key: 'main' };

/** Before September 1: in time for the next year. */
export const FILED_AT = '2026-08-14T09:10:00-05:00';

const FORM: Json = {
  on_prescribed_form: true,
  waste_types: ['septage'],
  discharge_frequency: 'weekly',
  annual_volume: '400000 gal',
  waste_quality: 'domestic',
  waste_locations: 'households of the Town of Lodi',
  application_attested: true,
  meets_pretreatment_standards: true,
  contains_hazardous_waste: false,
  contains_incompatible_pollutants: false,
  indemnity_agreed: true,
  license_number: '12345',
  license_valid_until: '2027-12-31',
};

const PLAN: Json = {
  annual_volume: '350000 gal',
  waste_types: ['septage'],
  plan_locations: 'the plant',
  plan_times: 'working days',
  plan_methods: 'by hose into the pit',
};

export interface Staff {
  readonly clerk: string;
  readonly officer: string;
  readonly holder: string;
  readonly otherHolder: string;
  readonly reader: string;
}

/** A key of each, all of the City. */
export async function staffOf(api: Api): Promise<Staff> {
  const of = (role: string, holds: readonly { kind: string; key: string }[] = []) =>
    api.keyOf([role], [CITY], holds);
  return {
    clerk: await of('clerk'),
    officer: await of('officer'),
    holder: await of('holder', [DISPOSER]),
    otherHolder: await of('holder', [OTHER_DISPOSER]),
    reader: await of('reader'),
  };
}

export const application = (more: Json = {}): Json => ({
  pack: CITY_PACK,
  permitType: 'disposal',
  applicant: DISPOSER,
  facts: FORM,
  ...more,
});

export const formWith = (more: Json): Json => ({ ...FORM, ...more });
export const planWith = (more: Json): Json => ({ ...PLAN, ...more });

/** An application that is on file, with all that stands against nothing. */
export async function applied(api: Api, key: string, more: Json = {}): Promise<string> {
  return idOf(expectStatus(await api.post('/v1/applications', application(more), { key }), 201));
}

export const decide = (api: Api, key: string, id: string, decision: string, body: Json): Promise<Answered> =>
  api.post(`/v1/applications/${id}/${decision}`, body, { key });

/** From the application to the permit: seen, complete, approved with its plan, issued. */
export async function issuedPermit(api: Api, staff: Staff, more: Json = {}): Promise<string> {
  const id = await applied(api, staff.holder, more);
  const found: readonly (readonly [string, string, Json])[] = [
    [staff.clerk, 'confirm_license', { license_confirmed: true, license_valid_until: '2027-12-31' }],
    [staff.officer, 'judge_certificate', { certificate_adequate: true, certificate_gives_notice: true }],
  ];
  for (const [key, act, facts] of found) {
    const body = { pack: CITY_PACK, facts };
    expectStatus(await api.post(`/v1/permits/${id}/acts/${act}`, body, { key }), 201);
  }
  expectStatus(await decide(api, staff.clerk, id, 'completion', {}), 201);
  const approval = { reason: 'in order', sets: PLAN };
  expectStatus(await decide(api, staff.officer, id, 'approval', approval), 201);
  return id;
}

let tickets = 0;

/** A place in the service area that waste is taken from; nobody judged it before `placeJudged`. */
export const PLACE = { kind: 'premises', key: 'N123 County Road J' };

const DECLARED: Json = {
  discharge_place: 'treatment_plant',
  contains_hazardous_waste: false,
  contains_incompatible_pollutants: false,
  meets_pretreatment_standards: true,
};

const SOURCE: Json = {
  wasteType: 'septage',
  quantity: { value: '2500', unit: 'gal' },
  servicedAt: '2026-08-14T07:40:00-05:00',
  place: PLACE,
  location: 'N123 County Road J',
  generator: { name: 'A. Farmer', address: 'N123 County Road J', phone: '608-555-0100' },
};

/** Asks for a load of the disposer's, with all that the documentation needs. */
export const manifestBody = (permitId: string, plannedAt: string, more: Json = {}): Json => ({
  pack: CITY_PACK,
  permitId,
  subject: PLANT,
  hauler: DISPOSER,
  vehicle: { kind: 'vehicle', key: 'LP-8841' },
  ticket: `M-${++tickets}`,
  plannedAt,
  quantity: { value: '2500', unit: 'gal' },
  sources: [SOURCE],
  signedBy: 'B. Driver',
  facts: DECLARED,
  ...more,
});

/** The City's plant, a truck, a confirmed disposer and a place that nobody judged yet. */
export async function cityInOrder(
  api: Api,
  { clerk }: Staff,
): Promise<{ readonly plant: string; readonly place: string }> {
  const register = async (kind: string, key: string, facts: Json): Promise<string> => {
    const body = { jurisdiction: CITY, key, facts };
    return idOf(expectStatus(await api.post(`/v1/subjects/${kind}`, body, { key: clerk }), 201));
  };
  const plant = await register('plant', PLANT.key, { employee_holidays: [] });
  await register('vehicle', 'LP-8841', { tank_capacity: '3000 gal' });
  for (const { key } of [DISPOSER, OTHER_DISPOSER]) {
    const hauler = await register('hauler', key, {});
    const confirmed = `/v1/subjects/hauler/${hauler}/acts/confirm_disposer`;
    expectStatus(await api.post(confirmed, { pack: CITY_PACK }, { key: clerk }), 201);
  }
  return { plant, place: await register('premises', PLACE.key, {}) };
}

/** The place is in the service area: with it, nothing is missing any more. */
export async function placeJudged(api: Api, { officer }: Staff, place: string): Promise<void> {
  for (const [act, facts] of [
    ['judge_area', { in_service_area: true }],
    ['rank_premises', { priority: 'first' }],
  ] as const) {
    const body = { pack: CITY_PACK, facts };
    expectStatus(await api.post(`/v1/subjects/premises/${place}/acts/${act}`, body, { key: officer }), 201);
  }
}

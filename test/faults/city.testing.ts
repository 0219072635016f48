import type { QuantityJson, RecordedEvent } from '@headworks/kernel';
import { gallonsOf } from './manifest-log.testing';
import type { Running } from './program.testing';
import type { WatchedBar, WatchedLaw } from './watched-law.testing';

type Json = Readonly<Record<string, unknown>>;

export const CITY = 'wi-lodi-city';
export const PACK = 'lodi-onsite-waste';
const PLANT = { kind: 'plant', key: 'main' };
const TRUCK = { kind: 'vehicle', key: 'LP-8841' };
const FARMHOUSE = { kind: 'premises', key: 'farmhouse' };

/** A Tuesday in January, before the plant opens. */
export const MORNING = '2027-01-12T14:00:00.000Z';
/** When the trucks are planned: 1 p.m. in Lodi. Their leave ends with the day. */
export const PLANNED = '2027-01-12T19:00:00.000Z';
export const AFTERNOON = '2027-01-12T19:10:00.000Z';
export const NEXT_DAY = '2027-01-13T14:00:00.000Z';

/** What a race is held for: the plant, and each hauler's permit with a plan of so many gallons. */
export interface Stage {
  readonly plant: string;
  /** By the hauler's number. */
  readonly permits: Readonly<Record<string, string>>;
}

const FORM: Json = {
  on_prescribed_form: true,
  waste_types: ['septage', 'holding_tank_waste'],
  discharge_frequency: 'daily',
  annual_volume: '900000 gal',
  waste_quality: 'residential',
  waste_locations: 'the Town',
  application_attested: true,
  meets_pretreatment_standards: true,
  contains_hazardous_waste: false,
  contains_incompatible_pollutants: false,
  indemnity_agreed: true,
  license_number: '4711',
  license_valid_until: '2028-06-30',
};

/** Sends what must be recorded; anything else that is answered ends the test. */
async function post(running: Running, path: string, body: Json): Promise<string> {
  const { status, body: answered } = await running.call('POST', path, body);
  if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(answered)}`);
  return String(answered['id']);
}

export async function moveClock(running: Running, now: string): Promise<void> {
  const { status, body } = await running.call('PUT', '/sandbox/clock', { now });
  if (status !== 200) throw new Error(`The clock did not move: ${status} ${JSON.stringify(body)}`);
}

const register = (running: Running, { kind, key }: typeof PLANT, facts: Json): Promise<string> =>
  post(running, `/subjects/${kind}`, { jurisdiction: CITY, key, facts });

const act = (running: Running, on: string, name: string, facts: Json = {}): Promise<string> =>
  post(running, `${on}/acts/${name}`, { pack: PACK, facts });

/** The City as it stands on the morning of the race; a plan (in gallons) for each hauler. */
export async function setStage(running: Running, plans: Readonly<Record<string, number>>): Promise<Stage> {
  await moveClock(running, '2026-08-14T14:10:00.000Z');
  const plant = await register(running, PLANT, { employee_holidays: [] });
  await register(running, TRUCK, { tank_capacity: '3000 gal' });
  const farmhouse = `/subjects/premises/${await register(running, FARMHOUSE, {})}`;
  await act(running, farmhouse, 'judge_area', { in_service_area: true });
  await act(running, farmhouse, 'rank_premises', { priority: 'first' });
  const filed: [string, string][] = [];
  for (const hauler of Object.keys(plans)) filed.push([hauler, await file(running, hauler)]);
  await moveClock(running, '2026-09-28T20:00:00.000Z');
  for (const [hauler, id] of filed) await approve(running, id, plans[hauler] ?? 0);
  await moveClock(running, MORNING);
  return { plant, permits: Object.fromEntries(filed) };
}

async function file(running: Running, key: string): Promise<string> {
  const applicant = { kind: 'hauler', key };
  const hauler = await register(running, applicant, {});
  await act(running, `/subjects/hauler/${hauler}`, 'confirm_disposer');
  return post(running, '/applications', { pack: PACK, permitType: 'disposal', applicant, facts: FORM });
}

async function approve(running: Running, id: string, gallons: number): Promise<void> {
  const permit = `/permits/${id}`;
  await act(running, permit, 'confirm_license', {
    license_confirmed: true,
    license_valid_until: '2028-06-30',
  });
  await act(running, permit, 'judge_certificate', {
    certificate_adequate: true,
    certificate_gives_notice: true,
  });
  await post(running, `/applications/${id}/completion`, { by: { person: 'cleo' } });
  const plan = { plan_locations: 'the plant', plan_times: 'working days', plan_methods: 'by hose' };
  const sets = { ...plan, annual_volume: `${gallons} gal` };
  await post(running, `/applications/${id}/approval`, {
    reason: 'there is room',
    sets,
    by: { person: 'olaf' },
  });
}

export interface Load {
  readonly permitId: string;
  readonly hauler: string;
  readonly ticket: string;
  readonly gallons: number;
  readonly wasteType?: string;
}

function documented({ permitId, hauler, ticket, gallons, wasteType = 'septage' }: Load): Json {
  const quantity = `${gallons} gal`;
  const generator = { name: 'A. Farmer', address: 'the farmhouse', phone: '608-555-0100' };
  return {
    ...{ pack: PACK, permitId, subject: PLANT, hauler: { kind: 'hauler', key: hauler }, vehicle: TRUCK },
    ...{ ticket, quantity, signedBy: 'B. Driver', facts: { discharge_place: 'treatment_plant' } },
    sources: [{ wasteType, quantity, place: FARMHOUSE, location: 'by the barn', generator }],
  };
}

/** Asks whether the load may be discharged that day. */
export const manifestBody = (load: Load): Json => ({ ...documented(load), plannedAt: PLANNED });

/** Records that it was. */
export const dischargeBody = (load: Load, manifestId: string, minutes = 0): Json => {
  const at = new Date(Date.parse(PLANNED) + minutes * 60_000).toISOString();
  return { ...documented(load), load: 'discharge', manifestId, occurredAt: at, finishedAt: at };
};

/** The plan of a permit: what its application asks for, and then what is fixed with the approval or after it. */
function planOf({ type, data }: RecordedEvent): number | undefined {
  const said = type === 'ApplicationFiled' ? data['facts'] : SETS.has(type) ? data['sets'] : undefined;
  const volume = (said as { annual_volume?: QuantityJson } | undefined)?.annual_volume;
  return volume && gallonsOf(volume);
}

const SETS = new Set(['ApplicationApproved', 'PermitConditioned']);

const bar = (name: string, begins: string, ends: string, against: WatchedBar['against']): WatchedBar => ({
  ...{ name, against },
  read: ({ type }) =>
    type === `${PACK}.${begins}` ? 'begins' : type === `${PACK}.${ends}` ? 'ends' : undefined,
});

/** The City's article, as far as a race of manifests is watched for it. */
export const ARTICLE: WatchedLaw = {
  zone: 'America/Chicago',
  limits: [{ name: 'permit_year', clause: 'F.2.volume', in: 'permit-', plan: planOf }],
  bars: [
    bar('all', 'AcceptanceStopped', 'AcceptanceResumed', () => true),
    bar('types', 'WasteTypesStopped', 'WasteTypesResumed', ({ sources }, { data }) => {
      const stopped = (data['facts'] as { stopped_types: readonly string[] }).stopped_types;
      return sources.some(({ wasteType }) => stopped.includes(wasteType));
    }),
    bar('hauler', 'HaulerStopped', 'HaulerResumed', () => true),
  ],
  accepted: 'J',
};

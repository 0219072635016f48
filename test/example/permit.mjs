// A permit from its application to a manifest under it, over HTTP. It may be run again: nothing is recorded twice.
import { call, heading, shown } from './call.mjs';

const PACK = 'lodi-onsite-waste';
const CITY = 'wi-lodi-city';
const HAULER = { kind: 'hauler', key: '12345' };
const PLANT = { kind: 'plant', key: 'main' };
const PLACE = { kind: 'premises', key: 'N123 County Road J' };

// An application of August is for the year after it: the newest one whose August is over.
const now = new Date();
const year = now.getUTCMonth() >= 8 ? now.getUTCFullYear() + 1 : now.getUTCFullYear();
const filedIn = year - 1;
const planned = nextWorkingDay(new Date(Math.max(Date.UTC(year, 0, 4, 15, 30), now.getTime() + 86_400_000)));
// What was decided lies in the past, so each recording says why it is made late.
const late = { reason: 'entered from the paper file', evidence: `file of ${filedIn}` };
const at = (day) => ({ occurredAt: `${filedIn}-${day}T15:00:00Z`, ...late });
const write = (path, body, name) => call('POST', path, body, `permit-${year}-${name}`);

/** Tuesday to Thursday, half past nine or ten in the morning: no holiday of a Monday, and inside the plant's hours. */
function nextWorkingDay(day) {
  const found = new Date(day);
  found.setUTCHours(15, 30, 0, 0);
  while (![2, 3, 4].includes(found.getUTCDay())) found.setUTCDate(found.getUTCDate() + 1);
  return found.toISOString();
}

async function thing(kind, key, facts) {
  const found = await call('GET', `/subjects/${kind}?key=${encodeURIComponent(key)}`);
  if (found.answer.items.some((item) => item.registered)) return found.answer.items[0].id;
  return (await write(`/subjects/${kind}`, { jurisdiction: CITY, key, facts }, `register-${kind}`)).answer.id;
}

heading('1. The City registers what it looks at');
await thing('plant', PLANT.key, { employee_holidays: [] });
await thing('vehicle', 'LP-8841', { tank_capacity: '3000 gal' });
const hauler = await thing('hauler', HAULER.key, {});
await write(`/subjects/hauler/${hauler}/acts/confirm_disposer`, { pack: PACK }, 'confirm');
const place = await thing('premises', PLACE.key, {});
const judged = { pack: PACK, facts: { in_service_area: true } };
await write(`/subjects/premises/${place}/acts/judge_area`, judged, 'area');
const ranked = { pack: PACK, facts: { priority: 'first' } };
await write(`/subjects/premises/${place}/acts/rank_premises`, ranked, 'rank');
console.log('a plant, a truck, a hauler, and a place that waste comes from');

heading('2. The hauler applies, and is told where it stands');
const form = {
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
  license_valid_until: `${year}-12-31`,
};
const application = { pack: PACK, permitType: 'disposal', applicant: HAULER, facts: form, ...at('08-14') };
const filed = (await write('/applications', application, 'file')).answer;
console.log(`application ${filed.id} is on file`);
for (const { clause, status, text } of filed.findings.filter((finding) => finding.status === 'unknown')) {
  console.log(`  ${clause.padEnd(16)} ${status}  ${text}`);
}

heading('3. The City finds, completes, approves with a plan, and issues');
const permit = `/permits/${filed.id}`;
const license = { license_confirmed: true, license_valid_until: `${year}-12-31` };
await write(`${permit}/acts/confirm_license`, { pack: PACK, facts: license, ...at('09-03') }, 'license');
const insured = { certificate_adequate: true, certificate_gives_notice: true };
await write(`${permit}/acts/judge_certificate`, { pack: PACK, facts: insured, ...at('09-04') }, 'insured');
const decide = (decision, body, name) => write(`/applications/${filed.id}/${decision}`, body, name);
// Whoever finds it complete is not who approves it: the pack asks for two persons.
await decide('completion', { ...at('09-05'), by: { person: 'clerk-7' } }, 'complete');
const sets = {
  annual_volume: '350000 gal',
  waste_types: ['septage'],
  plan_locations: 'the plant',
  plan_times: 'working days',
  plan_methods: 'by hose into the pit',
};
const approval = {
  ...at('09-28'),
  reason: 'in order; 50000 gal less than asked',
  sets,
  by: { person: 'officer-3' },
};
const issued = (await decide('approval', approval, 'approve')).answer;
console.log(`permit no. ${issued.number}: ${issued.status}, ${issued.valid.from} to ${issued.valid.until}`);

heading('4. The hauler asks before a load');
const quantity = { value: '2500', unit: 'gal' };
const manifest = {
  ...{ pack: PACK, permitId: filed.id, subject: PLANT, hauler: HAULER, quantity },
  vehicle: { kind: 'vehicle', key: 'LP-8841' },
  ticket: `${year}-${planned.slice(5, 10)}`,
  plannedAt: planned,
  sources: [
    {
      ...{ wasteType: 'septage', quantity, place: PLACE, location: PLACE.key },
      generator: { name: 'A. Farmer', address: PLACE.key, phone: '608-555-0100' },
    },
  ],
  signedBy: 'B. Driver',
  facts: {
    discharge_place: 'treatment_plant',
    contains_hazardous_waste: false,
    contains_incompatible_pollutants: false,
    meets_pretreatment_standards: true,
  },
};
const asked = (await write('/manifests', manifest, `manifest-${planned}`)).answer;
console.log(`manifest ${asked.ticket}: ${asked.status} for ${asked.plannedAt}, stands until ${asked.until}`);
const ledger = (await call('GET', `${permit}/ledgers/permit_year?on=${planned.slice(0, 10)}`)).answer;
for (const { manifest: holder, quantity: held, until } of ledger.reserved) {
  console.log(`  ${shown(held)} of ${shown(ledger.headroom[0].allowed)} held by ${holder} until ${until}`);
}

heading('5. The file, as a paper');
const paper = (await call('GET', `${permit}/history?format=markdown`)).answer;
console.log(paper.split('\n').slice(0, 14).join('\n'));

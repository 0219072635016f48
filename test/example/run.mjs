// A small day in the trade's own shapes, over HTTP: parcels as GeoJSON, a hauler's log as CSV. It may be run again:
// every write carries an Idempotency-Key, so nothing is recorded twice.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, heading, shown } from './call.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const PACK = 'whitewater-sludge';
const TOWN = 'wi-whitewater-town';
const HAULER = { kind: 'hauler', key: '0417' };
// The day lies in the past, so every recording says why it is made late.
const late = {
  reason: "the day's log is entered in the evening",
  evidence: 'hauler log sheet of 2026-06-15',
};

function csv(text) {
  const [head, ...lines] = text.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
}

/** What a survey found around each parcel: the second one has a private well 588 ft from its spread area. */
const SURVEYED = {
  'D W 1700001': {
    residence: 812,
    community_well: 5280,
    drainageway: 655,
    private_well: 905,
    waterway: 1240,
  },
  'D W 1800012B': {
    residence: 731,
    community_well: 4900,
    drainageway: 702,
    private_well: 588,
    waterway: 980,
  },
};

async function registerParcels() {
  heading('1. The Town registers two parcels, and what is known of them');
  const { features } = JSON.parse(readFileSync(join(here, 'parcels.geojson'), 'utf8'));
  const ids = new Map();
  for (const { properties, geometry } of features) {
    const taxKey = properties.TAXKEY;
    const found = await call('GET', `/subjects/site?key=${encodeURIComponent(taxKey)}`);
    if (found.answer.items.some((item) => item.registered)) {
      ids.set(taxKey, found.answer.items[0].id);
      console.log(`${taxKey}: registered already`);
      continue;
    }
    const distances = Object.entries(SURVEYED[taxKey]).map(([what, ft]) => [
      `distance_to_${what}`,
      `${ft} ft`,
    ]);
    const { status, answer } = await call(
      'POST',
      '/subjects/site',
      {
        jurisdiction: TOWN,
        key: taxKey,
        name: properties.OWNER_USE,
        geometry,
        occurredAt: '2026-06-01T09:00:00-05:00',
        ...late,
        facts: { site_area: `${properties.ACRES} acre`, ...Object.fromEntries(distances) },
      },
      `register-${taxKey}`,
    );
    ids.set(taxKey, answer.id);
    console.log(`${taxKey}: ${status}, ${answer.events[0].event}`);
  }
  return ids;
}

async function act(id, name, facts, occurredAt) {
  const body = { pack: PACK, occurredAt, facts, ...late };
  const { answer } = await call(
    'POST',
    `/subjects/site/${id}/acts/${name}`,
    body,
    `${name}-${id}-${occurredAt}`,
  );
  console.log(`  ${name}: ${answer.type}`);
}

/** What only the Town can say of a place, and the State's permit that names the hauler. */
async function townFindings(ids) {
  heading('2. The Town records its findings on each parcel');
  const when = '2026-06-08T10:00:00-05:00';
  for (const [taxKey, id] of ids) {
    console.log(taxKey);
    await act(
      id,
      'record_state_permit',
      { state_permit_number: 'WI-0062863-05-0', state_permit_holders: [HAULER.key] },
      when,
    );
    await act(id, 'find_compliance', { complies_with_other_law: true }, when);
    await act(id, 'find_contamination', { contamination_risk: false }, when);
    await act(id, 'find_hazard', { soil_health_hazard: false }, when);
    await act(id, 'find_nuisance', { nuisance: false }, when);
    await act(id, 'find_harm', { land_treatment_harm: false }, when);
    await act(id, 'find_benefit', { beneficial_properties: true }, when);
  }
}

const factsOf = (row) => ({
  waste_type: row.waste,
  form: 'wet',
  total_solids: `${row.total_solids_pct} %`,
  spread_area: `${row.acres_spread_to_date} acre`,
  frost_depth: '0 in',
  saturated: false,
});

async function askFirst(row) {
  heading('3. The hauler asks before spreading: may this load go on this parcel?');
  const { answer } = await call('POST', '/checks?explain=brief', {
    pack: PACK,
    assessment: 'spreading',
    asOf: row.disposed_at,
    subject: { kind: 'site', key: row.parcel },
    hauler: HAULER,
    quantity: `${row.gallons} gal`,
    facts: factsOf(row),
  });
  const { summary, findings, headroom } = answer;
  console.log(
    `${row.parcel}: ${summary.satisfied} clauses satisfied, ${summary.violated} violated, ${summary.unknown} open`,
  );
  for (const finding of findings.filter(({ status }) => status !== 'not_applicable')) {
    console.log(`  ${finding.clause.padEnd(17)} ${finding.status.padEnd(10)} ${finding.text}`);
  }
  for (const { clause, used, allowed, remaining } of headroom.filter((h) => h.remaining)) {
    console.log(`  headroom ${clause}: ${shown(used)} used of ${shown(allowed)}, ${shown(remaining)} left`);
  }
}

async function recordLoads(rows) {
  heading('4. Three loads are recorded, whatever the law finds');
  const violations = [];
  for (const row of rows) {
    const { status, answer } = await call(
      'POST',
      '/loads',
      {
        pack: PACK,
        load: 'spreading',
        subject: { kind: 'site', key: row.parcel },
        hauler: HAULER,
        vehicle: { kind: 'vehicle', key: 'WI-TK-2207' },
        ticket: row.ticket,
        occurredAt: row.disposed_at,
        finishedAt: row.finished_at,
        quantity: { value: row.gallons, unit: 'gal' },
        sources: [
          {
            wasteType: row.waste,
            quantity: { value: row.gallons, unit: 'gal' },
            servicedAt: row.serviced_at,
            location: row.place,
            generator: { name: row.generator },
          },
        ],
        facts: factsOf(row),
        ...late,
      },
      row.ticket,
    );
    console.log(`${row.ticket}: ${status}, load ${answer.id}, ${answer.violations.length} violation(s)`);
    violations.push(...answer.violations);
  }
  return violations;
}

async function showViolations(ids) {
  heading('6. What was violated, by which clause and by how much');
  for (const id of ids) {
    const { answer } = await call('GET', `/violations/${id}`);
    if (answer.status === 'withdrawn') {
      console.log(`${answer.clause} (${answer.cite}): withdrawn, ${answer.withdrawn.why}`);
      continue;
    }
    const margin = answer.finding.margin ? `, margin ${shown(answer.finding.margin)}` : '';
    console.log(
      `${answer.clause} (${answer.cite}): ${answer.finding.text}${margin}; ${answer.days} day(s), ${answer.status}`,
    );
  }
}

async function incorporate(ids) {
  heading('5. The sludge was knifed in next morning, inside 24 hours; it is recorded late');
  for (const id of ids.values()) {
    await act(id, 'incorporate', { incorporation_method: 'knifed_in' }, '2026-06-16T07:15:00-05:00');
  }
}

async function showHistory(ids) {
  const [[taxKey, id]] = ids;
  heading(`7. The whole history of ${taxKey}`);
  const { answer } = await call('GET', `/subjects/site/${id}/history?explain=status`);
  for (const { event, type, occurred, recordedAt } of answer.events) {
    console.log(
      `  ${event.split('@')[1].padStart(2)}  ${(occurred.at ?? occurred.date).padEnd(25)} ${type}  (recorded ${recordedAt})`,
    );
  }
  const ledger = await call('GET', `/subjects/site/${id}/ledgers/site_year?on=2026-12-31`);
  console.log(`  ledger 2026: ${ledger.answer.count} loads, ${JSON.stringify(ledger.answer.totals)}`);
}

const rows = csv(readFileSync(join(here, 'haulers-log.csv'), 'utf8'));
const ids = await registerParcels();
await townFindings(ids);
await askFirst(rows[0]);
const violations = await recordLoads(rows);
await incorporate(ids);
await showViolations(violations);
await showHistory(ids);

// What may happen in a scene. Each says what it did, and counts what the server answered.
import { fixture, importDay } from './files.mjs';
import { instant } from './sandbox.mjs';

const CITY = { pack: 'lodi-onsite-waste', jurisdiction: 'wi-lodi-city' };
const TOWN = { pack: 'whitewater-sludge', jurisdiction: 'wi-whitewater-town' };
const CLERK = { person: 'clerk-7' };
const OFFICER = { person: 'officer-3' };
const shown = ({ value, unit }) => `${value} ${unit}`;

export class Demo {
  seen = { applications: 0, permits: 0, loads: 0, refusals: 0 };
  #permits = new Map();

  constructor(sandbox, tell) {
    this.sandbox = sandbox;
    this.call = sandbox.call;
    this.tell = tell;
  }

  moveTo(wall) {
    return this.call('PUT', '/sandbox/clock', { now: instant(wall) });
  }

  async registerLodi() {
    const register = (kind, key, facts) =>
      this.call('POST', `/subjects/${kind}`, {
        jurisdiction: CITY.jurisdiction,
        key,
        ...(facts && { facts }),
      });
    await register('plant', 'main', {
      employee_holidays: ['2027-01-01', '2027-07-05', '2027-12-24', '2028-07-04'],
    });
    for (const [license, plate] of [
      ['12345', 'LP-8841'],
      ['777', 'LP-3302'],
      ['901', 'LP-9001'],
    ]) {
      const { id } = await register('hauler', license);
      await this.call('POST', `/subjects/hauler/${id}/acts/confirm_disposer`, { pack: CITY.pack });
      await register('vehicle', plate, { tank_capacity: '3000 gal' });
    }
    for (const place of ['N123 County Road J', 'N88 Lee Road']) {
      const { id } = await register('premises', place);
      for (const [act, facts] of Object.entries({
        judge_area: { in_service_area: true },
        rank_premises: { priority: 'first' },
      }))
        await this.call('POST', `/subjects/premises/${id}/acts/${act}`, { pack: CITY.pack, facts });
    }
    this.tell(
      'Lodi registers its plant, three disposers with their trucks, and two places in its service area.',
    );
  }

  /** The parcels come as the county exports them, by the command line as anybody would run it. */
  async registerWhitewater() {
    const files = [fixture('parcels.geojson'), '--mapping', fixture('parcels.mapping.yaml')];
    const said = await this.sandbox.cli('import', 'subjects', ...files);
    this.tell(
      `Whitewater registers the county's parcels: npm run cli -- import subjects parcels.geojson: ${said}`,
    );
    const findings = {
      record_state_permit: { state_permit_number: 'WI-0062863-05-0', state_permit_holders: ['0417'] },
      find_compliance: { complies_with_other_law: true },
      find_contamination: { contamination_risk: false },
      find_hazard: { soil_health_hazard: false },
      find_nuisance: { nuisance: false },
      find_harm: { land_treatment_harm: false },
      find_benefit: { beneficial_properties: true },
    };
    const { items } = await this.call('GET', '/subjects/site?limit=500');
    for (const { id } of items) {
      for (const [act, facts] of Object.entries(findings))
        await this.call('POST', `/subjects/site/${id}/acts/${act}`, { pack: TOWN.pack, facts });
    }
    this.tell(
      `The Town records its ${Object.keys(findings).length} findings on each of ${items.length} parcels.`,
    );
  }

  async apply(name, license, gallons) {
    const facts = {
      ...{ on_prescribed_form: true, application_attested: true, indemnity_agreed: true },
      ...{ waste_types: ['septage'], discharge_frequency: 'monthly', annual_volume: `${gallons} gal` },
      ...{ waste_quality: 'domestic', waste_locations: 'households of the Town of Lodi' },
      ...{ meets_pretreatment_standards: true, contains_hazardous_waste: false },
      ...{
        contains_incompatible_pollutants: false,
        license_number: license,
        license_valid_until: '2029-12-31',
      },
    };
    const applicant = { kind: 'hauler', key: license };
    const body = { pack: CITY.pack, permitType: 'disposal', applicant, facts };
    const { id, findings } = await this.call('POST', '/applications', body);
    this.#permits.set(name, id);
    this.seen.applications++;
    const due = findings.find(({ clause }) => clause === 'F.2.decide');
    const until = due?.due ? `; the City has until the end of ${due.due.date}` : '';
    this.tell(`${name}: an application for ${gallons} gallons is on file${until}.`);
  }

  async examine(name) {
    const act = (noun, facts, by) =>
      this.call('POST', `/permits/${this.#permits.get(name)}/acts/${noun}`, { pack: CITY.pack, facts, by });
    await act('confirm_license', { license_confirmed: true, license_valid_until: '2029-12-31' }, CLERK);
    await act('judge_certificate', { certificate_adequate: true, certificate_gives_notice: true }, OFFICER);
    await this.#decide(name, 'completion', { by: CLERK });
  }

  async approve(name, gallons, reason) {
    const sets = {
      ...{ annual_volume: `${gallons} gal`, waste_types: ['septage'] },
      ...{ plan_locations: 'the plant', plan_times: 'working days', plan_methods: 'by hose into the pit' },
    };
    const { number, status, valid } = await this.#decide(name, 'approval', { reason, sets, by: OFFICER });
    if (status === 'issued') this.seen.permits++;
    this.tell(`${name}: approved (${reason}). Permit no. ${number}, ${valid.from} to ${valid.until}.`);
  }

  async deny(name, reason) {
    const grounds = ['O.2'];
    const { status } = await this.#decide(name, 'denial', { reason, grounds, by: OFFICER });
    this.tell(`${name}: ${status} (${reason}).`);
  }

  #decide(name, decision, body) {
    return this.call('POST', `/applications/${this.#permits.get(name)}/${decision}`, body);
  }

  async askHeadroom(key, gallons, area) {
    const { summary, headroom } = await this.call('POST', '/checks', {
      ...{ pack: TOWN.pack, assessment: 'spreading', subject: { kind: 'site', key } },
      ...{ hauler: { kind: 'hauler', key: '0417' }, quantity: `${gallons} gal` },
      facts: {
        ...{ waste_type: 'dairy', form: 'wet', total_solids: '3 %', spread_area: area },
        ...{ frost_depth: '0 in', saturated: false },
      },
    });
    const [{ used, allowed, remaining }] = headroom.filter((one) => one.remaining);
    this.tell(
      `The hauler asks before spreading on ${key}: ${summary.satisfied} clauses satisfied, ${summary.violated} violated; ` +
        `${shown(used)} used of ${shown(allowed)}, ${shown(remaining)} left.`,
    );
  }

  async ask(file, mapping, day) {
    const { rows, recorded, refused } = this.#taken(
      await importDay(this.sandbox.server, file, mapping, day),
      file,
    );
    this.seen.refusals += refused.length;
    for (const { name, findings } of refused) this.tell(`${day} ${name}: refused. ${findings.join('; ')}`);
    if (refused.length === 0) this.quiet(`${day}: ${recorded} of ${rows} tickets accepted`);
  }

  async load(file, mapping, day) {
    const { recorded, violations } = this.#taken(
      await importDay(this.sandbox.server, file, mapping, day),
      file,
    );
    this.seen.loads += recorded;
    this.quiet(`${day}: ${recorded} loads recorded`);
    for (const id of violations) {
      const { clause, cite, finding, status } = await this.call('GET', `/violations/${id}`);
      if (status !== 'withdrawn') this.tell(`${day} violation of ${clause} (${cite}): ${finding.text}`);
    }
  }

  #taken(imported, file) {
    const { faults, stopped } = imported;
    if (faults.length > 0 || stopped) throw new Error(`${file}: ${[...faults, stopped].join('\n')}`);
    return imported;
  }

  async workedIn(key, at) {
    const id = await this.#site(key);
    const body = { pack: TOWN.pack, facts: { incorporation_method: 'knifed_in' }, occurredAt: instant(at) };
    const late = { reason: 'told by the hauler', evidence: "the hauler's log" };
    await this.call('POST', `/subjects/site/${id}/acts/incorporate`, { ...body, ...late });
    const asked = `/violations?subjectId=${id}&clause=E.wet&from=${at.slice(0, 7)}-01T00:00:00Z`;
    const { items } = await this.call('GET', asked);
    const became = items.map(
      ({ status, days }) => `${status}${status === 'abated' ? ` after ${days} days` : ''}`,
    );
    const told = became.length > 0 ? `; the violation of E.wet is ${became.join(', ')}` : '';
    this.tell(`${key}: knifed in at ${at}, as the hauler's log says${told}.`);
  }

  async tellOpen(key, why) {
    const { items } = await this.call('GET', `/violations?subjectId=${await this.#site(key)}&status=open`);
    for (const { clause, from, days } of items)
      this.tell(`${key}: ${clause} is violated since ${from}, ${days} day(s) by now: ${why}.`);
  }

  async tellDuty(key, clause) {
    const { items } = await this.call('GET', `/duties?subjectId=${await this.#site(key)}&clause=${clause}`);
    const { status, due } = items.at(-1);
    this.tell(
      `${key}: ${clause} is ${status}: 24 hours by the clock are over, and by the statute, which leaves out the Sunday, it is due at ${due.at}.`,
    );
  }

  async correct(ticket, gallons, reason) {
    const { items } = await this.call('GET', `/loads?ticket=${ticket}`);
    const set = { quantity: { value: String(gallons), unit: 'gal' } };
    const { violations } = await this.call('POST', `/loads/${items[0].id}/corrections`, { reason, set });
    for (const id of violations) {
      const { clause, status } = await this.call('GET', `/violations/${id}`);
      this.tell(`${ticket} is corrected (${reason}): the violation of ${clause} is ${status}.`);
    }
  }

  async dailyPermit(key, frost) {
    const act = async (name, facts, expected) =>
      this.call(
        'POST',
        `/subjects/site/${await this.#site(key)}/acts/${name}`,
        { pack: TOWN.pack, facts, by: OFFICER },
        expected,
      );
    await act('inspect_frost', { frost_depth: frost });
    const { type, findings = [] } = await act('issue_daily_permit', {}, [201, 422]);
    const broken = findings
      .filter(({ status }) => status === 'violated')
      .map(({ clause, text }) => `${clause}: ${text}`);
    if (broken.length > 0) this.seen.refusals++;
    this.tell(
      `${key}, frost ${frost}: the permit of the day is ${broken.length > 0 ? `refused. ${broken.join('; ')}` : `given (${type})`}.`,
    );
  }

  async revoke(name, grounds, reason) {
    const id = this.#permits.get(name);
    await this.call('POST', `/permits/${id}/revocation`, { grounds, reason, by: OFFICER });
    const { items } = await this.call('GET', `/manifests?permitId=${id}&status=withdrawn`);
    const ended = items.map(({ ticket }) => ticket).join(', ');
    this.tell(
      `${name}: revoked (${reason}). It ends what was accepted and not brought yet: ticket ${ended}.`,
    );
  }

  async tellMissed(name) {
    const { items } = await this.call('GET', `/duties?permitId=${this.#permits.get(name)}&status=missed`);
    for (const { clause, who, binds, due } of items)
      this.tell(
        `${name}: ${clause} was due by the end of ${due.date} and is missed; it binds the ${binds} (${who}), not the applicant.`,
      );
  }

  /** What stands in one permit's file. `GET .../history?format=markdown` gives it as a paper, with every finding. */
  async tellHistory(name) {
    const path = `/permits/${this.#permits.get(name)}/history?explain=status&limit=500`;
    const { events } = await this.call('GET', path);
    const lines = events.map(({ event, type, occurred }) => {
      const number = event.split('@')[1].padStart(4);
      return `${number}  ${(occurred.at ?? occurred.date).padEnd(24)}  ${type}`;
    });
    this.tell(`The whole file of ${name}, ${events.length} events:\n\n${lines.join('\n')}\n`);
  }

  async #site(key) {
    const { items } = await this.call('GET', `/subjects/site?key=${encodeURIComponent(key)}`);
    return items[0].id;
  }

  quiet(line) {
    this.tell(line, true);
  }
}

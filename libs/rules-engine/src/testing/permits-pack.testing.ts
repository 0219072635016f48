/** A pack with a permit, a manifest and the load that takes its place: what specs of those vary. */
export const PERMITS_PACK = `pack: demo
version: "1"
title: Demo
jurisdiction: demo-town
cite: Demo ordinance
in_force: { from: unknown, verified_on: "2026-11-30" }
time_zone: America/Chicago
calendars: { legal: demo-legal, office: demo-office }
counting: wis-990.001
bodies:
  board: { name: Town board, role: board }
  clerk: { name: Town clerk, role: clerk }
assessments:
  visit: { question: May it stand?, judged_on: seen_on }
  asking: { question: May the permit be given?, judged_on: asked_on }
facts:
  seen_on: { type: date, label: Day seen }
  colour: { type: choice, of: [red, green], label: Colour }
  painted: { type: volume, unit: gal, label: Paint }
  most_paint: { type: volume, unit: gal, label: Paint that the permit allows }
  asked_on: { type: date, label: Day of the application }
  decided_on: { type: date, optional: yes, label: Day of the decision }
  insured: { type: judgement, by: clerk, ask: Is the painter insured?, label: Insured }
  allowed_at: { type: instant, optional: yes, label: When the coat was allowed }
  from_here: { type: bool, label: All paint is from here }
  local: { type: bool, label: The mill is of the town }
  worker: { type: reference, to: painter, label: Worker }
  standing: { type: choice, of: [filed, awaiting_information, complete, approved, denied, not_renewed, withdrawn, issued, suspended, revoked, expired, voided], label: Standing of the permit }
  earlier: { type: series, label: Earlier coats, fields: { paint: { type: volume, unit: gal } } }
derived:
  paint_now: { label: Paint with this coat, sum: [{ sum_of: { series: earlier, field: paint } }, painted] }
clauses:
  - id: C1
    cite: par. 1
    rows: [DM-01]
    about: asking
    says: The painter is insured.
    require: { fact: insured, is: yes }
  - id: C2
    cite: par. 2
    rows: [DM-01]
    about: asking
    says: The board decides in time.
    deadline:
      who: board
      must: decide
      kind: decision
      starts: asked_on
      allow: 30 days
      done: decided_on
      if_missed: { outcome: violation }
  - id: C3
    cite: par. 3
    rows: [DM-01]
    about: visit
    says: Not more paint than the permit allows.
    require: { fact: paint_now, at_most: most_paint }
  - id: C4
    cite: par. 4
    rows: [DM-01]
    about: visit
    says: Only paint from here, that was allowed before.
    require: { all: [{ fact: from_here, is: yes }, { fact: allowed_at, happened: yes }] }
  - id: C5
    cite: par. 5
    rows: [DM-01]
    says: The board may overlook a lack of cover.
    power: { who: board, may: leave the cover aside }
subjects:
  wall: { label: Wall, key: number, facts: [colour] }
  painter: { label: Painter, key: licence, facts: [] }
  mill: { label: Mill, key: name, facts: [local] }
acts:
  vouch:
    label: Vouch for the cover
    cite: par. 1
    on: permit
    by: { body: clerk }
    records: [insured]
    event: CoverVouched
permits:
  painting:
    title: Permit to paint
    cite: par. 1
    rows: [DM-01]
    holder: painter
    judged_by: asking
    form: [colour, most_paint]
    needs: [most_paint]
    decided_under: [C1]
    waived_by: { C1: C5 }
    reviewed_by: { body: clerk }
    decided_by: { body: board, not_same_as: completion }
    issued_by: { body: clerk }
    revoked_by: { body: board }
    grounds: [C3, C4]
    sets: [most_paint]
    gives: { asked_on: filed_on, decided_on: decided_on, standing: status }
    valid: { calendar_year: following, then: expired }
    renewable: yes
loads:
  coat:
    label: A coat of paint
    on: wall
    permit: painting
    judged_by: visit
    counts_in: [permit_year]
    facts: []
    gives: { painted: quantity, seen_on: occurred_on, worker: hauler, allowed_at: manifest_accepted_at }
    sources: { kind: mill, all: { from_here: local } }
manifests:
  leave:
    label: Leave to paint
    cite: par. 3
    rows: [DM-01]
    on: wall
    permit: painting
    judged_by: visit
    reserves_in: [permit_year]
    then: coat
    facts: []
    gives: { painted: quantity, seen_on: occurred_on }
    sources: { kind: mill, all: { from_here: local } }
    until: end_of_day
limits:
  permit_year:
    label: Paint under a permit in a year
    key: permit
    window: calendar year
    series: earlier
    row: { paint: painted }
    measures: [paint_now]
    under: [C3]
    headroom: [{ clause: C3, used: paint_now, allowed: most_paint }]
`;

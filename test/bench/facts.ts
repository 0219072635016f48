import type { JsonValue } from '@headworks/kernel';
import type { FactEntry, FactSource, Pack } from '@headworks/rules-engine';

/** The clauses that are timed, in the order of the verdicts. */
export const CLAUSES = Object.freeze(['A', 'F.residence', 'F.community_well', 'I', 'J.wet', 'E.wet']);

/**
 * The same facts for the peers, made easy for them: amounts are plain numbers in the units of the clauses, dates are
 * whole numbers (20270703), instants are epoch ms, `due_at` is the counted end of the 24 hours. Absent: nobody has
 * said. Known to be none: 0, '' or [], which no comparison of these clauses takes for a value.
 */
export type PlainFacts = Readonly<Record<string, PlainValue>>;
export type PlainValue =
  number | string | boolean | readonly string[] | readonly { readonly on: number; readonly gal: number }[];

export interface Case {
  readonly source: FactSource;
  readonly plain: PlainFacts;
}

/** A small generator of our own (mulberry32): the same seed draws the same facts on every machine. */
class Draw {
  constructor(private state: number) {}

  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }
}

const NOW = Date.parse('2027-07-10T17:00:00.000Z');
const HOUR = 3_600_000;
const FROM = { source: 'payload' } as const;

/** A fact in both of its forms. */
type Both = readonly [json: JsonValue, plain: PlainValue];

const amount = (value: number, unit: string, plain = value): Both => [{ value: String(value), unit }, plain];
const same = (value: string | boolean): Both => [value, value];
const dayNumber = (date: string): number => Number(date.replaceAll('-', ''));
const date = (text: string): Both => [text, dayNumber(text)];
const instant = (ms: number): Both => [new Date(ms).toISOString(), ms];

export interface DrawOptions {
  readonly cases: number;
  readonly seed: number;
  /** Takes a random quarter of the facts away. */
  readonly missing: boolean;
}

/** Loads as they come: most keep the law, some do not, half of them in the closed season. */
export function drawCases(pack: Pack, { cases, seed, missing }: DrawOptions): readonly Case[] {
  const draw = new Draw(seed);
  return Array.from({ length: cases }, () => {
    const facts = loadFacts(draw);
    for (const name of missing ? [...facts.keys()] : []) if (draw.chance(25)) facts.delete(name);
    return caseOf(pack, facts);
  });
}

export const NOW_MS = NOW;

function caseOf(pack: Pack, facts: ReadonlyMap<string, Both>): Case {
  const entries = new Map<string, FactEntry>(
    [...facts].map(([name, [json]]) => [name, { json, from: FROM }]),
  );
  const start = facts.get('first_spread_at')?.[1];
  const due = typeof start === 'number' ? { due_at: Date.parse(pack.due('E.wet', start).at) } : {};
  return {
    source: (name) => entries.get(name),
    plain: { ...Object.fromEntries([...facts].map(([name, [, plain]]) => [name, plain])), ...due, now: NOW },
  };
}

function loadFacts(draw: Draw): Map<string, Both> {
  const started = NOW - draw.below(60) * HOUR;
  const day = draw.of(['2027-01-12', '2027-02-03', '2027-04-30', '2027-05-01', '2027-07-09', '2027-08-20']);
  return new Map<string, Both>([
    ...wasteFacts(draw),
    ...amountFacts(draw, day),
    ...siteFacts(draw),
    ['spread_date', date(day)],
    ['daily_permit_for', draw.chance(80) ? date(day) : [null, 0]],
    ['first_spread_at', instant(started)],
    [
      'incorporation_method',
      draw.chance(75) ? same(draw.of(['knifed_in', 'knifed_in', 'disced'])) : [null, ''],
    ],
    ['incorporated_at', draw.chance(75) ? instant(started + draw.below(40) * HOUR) : [null, 0]],
  ]);
}

function wasteFacts(draw: Draw): readonly (readonly [string, Both])[] {
  const usual = draw.of(['dairy', 'meat_fish_poultry', 'aquaculture', 'commercial_septage']);
  const waste = draw.of(['household_septage', 'farm_manure', 'municipal_sewage_sludge']);
  return [
    ['waste_type', same(draw.chance(85) ? usual : waste)],
    ['nr_204_applies', same(draw.chance(50))],
    ['treated_at_approved_plant', same(draw.chance(50))],
    ['stabilized_at_approved_plant', same(draw.chance(50))],
    ['septage_in_scope', same(draw.chance(70))],
    ['form', same(draw.chance(85) ? 'wet' : 'dried')],
  ];
}

function amountFacts(draw: Draw, day: string): readonly (readonly [string, Both])[] {
  const earlier = Array.from({ length: draw.below(5) }, () => ({
    on: draw.of(['2026-11-02', '2027-01-05', '2027-04-11', day]),
    gal: 1000 * (1 + draw.below(30)),
  }));
  return [
    ['wet_volume', amount(500 * (1 + draw.below(12)), 'gal')],
    ['dry_mass', amount(1 + draw.below(9), 'ton')],
    ['total_solids', amount(2 + draw.below(6), '%')],
    ['spread_area', amount(1 + draw.below(5), 'acre')],
    ['use_number', draw.chance(85) ? ['1', 1] : ['2', 2]],
    [
      'earlier_spreadings',
      [
        earlier.map(({ on, gal }) => ({ on, wet_equivalent: { value: String(gal), unit: 'gal' } })),
        earlier.map(({ on, gal }) => ({ on: dayNumber(on), gal })),
      ],
    ],
  ];
}

function siteFacts(draw: Draw): readonly (readonly [string, Both])[] {
  const distance = (least: number) =>
    amount(draw.chance(92) ? least + 1 + draw.below(900) : least - draw.below(50), 'ft');
  return [
    ['distance_to_residence', distance(600)],
    ['distance_to_community_well', distance(1000)],
    ['distance_to_drainageway', distance(600)],
    ['distance_to_private_well', distance(600)],
    ['distance_to_waterway', distance(600)],
    ['frost_depth', amount(draw.of([0, 0, 1, 1, 3]), 'in')],
    ['saturated', same(draw.chance(5))],
    ['spreader', same(draw.of(['0417', '0417', '0417', '0980']))],
    [
      'state_permit_holders',
      draw.chance(95)
        ? [
            ['0417', '0612'],
            ['0417', '0612'],
          ]
        : [null, []],
    ],
    ['complies_with_other_law', same(draw.chance(95))],
    ['contamination_risk', same(draw.chance(4))],
    ['soil_health_hazard', same(draw.chance(4))],
    ['nuisance', same(draw.chance(4))],
    ['land_treatment_harm', same(draw.chance(4))],
    ['beneficial_properties', same(draw.chance(96))],
  ];
}

import type { PlainFacts } from './facts';

type Status = 'satisfied' | 'violated' | 'unknown' | 'not_applicable';
/** Kleene: false 0, unknown 1, true 2. */
type Truth = 0 | 1 | 2;

/** The facts as a record of the shape that these clauses want: the ceiling reads fields, and nothing by name. */
export interface HandFacts {
  readonly now: number;
  readonly wasteType: string | undefined;
  readonly nr204: boolean | undefined;
  readonly treated: boolean | undefined;
  readonly stabilized: boolean | undefined;
  readonly septageInScope: boolean | undefined;
  readonly form: string | undefined;
  readonly wetVolume: number | undefined;
  readonly dryMass: number | undefined;
  readonly totalSolids: number | undefined;
  readonly spreadArea: number | undefined;
  readonly useNumber: number | undefined;
  readonly earlier: readonly { readonly on: number; readonly gal: number }[] | undefined;
  readonly spreadDate: number | undefined;
  readonly dailyPermitFor: number | undefined;
  readonly firstSpreadAt: number | undefined;
  readonly dueAt: number | undefined;
  readonly incorporationMethod: string | undefined;
  readonly incorporatedAt: number | undefined;
  readonly residence: number | undefined;
  readonly communityWell: number | undefined;
  readonly drainageway: number | undefined;
  readonly privateWell: number | undefined;
  readonly waterway: number | undefined;
  readonly frostDepth: number | undefined;
  readonly saturated: boolean | undefined;
  readonly spreader: string | undefined;
  readonly holders: readonly string[] | undefined;
  readonly complies: boolean | undefined;
  readonly contamination: boolean | undefined;
  readonly soilHazard: boolean | undefined;
  readonly nuisance: boolean | undefined;
  readonly harm: boolean | undefined;
  readonly benefit: boolean | undefined;
}

export function handFacts(plain: PlainFacts): HandFacts {
  const take = <T>(name: string): T | undefined => plain[name] as T | undefined;
  return {
    now: take<number>('now') ?? 0,
    wasteType: take('waste_type'),
    nr204: take('nr_204_applies'),
    treated: take('treated_at_approved_plant'),
    stabilized: take('stabilized_at_approved_plant'),
    septageInScope: take('septage_in_scope'),
    form: take('form'),
    wetVolume: take('wet_volume'),
    dryMass: take('dry_mass'),
    totalSolids: take('total_solids'),
    spreadArea: take('spread_area'),
    useNumber: take('use_number'),
    earlier: take('earlier_spreadings'),
    spreadDate: take('spread_date'),
    dailyPermitFor: take('daily_permit_for'),
    firstSpreadAt: take('first_spread_at'),
    dueAt: take('due_at'),
    incorporationMethod: take('incorporation_method'),
    incorporatedAt: take('incorporated_at'),
    residence: take('distance_to_residence'),
    communityWell: take('distance_to_community_well'),
    drainageway: take('distance_to_drainageway'),
    privateWell: take('distance_to_private_well'),
    waterway: take('distance_to_waterway'),
    frostDepth: take('frost_depth'),
    saturated: take('saturated'),
    spreader: take('spreader'),
    holders: take('state_permit_holders'),
    complies: take('complies_with_other_law'),
    contamination: take('contamination_risk'),
    soilHazard: take('soil_health_hazard'),
    nuisance: take('nuisance'),
    harm: take('land_treatment_harm'),
    benefit: take('beneficial_properties'),
  };
}

const is = (value: boolean | undefined, wanted: boolean): Truth =>
  value === undefined ? 1 : value === wanted ? 2 : 0;
const moreThan = (value: number | undefined, limit: number): Truth =>
  value === undefined ? 1 : value > limit ? 2 : 0;
const atLeast = (value: number | undefined, limit: number): Truth =>
  value === undefined ? 1 : value >= limit ? 2 : 0;
const not = (truth: Truth): Truth => (2 - truth) as Truth;
const both = (a: Truth, b: Truth): Truth => (a < b ? a : b);
const either = (a: Truth, b: Truth): Truth => (a > b ? a : b);

/** What an engineer would write for these clauses alone: no figures kept, no citation, no version, no explanation. */
export function judgeByHand(f: HandFacts): readonly Status[] {
  const sludge = isSludge(f);
  const rate = sludge === 2 ? applicationRate(f) : undefined;
  const wet: Truth = f.form === undefined ? 1 : f.form === 'wet' ? 2 : 0;
  const residence = clause(sludge, moreThan(f.residence, 600));
  const well = clause(sludge, moreThan(f.communityWell, 1000));
  const use = clause(sludge, f.useNumber === undefined ? 1 : f.useNumber <= 1 ? 2 : 0);
  const amount: Truth = rate === undefined ? 1 : rate <= 20_000 ? 2 : 0;
  const wetAmount = clause(both(sludge, wet), amount);
  const dryAmount = clause(both(sludge, not(wet)), amount);
  const season = closedSeason(f.spreadDate);
  const excused = (): Truth => {
    const first = both(f.frostDepth === undefined ? 1 : f.frostDepth < 2 ? 2 : 0, permitOfTheDay(f));
    if (first === 0) return 0;
    for (const status of [residence, well, use, wetAmount, dryAmount]) if (status === 'violated') return 0;
    const terms = both(first, otherTerms(f, season));
    return [residence, well, use, wetAmount, dryAmount].includes('unknown') ? both(terms, 1) : terms;
  };
  const free = not(season);
  const a =
    sludge === 2 ? (free === 2 ? 'satisfied' : clause(2, either(free, excused()))) : clause(sludge, 1);
  return [a, residence, well, use, wetAmount, deadline(f, both(sludge, wet))];
}

function clause(applies: Truth, good: Truth): Status {
  if (applies === 0) return 'not_applicable';
  if (applies === 1 || good === 1) return 'unknown';
  return good === 2 ? 'satisfied' : 'violated';
}

function isSludge(f: HandFacts): Truth {
  switch (f.wasteType) {
    case undefined:
      return 1;
    case 'household_septage':
      return is(f.septageInScope, true);
    case 'municipal_sewage_sludge':
      return not(both(both(is(f.nr204, true), is(f.treated, true)), is(f.stabilized, true)));
    case 'farm_manure':
      return 0;
    default:
      return 2;
  }
}

function applicationRate(f: HandFacts): number | undefined {
  const { form, earlier, spreadDate, spreadArea } = f;
  if (form === undefined || !earlier || spreadDate === undefined || spreadArea === undefined)
    return undefined;
  const { wetVolume, dryMass, totalSolids } = f;
  const dry =
    dryMass === undefined || totalSolids === undefined
      ? undefined
      : (dryMass * 2000) / ((8.34 * totalSolids) / 100);
  const load = form === 'wet' ? wetVolume : dry;
  if (load === undefined) return undefined;
  let sum = load;
  const year = Math.floor(spreadDate / 10_000);
  for (const { on, gal } of earlier) if (Math.floor(on / 10_000) === year) sum += gal;
  return sum / spreadArea;
}

function closedSeason(date: number | undefined): Truth {
  if (date === undefined) return 1;
  const day = date % 10_000;
  return day >= 1031 || day <= 430 ? 2 : 0;
}

function permitOfTheDay({ dailyPermitFor, spreadDate }: HandFacts): Truth {
  if (dailyPermitFor === 0) return 0;
  return dailyPermitFor === undefined || spreadDate === undefined ? 1 : dailyPermitFor === spreadDate ? 2 : 0;
}

function otherTerms(f: HandFacts, season: Truth): Truth {
  const frost = f.frostDepth === undefined ? 1 : f.frostDepth > 0 ? 2 : 0;
  const thin = f.frostDepth === undefined ? 1 : f.frostDepth < 2 ? 2 : 0;
  const frostMet = either(not(frost), both(both(season, permitOfTheDay(f)), thin));
  const named: Truth =
    f.holders?.length === 0
      ? 0
      : f.spreader === undefined || f.holders === undefined
        ? 1
        : f.holders.includes(f.spreader)
          ? 2
          : 0;
  let least = both(frostMet, named);
  for (const term of [
    is(f.saturated, false),
    is(f.complies, true),
    moreThan(f.drainageway, 600),
    atLeast(f.privateWell, 600),
    is(f.contamination, false),
    atLeast(f.waterway, 600),
    is(f.soilHazard, false),
    is(f.nuisance, false),
    is(f.harm, false),
    is(f.benefit, true),
  ]) {
    if (term === 0) return 0;
    if (term < least) least = term;
  }
  return least;
}

function deadline(f: HandFacts, applies: Truth): Status {
  if (applies === 0) return 'not_applicable';
  const { firstSpreadAt, dueAt, incorporationMethod, incorporatedAt, now } = f;
  if (applies === 1 || firstSpreadAt === undefined || dueAt === undefined) return 'unknown';
  if (incorporationMethod === undefined) return 'unknown';
  const done = incorporationMethod === 'knifed_in' ? incorporatedAt : 0;
  if (done === undefined) return 'unknown';
  // What was done before the start was not done for this duty.
  if (done < firstSpreadAt) return now > dueAt ? 'violated' : 'unknown';
  return done <= dueAt ? 'satisfied' : 'violated';
}

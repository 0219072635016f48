import { loadRules, type Pack } from '@headworks/rules-engine';
import { CLAUSES, drawCases, NOW_MS, type Case, type PlainFacts } from './facts';
import { handFacts, judgeByHand } from './hand-written';
import { contest, rateOf, row, type Contender, type Row } from './measure';

type Verdicts = readonly string[];

/** Another rule engine with the same provisions, written for it by hand (peers/*.mjs). */
export interface Peer {
  readonly name: string;
  open(options: { readonly names: readonly string[] }): OpenPeer | Promise<OpenPeer>;
}
export interface OpenPeer {
  /** Brings the facts into the peer's own form, before anything is timed. */
  encode(plain: PlainFacts): unknown;
  judge(facts: unknown): Verdicts | Promise<Verdicts>;
  close?(): void;
}

/** What each peer must be left behind by; the others are for comparison. */
const TARGETS: Readonly<Record<string, number>> = { '@marcbachmann/cel-js': 4, 'json-rules-engine': 100 };
const FASTER = 1;
/** Findings may cost forty times what statuses do. */
const FINDINGS = 1 / 40;

export interface RulesOptions {
  readonly rulesDir: string;
  readonly cases?: number;
  readonly rounds?: number;
  readonly turnMs?: number;
}

/** Time that this process was given, not time that passed: a rate is of one core, whoever else is at work on it. */
function cpuClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Packs a second on one core, with all facts there and with a quarter of them missing. */
export async function benchRules(peers: readonly Peer[], options: RulesOptions): Promise<readonly Row[]> {
  const pack = loadRules(options.rulesDir).packs.get('whitewater-sludge')?.at(-1);
  if (!pack)
    throw new Error(`The pack to be timed is not in '${options.rulesDir}'; give the repository's rules.`);
  return [
    ...(await benchCases(pack, peers, false, options)),
    ...(await benchCases(pack, peers, true, options)),
  ];
}

async function benchCases(
  pack: Pack,
  peers: readonly Peer[],
  missing: boolean,
  { cases: count = 160, rounds = 7, turnMs = 250 }: RulesOptions,
): Promise<readonly Row[]> {
  const cases = drawCases(pack, { cases: count, seed: 2027, missing });
  const names = [...new Set(cases.flatMap(({ plain }) => Object.keys(plain)))];
  const question = cases.map(({ source }) => ({ clauses: CLAUSES, facts: source, now: NOW_MS }));
  const ours = question.map((one) => pack.statuses(one));
  const hand = cases.map(({ plain }) => handFacts(plain));
  const contenders: Contender[] = [
    { name: 'statuses', work: repeat(question, (one) => pack.statuses(one)) },
    { name: 'findings', work: repeat(question, (one) => pack.evaluate(one)) },
    { name: 'by hand', work: repeat(hand, judgeByHand) },
  ];
  mustAgree(
    'findings',
    cases,
    ours,
    question.map((one) => pack.evaluate(one).map(({ status }) => status)),
  );
  mustAgree('by hand', cases, ours, hand.map(judgeByHand));
  const opened: OpenPeer[] = [];
  for (const peer of peers) {
    const { name } = peer;
    const engine = await peer.open({ names });
    opened.push(engine);
    const facts = cases.map(({ plain }) => engine.encode(plain));
    const theirs: Verdicts[] = [];
    for (const one of facts) theirs.push(await engine.judge(one));
    mustAgree(name, cases, ours, theirs);
    contenders.push({ name, work: repeat(facts, (one) => engine.judge(one)) });
  }
  const rates = await contest(contenders, { rounds, turnMs, clock: cpuClock });
  for (const peer of opened) peer.close?.();
  return rowsOf(rates, peers, missing ? 'a quarter of the facts missing' : 'facts present');
}

function rowsOf(rates: ReadonlyMap<string, number>, peers: readonly Peer[], facts: string): readonly Row[] {
  const statuses = rateOf(rates, 'statuses');
  return [
    ...peers.map(({ name }) => {
      const target = TARGETS[name] ?? FASTER;
      return row(`rules: statuses, ${facts} / ${name}`, 'packs/s', statuses, rateOf(rates, name), target);
    }),
    row(
      `rules: full findings, ${facts} / statuses`,
      'packs/s',
      rateOf(rates, 'findings'),
      statuses,
      FINDINGS,
    ),
    row(`rules: statuses, ${facts} / TypeScript by hand`, 'packs/s', statuses, rateOf(rates, 'by hand'), 0),
  ];
}

/** Nobody is timed doing something else: the first verdict that differs ends the bench. */
export function mustAgree(
  name: string,
  cases: readonly Pick<Case, 'plain'>[],
  ours: readonly Verdicts[],
  theirs: readonly Verdicts[],
): void {
  for (const [index, verdicts] of ours.entries()) {
    for (const [at, verdict] of verdicts.entries()) {
      const other = theirs[index]?.[at];
      if (other === verdict) continue;
      const facts = JSON.stringify(cases[index]?.plain);
      throw new Error(
        `'${name}' finds ${CLAUSES[at]} ${other} where Headworks finds it ${verdict}: correct the one that is wrong before either is timed. Facts: ${facts}`,
      );
    }
  }
}

/** The work over and over, through all cases in turn; it waits only for an answer that has to be waited for. */
function repeat<F>(facts: readonly F[], judge: (facts: F) => unknown): Contender['work'] {
  let at = 0;
  const next = (): F => {
    const one = facts[at] as F;
    at = at + 1 === facts.length ? 0 : at + 1;
    return one;
  };
  return (times) => {
    for (let done = 0; done < times; done++) {
      const answer = judge(next());
      if (answer instanceof Promise) return waiting(answer, times - done - 1);
    }
    return undefined;
  };
  async function waiting(first: Promise<unknown>, left: number): Promise<void> {
    await first;
    for (let done = 0; done < left; done++) await judge(next());
  }
}

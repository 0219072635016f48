import { isoInstant, type Finding, type LocalDate, type RecordedEvent } from '@headworks/kernel';
import { wallToInstant } from '@headworks/calendars';
import type { ViolationDetected } from '@headworks/domain';
import { createKey } from '@headworks/wiring';
import { compareFinding, type Expected } from '../../../libs/rules-engine/src/load/compare-finding';
import type { Answered, Api } from '../../e2e/support/api';
import type { Scenario, Stage, Step, Then } from './scenario-file';
import { callOf, NOTHING, pathOf, type Named, type Told } from './sentences';

/** Plays a scenario over HTTP and gives, a line each, where an answer or the log is not as the scenario says. */
export async function play(api: Api, stage: Stage, scenario: Scenario): Promise<readonly string[]> {
  const player = new Player(api, stage, scenario);
  const failures: string[] = [];
  for (const step of scenario.steps) {
    const found = await player.step(step);
    failures.push(...found.map((failure) => `${step.place} ${step.does}: ${failure}`));
    // What follows rests on this step: it would only fail for the same reason.
    if (found.length > 0) break;
  }
  return failures;
}

class Player {
  private readonly names = new Map<string, Named>();
  private readonly keys = new Map<string, string>();
  private now: string | undefined;

  constructor(
    private readonly api: Api,
    private readonly stage: Stage,
    private readonly scenario: Scenario,
  ) {}

  async step(step: Step): Promise<readonly string[]> {
    const before = await this.api.count();
    if (step.when !== undefined) await this.moveTo(this.instant(step.when), step);
    const answered = step.does === NOTHING ? undefined : await this.say(step);
    const { then = {} } = step;
    return [
      ...(answered ? this.differences(answered.answer, answered.standing, then) : []),
      ...(await this.logDifferences(before, then)),
    ];
  }

  /** The clock of the sandbox goes forward only; a step at the same minute leaves it. */
  private async moveTo(instant: string, step: Step): Promise<void> {
    if (this.now === instant) return;
    const moved = await this.api.at(instant);
    if (moved.status !== 200) throw new Error(`${step.place}: the clock did not move: ${moved.text}`);
    this.now = instant;
  }

  private async say(step: Step): Promise<{ readonly answer: Answered; readonly standing: unknown }> {
    const call = callOf(step, this.told(step));
    const key = await this.keyOf(step);
    const answer = await this.api.call(call.method, call.path, call.body, { key });
    const { id, status } = found(answer, call.makes);
    if (!call.makes || typeof id !== 'string') return { answer, standing: status };
    const made: Named = { ...call.makes, id };
    if (step.as !== undefined) this.names.set(step.as, made);
    // The status of a refusal is that of HTTP: how the thing stands is seen on it.
    if (answer.status < 400) return { answer, standing: status };
    const seen = await this.api.get(pathOf(made), { key });
    return { answer, standing: seen.body['status'] };
  }

  private told(step: Step): Told {
    const holds = step.who === undefined ? undefined : this.scenario.cast[step.who]?.holds;
    const [kind = '', key = ''] = holds?.split(' ') ?? [];
    return {
      pack: this.stage.pack,
      jurisdiction: this.stage.jurisdiction,
      now: this.now ?? '',
      ...(holds !== undefined && { holder: { kind, key } }),
      instant: (wall) => this.instant(wall),
      named: (name) => {
        const known = this.names.get(name);
        if (known) return known;
        throw new Error(
          `${step.place}: nothing here is called '${name}': known are ${[...this.names.keys()].join(', ')}`,
        );
      },
    };
  }

  private instant(wall: string): string {
    const [date = '', time = ''] = wall.split(' ');
    const found = wallToInstant(this.stage.zone, date as LocalDate, time);
    if ('ms' in found) return isoInstant(found.ms);
    throw new Error(`'${wall}': ${found.why}`);
  }

  /** A key for each who takes part, made when they first speak: the person who acted is told by it. */
  private async keyOf({ who, place }: Step): Promise<string> {
    const player = who === undefined ? undefined : this.scenario.cast[who];
    if (who === undefined || !player) throw new Error(`${place}: '${who}' is nobody of the cast`);
    const known = this.keys.get(who);
    if (known !== undefined) return known;
    const [kind = '', key = ''] = player.holds?.split(' ') ?? [];
    const { secret } = await createKey(this.api.program.keys, {
      name: who,
      roles: player.roles,
      jurisdictions: [this.stage.jurisdiction],
      ...(player.holds !== undefined && { holds: [{ kind, key }] }),
      createdAt: '2026-08-01T00:00:00.000Z',
    });
    this.keys.set(who, secret);
    return secret;
  }

  private differences(answered: Answered, standing: unknown, then: Then): readonly string[] {
    const { status, body } = answered;
    const wanted = then.answer ?? (status < 300 ? status : 201);
    const findings = (body['findings'] ?? []) as readonly Finding[];
    const found = [
      ...(status === wanted ? [] : [`answered ${status}, not ${wanted}: ${answered.text.slice(0, 3_000)}`]),
      ...differs('it stands as', then.standing, standing),
      ...sameClauses(findings, 'violated', then.violated),
      ...sameClauses(findings, 'unknown', then.unknown),
      ...atLeast(findings, 'satisfied', then.satisfied),
      ...atLeast(findings, 'not_applicable', then.not_applicable),
      ...Object.entries(then.body ?? {}).flatMap(([name, value]) => differs(name, value, body[name])),
    ];
    const each = Object.entries(then.findings ?? {}).flatMap(([clause, expected]) => {
      const finding = findings.find((one) => one.clause === clause);
      if (!finding) return [`there is no finding under ${clause}`];
      return compareFinding(finding, expected as Expected).map((difference) => `${clause}: ${difference}`);
    });
    return [...found, ...each];
  }

  /** Events since the step began, and the violations among them; what moved the clock is no matter of the law. */
  private async logDifferences(before: number, then: Then): Promise<readonly string[]> {
    if (!then.events && !then.violations) return [];
    const all: RecordedEvent[] = [];
    for await (const batch of this.api.program.services.store.readAll()) all.push(...batch);
    const events = all.slice(before).filter(({ type }) => type !== 'ClockMoved');
    const types = events.map(({ type }) => type.replace(/^.*\./, ''));
    const opened = events.flatMap(({ type, data }) =>
      type === 'ViolationDetected' ? [(data as ViolationDetected).clause] : [],
    );
    return [
      ...differs('events', then.events, then.events && types),
      ...differs('violations', sorted(then.violations), then.violations && sorted(opened)),
    ];
  }
}

/** The thing that an answer is about; of a list, the first: the one that is due next. */
function found({ body }: Answered, makes: Omit<Named, 'id'> | undefined): Readonly<Record<string, unknown>> {
  if (makes?.is !== 'duty') return body;
  const [first = {}] = (body['items'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return first;
}

const sorted = (texts: readonly string[] | undefined): readonly string[] | undefined =>
  texts?.toSorted((a, b) => (a < b ? -1 : 1));

const clausesOf = (findings: readonly Finding[], status: string): readonly string[] =>
  findings.filter((finding) => finding.status === status).map(({ clause }) => clause);

function sameClauses(
  findings: readonly Finding[],
  status: string,
  wanted: readonly string[] | undefined,
): readonly string[] {
  return wanted ? differs(status, sorted(wanted), sorted(clausesOf(findings, status))) : [];
}

function atLeast(
  findings: readonly Finding[],
  status: string,
  wanted: readonly string[] = [],
): readonly string[] {
  const found = clausesOf(findings, status);
  const lacking = wanted.filter((clause) => !found.includes(clause));
  return lacking.length === 0 ? [] : [`${lacking.join(', ')}: not ${status}`];
}

function differs(what: string, wanted: unknown, found: unknown): readonly string[] {
  if (wanted === undefined || JSON.stringify(wanted) === JSON.stringify(found)) return [];
  return [`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`];
}

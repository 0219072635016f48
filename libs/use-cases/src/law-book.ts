import { closedBy, evolveLaw, newLaw, type CalendarChange, type Law, type LawState } from '@headworks/domain';
import { localDate, type RecordedEvent } from '@headworks/kernel';
import { amendRules, type AmendedDay, type RuleSet } from '@headworks/rules-engine';
import { lawStream } from './models';

/** Where somebody looks at the log from. */
export interface Cut {
  readonly asOfMs?: number;
  /** Sortable position of the last event that was known; `null`: the log knew nothing then. */
  readonly upTo?: string | null;
}

/** The rules with the days that officers closed, and what changed the calendars last. */
export type LawInForce = RuleSet & Pick<Law, 'calendarsChangedBy'>;

interface Change extends CalendarChange {
  readonly jurisdiction: string;
}

/**
 * The texts that were loaded, with the days that the log added to their calendars: as it stands now, and as it stood or
 * was known at a cut. Whoever decides asks here, so that every decision counts by the same days.
 */
export class LawBook {
  private readonly laws = new Map<string, LawState>();
  private readonly made = new Map<string, LawInForce>();
  private changes: readonly Change[] = [];

  constructor(private readonly rules: RuleSet) {}

  get now(): LawInForce {
    return this.of(this.changes);
  }

  /** What had been changed by the instant, of what was known at the position. */
  at({ asOfMs, upTo }: Cut): LawInForce {
    if (this.changes.length === 0) return this.now;
    return this.of(
      this.changes.filter(
        ({ ms, position }) =>
          (asOfMs === undefined || ms <= asOfMs) &&
          (upTo === undefined || (upTo !== null && position <= upTo)),
      ),
    );
  }

  /** An event of a law's stream, from the start of the log on; one that was taken already changes nothing. */
  take(event: RecordedEvent): void {
    const { jurisdiction } = event.metadata;
    if (jurisdiction === undefined || event.stream !== lawStream(jurisdiction)) return;
    const law = this.laws.get(jurisdiction) ?? newLaw(event.stream);
    if (event.revision !== law.revision + 1) return;
    const next = evolveLaw(law, event);
    this.laws.set(jurisdiction, next);
    const change = next.changes.length > law.changes.length ? next.changes.at(-1) : undefined;
    if (change) this.changes = [...this.changes, { ...change, jurisdiction }];
  }

  /** One set of rules for the same changes: what hangs on its packs is kept with them. */
  private of(changes: readonly Change[]): LawInForce {
    if (changes.length === 0) return this.rules;
    const name = changes.map(({ event }) => event).join(' ');
    let made = this.made.get(name);
    if (!made) {
      if (this.made.size >= MOST_KEPT) this.made.clear();
      this.made.set(name, (made = this.make(changes)));
    }
    return made;
  }

  private make(changes: readonly Change[]): LawInForce {
    const newest = new Map(changes.map((change) => [change.jurisdiction, change]));
    return {
      ...amendRules(this.rules, closedBy(changes).flatMap(daysOf)),
      calendarsChangedBy: (jurisdiction) => newest.get(jurisdiction),
    };
  }
}

/** Compiled packs are large: those of now, and of a few cuts that are asked for again and again. */
const MOST_KEPT = 16;

const daysOf = ({ jurisdiction, event, amended }: Change): readonly AmendedDay[] =>
  (amended?.days ?? []).map(({ date, ...day }) => ({
    ...day,
    date: localDate(date),
    event,
    jurisdiction,
    calendar: amended?.calendar ?? '',
  }));

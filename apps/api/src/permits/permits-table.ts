import { PHASES, TRANSITIONS, transitionOf, type Transitions } from '@headworks/domain';
import { markdownTable } from '../http/markdown';

const words = (name: string): string => name.replaceAll('_', ' ');
const NAMES = Object.keys(TRANSITIONS) as readonly Transitions[];

/** What each decision may follow, what it writes, what the permit is then, and who takes it. */
export const decisionsTable = (): string =>
  markdownTable(
    ['decision', 'where the permit is', 'writes', 'it is then', 'by'],
    NAMES.map((name) => {
      const { from, event, by, to, except = {} } = transitionOf(name);
      const changes = Object.entries(except).map(
        ([phase, then]) => `; ${words(then)} where it was ${words(phase)}`,
      );
      return [
        name === 'filing' || name === 'expiry' ? name : `\`${name}\``,
        from.map(words).join(', '),
        `\`${event}\``,
        `${to === undefined ? 'as before' : words(to)}${changes.join('')}`,
        by === 'applicant' || by === 'the law' ? by : `\`${by}\``,
      ];
    }),
  );

/** Phase by phase: what may be decided there. An end has nothing. */
export const phasesTable = (): string =>
  markdownTable(
    ['phase', 'what may follow'],
    PHASES.map((phase) => [
      words(phase),
      NAMES.filter((name) => transitionOf(name).from.includes(phase)).join(', ') || 'nothing: it is an end',
    ]),
  );

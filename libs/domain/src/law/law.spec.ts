import type { LawAdopted } from '../events';
import { toNewEvent } from '../draft';
import {
  closedBy,
  decideAdoption,
  decideAmendment,
  decideClosedDaysAnnulment,
  evolveLaw,
  newLaw,
  notAdopted,
  type CalendarChange,
  type LawState,
} from './law';

const file = (sha256: string, more: Partial<LawAdopted> = {}): LawAdopted => ({
  kind: 'pack',
  id: 'fernhollow-pomace',
  version: '1',
  status: 'draft',
  sha256,
  text: 'pack: ...',
  inForce: { from: 'unknown' },
  ...more,
});

function adopted(...files: readonly LawAdopted[]): LawState {
  return files.reduce<LawState>((state, one) => {
    const { events } = decideAdoption([one], state);
    return events.reduce((carried, event, index) => {
      const made = toNewEvent('law-x', index, event, {
        occurred: { at: '2027-01-01T00:00:00.000Z' },
        recordedAt: '2027-01-01T00:00:00.000Z',
        actor: { id: 'headworks', roles: [] },
        correlationId: 'c',
        commandId: one.sha256,
      });
      return evolveLaw(carried, {
        ...made,
        stream: 'law-x',
        revision: carried.revision + 1,
        position: '',
        hash: '',
      });
    }, state);
  }, newLaw('law-x'));
}

it('adopts what the log does not have, and nothing twice', () => {
  const files = [file('a'), file('b', { kind: 'calendar' })];
  expect(decideAdoption(files, newLaw('law-x')).events).toMatchObject([
    { type: 'LawAdopted', data: { sha256: 'a' } },
    { type: 'LawAdopted', data: { sha256: 'b', kind: 'calendar' } },
  ]);
  const { events, ...ignored } = decideAdoption(files, adopted(...files));
  expect(events).toEqual([]);
  expect(ignored).toHaveProperty('ignored');
});

it('a changed draft is adopted again under its new hash; an adopted version never changes', () => {
  expect(decideAdoption([file('b')], adopted(file('a'))).events).toHaveLength(1);
  const standing = adopted(file('a', { status: 'adopted' }));
  expect(() => decideAdoption([file('b', { status: 'adopted' })], standing)).toThrow(/new version/);
  expect(decideAdoption([file('b', { version: '2' })], standing).events).toHaveLength(1);
});

it('a process whose text is not the newest of the log may not decide under it', () => {
  const state = adopted(file('a'), file('b'));
  expect(notAdopted([file('b')], state)).toEqual([]);
  expect(notAdopted([file('a'), file('c', { version: '2' })], state).map(({ sha256 }) => sha256)).toEqual([
    'a',
    'c',
  ]);
});

describe('days that were closed by mistake', () => {
  const days = [{ date: '2027-07-09', name: 'Storm', closedFor: 'everyone' as const }];
  const said = { reason: 'another day', evidence: 'order 4' };
  const amended = { calendar: 'office', days, ...said };
  const closing: CalendarChange = { event: 'law-x@0', ms: 1, position: 'p0', amended };
  const annulled = { annuls: 'law-x@0', calendar: 'office', ...said };
  const back: CalendarChange = { event: 'law-x@1', ms: 2, position: 'p1', annulled };
  const lawOf = (...changes: readonly CalendarChange[]): LawState => ({ ...newLaw('law-x'), changes });

  it('are taken back once, by the event that closed them', () => {
    const command = { annuls: 'law-x@0', ...said };
    expect(decideClosedDaysAnnulment(command, lawOf(closing)).events).toEqual([
      { type: 'ClosedDaysAnnulled', data: annulled, causedBy: 'law-x@0' },
    ]);
    expect(() => decideClosedDaysAnnulment(command, lawOf())).toThrow(/closed days list/);
    expect(() => decideClosedDaysAnnulment(command, lawOf(closing, back))).toThrow(
      /taken back by law-x@1 already/,
    );
  });

  it('count for whoever does not know of it, and can be closed again', () => {
    expect(closedBy([closing])).toEqual([closing]);
    expect(closedBy([closing, back])).toEqual([]);
    expect(decideAmendment(amended, lawOf(closing)).events).toEqual([]);
    expect(decideAmendment(amended, lawOf(closing, back)).events).toHaveLength(1);
  });
});

import { eventId } from '@headworks/kernel';
import { Draft, toNewEvent, type Envelope } from './draft';
import { eventType } from './event-types';

const envelope: Envelope = {
  occurred: { at: '2027-07-05T15:00:00.000Z' },
  recordedAt: '2027-07-05T16:00:00.000Z',
  actor: { id: 'ada', roles: ['clerk'] },
  by: { person: 'bo', evidence: 'book 3' },
  late: { reason: 'was away', evidence: 'book 3' },
  correlationId: 'c',
  causationId: 'x@1',
  commandId: '00000000-0000-5000-8000-000000000001',
};

describe('an event in the making', () => {
  it('has an id that is a function of command, stream and place', () => {
    const made = toNewEvent('subject-1', 3, { type: 'FactsRecorded', data: {} }, envelope);
    expect(made.id).toBe(eventId(envelope.commandId, 'subject-1', 3));
    expect(made.metadata).toEqual({ ...envelope, schema: 1 });
  });

  it('is dated and caused as its decision says, else as the command', () => {
    const { metadata } = toNewEvent(
      'subject-1',
      0,
      {
        type: 'FactsRecorded',
        data: {},
        occurred: { at: '2027-01-01T00:00:00.000Z' },
        causedBy: 'y@2',
        basis: [{ stream: 'z', revision: 1 }],
      },
      envelope,
    );
    expect(metadata).toMatchObject({
      occurred: { at: '2027-01-01T00:00:00.000Z' },
      causationId: 'y@2',
      basis: [{ stream: 'z', revision: 1 }],
    });
  });

  it.each(['DutyMissed', 'LimitExceeded', 'LimitExceededWithdrawn'])(
    '%s follows from the law: nobody did it, and nobody was late with it',
    (type) => {
      const { metadata } = toNewEvent('subject-1', 0, { type, data: {} }, envelope);
      expect(metadata).not.toHaveProperty('by');
      expect(metadata).not.toHaveProperty('late');
      expect(metadata.actor.id).toBe('ada');
    },
  );

  it('of a type that nobody registered is a bug; acts of packs need no place in the list', () => {
    expect(() => toNewEvent('s', 0, { type: 'Forgotten', data: {} }, envelope)).toThrow(
      /registry of event types/,
    );
    expect(eventType('any-pack.AnyAct')).toEqual({ schema: 1 });
  });
});

it('a draft evolves as it is decided, at the revisions that its events will have', () => {
  const seen: number[] = [];
  const draft = new Draft(
    { stream: 'subject-1', revision: 6 },
    (state, event) => {
      seen.push(event.revision);
      return { ...state, revision: event.revision };
    },
    envelope,
  );
  draft.amendLast({ nothing: true }, (state) => state);
  expect(draft.push({ type: 'FactsRecorded', data: { a: 1 } })).toBe('subject-1@7');
  expect(draft.push({ type: 'FactsRecorded', data: {} })).toBe('subject-1@8');
  draft.amendLast({ b: 2 }, (state) => state);
  expect([seen, draft.events.map(({ data }) => data)]).toEqual([
    [7, 8],
    [{ a: 1 }, { b: 2 }],
  ]);
});

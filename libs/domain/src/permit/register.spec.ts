import type { RecordedEvent } from '@headworks/kernel';
import { PermitFileUnderTest } from '../testing/permit.testing';
import { lastStep } from './permit';
import { drawNumber, evolveRegister, newRegister, registerId } from './register';

const STEP = { event: 'permit-p1@4', key: { ms: 0, recordedAt: '', revision: 4 } };

const kept = (data: RecordedEvent['data'], revision: number): RecordedEvent => ({
  stream: 'register-r',
  revision,
  position: '',
  hash: '',
  id: String(revision),
  type: 'PermitNumbered',
  data,
  metadata: {
    occurred: { at: '2027-09-20T15:00:00.000Z' },
    recordedAt: '2027-09-20T15:00:00.000Z',
    actor: { id: 'headworks', roles: [] },
    correlationId: 'c',
    commandId: `draw-${revision}`,
    schema: 1,
  },
});

describe('a register', () => {
  it('draws one number a permit, without gaps, and dates it by the issue', () => {
    let state = newRegister('register-r');
    for (const permit of ['a', 'b', 'a', 'c', 'b']) {
      const { events } = drawNumber(state, permit, 'law/leave/2028', STEP);
      for (const { data } of events) state = evolveRegister(state, kept(data, state.revision + 1));
      if (events[0])
        expect(events[0]).toMatchObject({
          causedBy: STEP.event,
          occurred: { at: '1970-01-01T00:00:00.000Z' },
        });
    }
    expect(
      [...state.numbers.entries()].map(([permit, { data, event }]) => [permit, data.number, event]),
    ).toEqual([
      ['a', 1, 'register-r@0'],
      ['b', 2, 'register-r@1'],
      ['c', 3, 'register-r@2'],
    ]);
  });

  it('is one for each permit type and first year', () => {
    const id = (type: string, from: string) => registerId('xx-a', 'law', type, { from, until: from });
    expect(id('leave', '2028-01-01')).toBe(id('leave', '2028-07-01'));
    expect(
      new Set([id('leave', '2028-01-01'), id('leave', '2029-01-01'), id('stall', '2028-01-01')]).size,
    ).toBe(3);
  });
});

describe('a permit', () => {
  it('takes its number once, and only when it was issued', () => {
    const data = (number: number) => ({ permit: 'p1', series: 's', number });
    const command = (number: number) =>
      ({ type: 'number', data: data(number), drawn: 'register-r@0' }) as const;
    const permit = new PermitFileUnderTest();
    permit.file();
    expect(permit.when(command(1))).toEqual([]);
    const issued = new PermitFileUnderTest().issued();
    const ms = lastStep(issued.state.file, 'PermitIssued')?.key.ms ?? 0;
    expect(issued.when(command(1), { now: '2027-10-01T15:00:00.000Z' })).toMatchObject([
      {
        type: 'PermitNumbered',
        data: data(1),
        causedBy: 'register-r@0',
        occurred: { at: new Date(ms).toISOString() },
      },
    ]);
    expect(issued.when(command(2))).toEqual([]);
    expect(issued.state.file.number?.number).toBe(1);
  });

  it('is renewed once, and only when it was issued', () => {
    const permit = new PermitFileUnderTest();
    permit.file();
    expect(permit.when({ type: 'renewed-by', by: 'p2' })).toEqual([]);
    const issued = new PermitFileUnderTest().issued();
    expect(issued.when({ type: 'renewed-by', by: 'p2' })).toMatchObject([
      { type: 'PermitRenewed', data: { by: 'p2' } },
    ]);
    expect(issued.when({ type: 'renewed-by', by: 'p3' })).toEqual([]);
    expect(issued.state.file.renewedBy).toBe('p2');
  });
});

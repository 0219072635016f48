import { BOARD, FORM, PermitFileUnderTest } from '../testing/permit.testing';
import { typesOf } from '../testing/thing.testing';

describe('a permit', () => {
  it('goes from the form to its end', () => {
    const permit = new PermitFileUnderTest();
    expect(typesOf(permit.file())).toEqual(['ApplicationFiled']);
    expect(typesOf(permit.when({ type: 'complete' }, { now: '2027-09-01T15:00:00.000Z' }))).toEqual([
      'ApplicationCompleted',
    ]);
    permit.act('accept_bond', { bonded: true }, { now: '2027-09-10T15:00:00.000Z' });
    expect(typesOf(permit.approve({ now: '2027-09-20T15:00:00.000Z' }))).toEqual([
      'ApplicationApproved',
      'PermitIssued',
    ]);
    expect(permit.refold()).toEqual(permit.state);
    expect(typesOf(permit.when({ type: 'settle' }, { now: '2029-02-01T06:00:00.000Z' }))).toEqual([
      'PermitExpired',
    ]);
    expect(BOARD && FORM).toBeDefined();
  });
});

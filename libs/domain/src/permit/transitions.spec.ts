import { CodedError } from '@headworks/kernel';
import { BOARD, FORM, PermitFileUnderTest } from '../testing/permit.testing';
import type { FileCommand } from './commands';
import { phaseAt } from './permit';
import {
  PERMIT_DECISIONS,
  PHASES,
  phaseAfter,
  STEP_TYPES,
  TRANSITIONS,
  transitionOf,
  type PermitDecision,
  type PhaseName,
} from './transitions';

/** A file in each phase that a file can be in, on September 20 or later. */
const IN: Readonly<Record<Exclude<PhaseName, 'nothing'>, (permit: PermitFileUnderTest) => unknown>> = {
  filed: (permit) => permit.file(),
  awaiting_information: (permit) => {
    permit.file();
    permit.when(commandFor('information-requests'));
  },
  complete: (permit) => {
    permit.file();
    permit.when({ type: 'complete' });
  },
  approved: (permit) => {
    IN.complete(permit);
    permit.approve();
  },
  deemed_approved: (permit) => {
    permit.file();
    permit.given({
      type: 'ApplicationDeemedApproved',
      data: { duty: 'd', clause: 'decision', sets: {}, findings: [] },
    });
  },
  denied: (permit) => {
    IN.complete(permit);
    permit.when(commandFor('denial'), { by: BOARD });
  },
  not_renewed: (permit) => {
    permit.file(FORM, {}, { renews: 'p0' });
    permit.when(commandFor('denial'), { by: BOARD });
  },
  withdrawn: (permit) => {
    permit.file();
    permit.when(commandFor('withdrawal'));
  },
  issued: (permit) => permit.issued(),
  suspended: (permit) => {
    permit.issued();
    permit.when(commandFor('suspension'));
  },
  revoked: (permit) => {
    permit.issued();
    permit.when(commandFor('revocation'));
  },
  expired: (permit) => {
    permit.issued();
    permit.when({ type: 'settle' }, { now: '2029-01-01T06:00:00.000Z' });
  },
  voided: (permit) => {
    permit.issued();
    permit.when(commandFor('voidance'));
  },
};

function commandFor(decision: PermitDecision): FileCommand {
  const [reason, grounds] = ['because', ['volume']];
  switch (decision) {
    case 'information-requests':
      return { type: 'request-information', reason, facts: ['fruit'] };
    case 'information':
      return { type: 'receive-information', facts: { fruit: ['pears'] } };
    case 'completion':
      return { type: 'complete' };
    case 'approval':
      return { type: 'approve', reason, sets: {}, waive: [], issue: false };
    case 'denial':
      return { type: 'deny', reason, grounds };
    case 'withdrawal':
      return { type: 'withdraw', reason };
    case 'issuance':
      return { type: 'issue' };
    case 'conditions':
      return { type: 'condition', reason, conditions: ['keep quiet'], sets: {} };
    case 'suspension':
      return { type: 'suspend', reason, grounds };
    case 'reinstatement':
      return { type: 'reinstate', reason };
    case 'revocation':
      return { type: 'revoke', reason, grounds };
    case 'voidance':
      return { type: 'void', reason };
  }
}

const PHASES_OF_A_FILE = PHASES.filter((phase) => phase !== 'nothing');
const CELLS = PERMIT_DECISIONS.flatMap((decision) =>
  PHASES_OF_A_FILE.map((phase) => [decision, phase] as const),
);

describe('the table of decisions', () => {
  it.each(PHASES_OF_A_FILE)('a file can be %s', (phase) => {
    const permit = new PermitFileUnderTest();
    IN[phase](permit);
    expect(phaseAt(permit.state.file).is).toBe(phase);
    expect(permit.refold()).toEqual(permit.state);
  });

  it.each(CELLS)('%s of one that is %s', (decision, phase) => {
    const permit = new PermitFileUnderTest();
    IN[phase](permit);
    const before = permit.log.length;
    const bonded = () => permit.act('accept_bond', { bonded: true });
    if (decision === 'issuance' && /approved/.test(phase)) bonded();
    const written = permit.log.length;
    const ask = () => permit.when(commandFor(decision), { by: BOARD });
    const { event } = transitionOf(decision);
    // The pack of the fixture names who reviews: it is approved only once it is complete.
    const may =
      transitionOf(decision).from.includes(phase) && !(decision === 'approval' && phase === 'filed');
    if (may) {
      expect(ask().map(({ type }) => type)).toEqual([event]);
      const to = phaseAfter(phase, event);
      expect(permit.is()).toBe(to);
      expect(permit.refold()).toEqual(permit.state);
    } else {
      expect(ask).toThrow(CodedError);
      expect(ask).toThrow(/par\. 1/);
      expect(permit.log).toHaveLength(written);
    }
    expect(before).toBeGreaterThan(0);
  });

  it('has a row for each step, and each step changes something somewhere', () => {
    expect(
      Object.values(TRANSITIONS)
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual([...STEP_TYPES].toSorted());
    for (const step of STEP_TYPES)
      expect(PHASES.some((phase) => phaseAfter(phase, step) !== undefined)).toBe(true);
  });

  it('leads nowhere from an end', () => {
    const ends: readonly PhaseName[] = ['denied', 'not_renewed', 'withdrawn', 'revoked', 'expired', 'voided'];
    for (const end of ends)
      expect(STEP_TYPES.filter((step) => phaseAfter(end, step) !== undefined)).toEqual([]);
  });
});

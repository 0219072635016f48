import { decidePermit, type PermitIssued, type PermitState } from '@headworks/domain';
import { idOf, permits, permitStream } from '../../models';
import { automaticJob, type Automation } from '../automation';

const NAME = 'when-permit-issued-then-renew';

/** A renewal is an application of its own; once issued, the file of the permit that it follows says so. */
export const whenPermitIssuedThenRenew: Automation = {
  name: NAME,
  plan: ({ type, stream, data }) => {
    const renews = type === 'PermitIssued' ? (data as PermitIssued).renews : undefined;
    return renews === undefined ? [] : [`${renews}:${idOf(stream)}`];
  },
  run: async (services, work) => {
    const [renews = '', by = ''] = work.key.split(':');
    const stream = permitStream(renews);
    const job = automaticJob<PermitState>(services, NAME, work, stream, (state, envelope, nowMs) =>
      decidePermit({ type: 'renewed-by', by }, state, { law: services.rules, nowMs, envelope }),
    );
    return (await services.runner.run(permits, stream, job)).events;
  },
};

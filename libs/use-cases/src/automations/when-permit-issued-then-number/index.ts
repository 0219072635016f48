import {
  decidePermit,
  drawNumber,
  lastStep,
  registerId,
  seriesOf,
  type PermitIssued,
  type PermitNumbered,
  type PermitState,
  type RegisterState,
} from '@headworks/domain';
import { ignore, type RecordedEvent } from '@headworks/kernel';
import type { Services } from '../../context';
import { idOf, permits, permitStream, registers, registerStream } from '../../models';
import { automaticJob, type Automation, type Work } from '../automation';

const NAME = 'when-permit-issued-then-number';

/**
 * A number is drawn after the permit was issued, in the register of its type and year, and then repeated in its own
 * stream. Whoever died between the two is overtaken by what the register asks: there is no number without its permit.
 */
export const whenPermitIssuedThenNumber: Automation = {
  name: NAME,
  plan: ({ type, stream, data }) => {
    if (type === 'PermitIssued') return [`number:${idOf(stream)}`];
    if (type !== 'PermitNumbered' || !stream.startsWith('register-')) return [];
    return [`number:${(data as PermitNumbered).permit}`];
  },
  run: async (services, work) => {
    const id = work.key.slice('number:'.length);
    const { file } = await services.runner.read(permits, permitStream(id));
    const step = lastStep(file, 'PermitIssued');
    if (!step || file.number) return [];
    const { pack, permitType, valid } = step.data as PermitIssued;
    const register = registerStream(registerId(work.jurisdiction, pack, permitType, valid));
    const series = seriesOf(pack, permitType, valid);
    const drawing = automaticJob<RegisterState>(services, NAME, work, register, (state) =>
      drawNumber(state, id, series, step),
    );
    const drawn = await services.runner.run(registers, register, drawing);
    return [...drawn.events, ...(await repeat(services, work, id, register))];
  },
};

async function repeat(
  services: Services,
  work: Work,
  id: string,
  register: string,
): Promise<readonly RecordedEvent[]> {
  const stream = permitStream(id);
  const job = automaticJob<PermitState>(services, NAME, work, stream, async (state, envelope, nowMs) => {
    const drawn = (await services.runner.read(registers, register)).numbers.get(id);
    if (!drawn) return ignore('its number is not drawn');
    const command = { type: 'number', data: drawn.data, drawn: drawn.event } as const;
    return decidePermit(command, state, { law: services.rules, nowMs, envelope });
  });
  return (await services.runner.run(permits, stream, job)).events;
}

import type { Program } from '../program';
import { Metrics } from './metrics';

it('each scrape tells what is overdue and late then, the first one too', async () => {
  let asked = { due: 7, late: 3 };
  const figures = () => ({ armed: 1, firedByQueue: 0, firedBySweep: 0, late: 0, failed: 0 });
  const program = {
    alarms: { figures, overdue: async () => asked },
    readiness: async () => ({ lag: {} }),
  } as unknown as Program;
  const metrics = new Metrics(program);
  const lines = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('headworks_duties'));
  expect(await lines()).toEqual(['headworks_duties_overdue 7', 'headworks_duties_late 3']);
  asked = { due: 1, late: 1 };
  expect(await lines()).toEqual(['headworks_duties_overdue 1', 'headworks_duties_late 1']);
});

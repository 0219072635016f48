import { getEventListeners } from 'node:events';
import { whenAborted } from './following';

it('however many wait for the end of the program, one listener stands, and all of them are told', async () => {
  const stop = new AbortController();
  const waiting = Array.from({ length: 100 }, () => whenAborted(stop.signal));
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
  stop.abort();
  for (const one of waiting) await expect(one).rejects.toThrow('The program is stopping');
  await expect(whenAborted(stop.signal)).rejects.toThrow('The program is stopping');
});

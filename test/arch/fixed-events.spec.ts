import { eventTypes } from '@headworks/domain';
import { FIXED_EVENTS } from '../../libs/rules-engine/src/resolve/fixed-events';

it('no pack may take the name of an event type of the program: the two lists are one', () => {
  const known = eventTypes.names();
  expect(known.filter((name) => !FIXED_EVENTS.has(name))).toEqual([]);
  expect([...FIXED_EVENTS].filter((name) => !known.includes(name))).toEqual([]);
});

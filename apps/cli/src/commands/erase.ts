import { erasePersonIn } from '@headworks/wiring';
import { complain, print, type Command } from '../command';

export const erasePerson: Command = {
  words: 'erase',
  args: 'PERSON --reason WHY',
  about: "destroys a person's key, so that their sealed fields can't be read again",
  run: async (config, [person], { reason }) => {
    if (person === undefined || reason === undefined) {
      return complain("Say whom and why: the person's id stands beside each sealed value in a history.");
    }
    await erasePersonIn(config, person, reason);
    print(`The key of ${person} is destroyed; the log says so, and a restored key is destroyed again.`);
    return 0;
  },
};

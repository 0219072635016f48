import { inForce, keptAmount as amount } from './verbs';
import { byKey, date, described, list, named, object, text, type Shape } from './shapes';

const entry: Shape = object({ from: date, amount }, { required: ['from', 'amount'] });
const item: Shape = {
  type: 'object',
  ...byKey(
    [
      ['dated', object({ says: text, dated: list(entry) }, { required: ['says'] })],
      ['amount', object({ says: text, amount }, { required: ['says'] })],
    ],
    'an item says what it is for and has an amount, or amounts with the day each begins (dated)',
    ['says'],
  ),
};

/** schedules/*.yaml: amounts that an ordinance leaves to a table of some office. */
export const scheduleSchema = (): Shape => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'schedule.schema.json',
  title: 'A schedule: amounts that an ordinance leaves to a table of some office, with their days',
  ...object(
    {
      schedule: described(text, 'The name of the file.'),
      version: text,
      title: text,
      cite: text,
      in_force: inForce,
      jurisdictions: described(list(text), 'Whose amounts they are, as the registry names them.'),
      kept_by: described(text, 'The office that keeps the table.'),
      source: text,
      items: { ...named(item), minProperties: 1 },
    },
    { required: ['schedule', 'version', 'title', 'kept_by', 'items'] },
  ),
});

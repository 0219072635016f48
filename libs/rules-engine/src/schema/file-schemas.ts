import { hours } from './expressions';
import { scheduleSchema } from './schedule-schema';
import { inForce } from './verbs';
import { packSchema } from './pack-schema';
import {
  clauseId,
  date,
  described,
  list,
  named,
  object,
  oneOf,
  rows,
  text,
  word,
  yesNo,
  type Shape,
} from './shapes';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const schemaFile = (id: string, title: string, shape: Shape): Shape => ({
  $schema: DRAFT,
  $id: id,
  title,
  ...shape,
});

const STATUSES = ['satisfied', 'violated', 'unknown', 'not_applicable'];
/** A status alone, or with whatever else the case is about. */
const expectation: Shape = {
  if: { type: 'object' },
  then: object(
    {
      status: oneOf(STATUSES),
      reason: oneOf(['fact_missing', 'awaiting_judgement', 'not_yet_due', 'figure_missing']),
      due: object({ date, at: text, elapsedAt: text }),
      margin: text,
      missing: { type: 'array', items: text },
      outcome: text,
      amount: text,
      interpretation: object({ id: text, choice: text }),
    },
    { required: ['status'] },
  ),
  else: oneOf(STATUSES),
};

/** Cases stand beside a pack: facts, and what they must lead to. Only the clauses that are named are compared. */
export function casesSchema(): Shape {
  const one = object(
    {
      name: text,
      assessment: word,
      now: text,
      on: text,
      facts: { type: 'object' },
      expect: named(expectation, clauseId['pattern'] as string),
      values: { type: 'object' },
    },
    { required: ['name', 'assessment', 'facts', 'expect'] },
  );
  return schemaFile('cases.schema.json', 'Cases: facts and the findings they must lead to', list(one));
}

/** registry.yaml: jurisdictions with zone and bounds, packs with status. */
export function registrySchema(): Shape {
  const jurisdiction = object(
    {
      id: text,
      title: text,
      zone: text,
      bounds: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 },
    },
    { required: ['id', 'title', 'zone'] },
  );
  const pack = object(
    {
      id: text,
      title: text,
      jurisdiction: text,
      status: oneOf(['draft', 'adopted', 'repealed']),
      verified_on: date,
      by: text,
    },
    { required: ['id', 'title', 'jurisdiction', 'status'] },
  );
  return schemaFile(
    'registry.schema.json',
    'The registry: who rules where, and the packs with their standing',
    object(
      { jurisdictions: list(jurisdiction), packs: list(pack) },
      { required: ['jurisdictions', 'packs'] },
    ),
  );
}

/** rows.yaml: a row for each provision, so that none can be forgotten silently. */
export function rowsSchema(): Shape {
  const row = object(
    { id: (rows['items'] as Shape | undefined) ?? text, cite: text, says: text, pack: text, later: yesNo },
    { required: ['id', 'cite', 'says', 'pack'] },
  );
  return schemaFile('rows.schema.json', 'The acceptance list: every provision, one row each', list(row));
}

/** calendars/*.yaml, in the shape that the calendar library reads. */
export function calendarSchema(): Shape {
  const observed = object({ Saturday: oneOf(['Friday']), Sunday: oneOf(['Monday']) });
  const holidayList = object(
    { title: text, source: text, confidence: text, observed, note: text },
    { required: ['source'] },
  );
  const year: Shape = { type: 'integer' };
  const holiday = object(
    {
      list: text,
      name: text,
      on: text,
      source: text,
      years: oneOf(['even']),
      from: year,
      until: year,
      note: text,
    },
    { required: ['name', 'on'] },
  );
  return schemaFile(
    'calendar.schema.json',
    'A calendar: days that the law calls holidays, or on which an office is closed',
    object(
      {
        calendar: text,
        version: text,
        title: text,
        in_force: inForce,
        jurisdictions: described(list(text), 'Whose days they are, as the registry names them.'),
        note: text,
        includes: described(
          list(text),
          'Other calendars, by the names of their files: their days are days of this.',
        ),
        lists: { type: 'object', additionalProperties: holidayList },
        closed: object({ days: list(text), source: text }, { required: ['days', 'source'] }),
        open: object({ hours, source: text }, { required: ['hours', 'source'] }),
        holidays: { type: 'array', items: holiday },
      },
      { required: ['calendar', 'version', 'holidays'] },
    ),
  );
}

/** Every published schema by the name of its file in rules/schema. */
export function publishedSchemas(): ReadonlyMap<string, Shape> {
  return new Map([
    ['pack.schema.json', packSchema()],
    ['cases.schema.json', casesSchema()],
    ['registry.schema.json', registrySchema()],
    ['rows.schema.json', rowsSchema()],
    ['calendar.schema.json', calendarSchema()],
    ['schedule.schema.json', scheduleSchema()],
  ]);
}

import {
  condition,
  derived,
  formula,
  missingFigureShape,
  operandListShape,
  operandShape,
  seasonShape,
} from './expressions';
import { appeal, penalty } from './listed';
import { manifest, permit } from './permits';
import { act, claim, clause, fact, gives, interpretation, limit, load, reading, sources } from './sections';
import { inForce, scheduleItem } from './verbs';
import { table } from './tables';
import { fileName, list, named, object, oneOf, rows, text, word, type Shape } from './shapes';

const body: Shape = object({ name: text, role: word }, { required: ['name', 'role'] });
const assessment: Shape = object(
  { question: text, judged_on: word },
  { required: ['question', 'judged_on'] },
);
const subject: Shape = object(
  { label: text, key: text, facts: { type: 'array', items: word } },
  { required: ['label', 'key', 'facts'] },
);

const SECTIONS: Readonly<Record<string, Shape>> = {
  pack: fileName,
  version: text,
  title: text,
  jurisdiction: text,
  cite: text,
  in_force: inForce,
  time_zone: text,
  calendars: object({ legal: text, office: text, post: text }),
  counting: oneOf(['plain', 'wis-990.001']),
  bodies: named(body),
  readings: named(reading, '^[A-Za-z][A-Za-z0-9_-]*$'),
  assessments: named(assessment),
  facts: named(fact),
  derived: named(derived),
  tables: named(table),
  clauses: list(clause),
  subjects: named(subject),
  acts: named(act),
  permits: named(permit),
  loads: named(load),
  manifests: named(manifest),
  limits: named(limit),
  penalties: list(penalty),
  appeals: list(appeal),
  defines: list(object({ ...claim, says: text }, { required: ['cite', 'rows', 'says'] })),
  not_tested: list(object({ ...claim, why: text }, { required: ['cite', 'rows', 'why'] })),
};

/** What no pack can do without. */
const NEEDED: readonly string[] = [
  'pack',
  'version',
  'title',
  'jurisdiction',
  'cite',
  'in_force',
  'time_zone',
  'counting',
  'bodies',
  'assessments',
  'facts',
  'clauses',
];

/** The published schema of one version of one ordinance. */
export function packSchema(): Shape {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'pack.schema.json',
    title: 'A rule pack: one whole version of one ordinance, as data',
    ...object(SECTIONS, { required: NEEDED }),
    $defs: {
      condition,
      formula,
      operand: operandShape,
      operand_list: operandListShape,
      missing_figure: missingFigureShape,
      season: seasonShape,
      row_ids: rows,
      interpretation,
      gives,
      sources,
      schedule_item: scheduleItem,
    },
  };
}

import type { Pack } from '../api';
import { negate, type Clause, type Formula } from '../model/ir';
import { modelOf } from '../pack';
import type { PackModel } from '../resolve/pack';
import { isYes, type RawClause } from '../source/raw';
import { deadlineWords } from './read-deadlines';
import { listLines } from './read-listed';
import { permitLines } from './read-permits';
import { tableLines } from './read-tables';
import { bodyName, conditionWords, formulaWords, labelOf } from './words';

/**
 * The officer's view of a pack in Markdown, to be laid beside the law: what each clause SAYS, what the program takes
 * from it (MUST), and how it is READ where the text has two meanings.
 */
export function readPack(pack: Pack): string {
  const model = modelOf(pack);
  const { raw } = model;
  const { from, until, verified_on: verified } = raw.in_force;
  const head = [
    `# ${raw.title}`,
    '',
    `${raw.cite}. Pack \`${raw.pack}\`, version ${raw.version}, in force from ${from}${until ? ` until ${until}` : ''}${verified ? `, read on ${verified}` : ''}.`,
  ];
  const clauses = [...model.clauses.values()].flatMap((clause) => clauseLines(model, clause));
  return [
    ...head,
    ...clauses,
    ...derivedLines(model),
    ...tableLines(model),
    ...permitLines(model),
    ...listLines(model),
    '',
  ].join('\n');
}

function clauseLines(model: PackModel, clause: Clause): readonly string[] {
  const raw = model.raw.clauses[clause.index];
  if (!raw) return [];
  const reading = readingText(model, raw);
  return [
    '',
    `## ${raw.id} (${raw.cite})`,
    '',
    `- **SAYS** ${raw.says}`,
    `- **MUST** ${mustText(model, clause, raw)}`,
    ...(reading === undefined ? [] : [`- **READ** ${reading}`]),
    ...(clause.def.continuesUntil === undefined
      ? []
      : [`- A breach lasts until ${labelOf(model, clause.def.continuesUntil)}, a day at a time.`]),
    `- Binds the ${clause.def.binds}. Rows: ${raw.rows.join(', ')}.`,
  ];
}

function mustText(model: PackModel, clause: Clause, raw: RawClause): string {
  const where = clause.applies ? `Where ${conditionWords(model, clause.applies)}: ` : '';
  return `${where}${bodyText(model, clause, raw)}`;
}

/** What the program takes from the clause: an officer compares this with the law. */
function bodyText(model: PackModel, clause: Clause, raw: RawClause): string {
  const { body } = clause;
  switch (body.verb) {
    case 'condition': {
      const unless = body.unless ? `, unless ${conditionWords(model, body.unless)}` : '';
      if (raw.forbid) return `it is forbidden that ${conditionWords(model, negate(body.good))}${unless}.`;
      return `${conditionWords(model, body.good)}${unless}.`;
    }
    case 'deadline':
      return raw.deadline ? deadlineWords(model, raw.deadline, body) : '';
    case 'fee':
      return feeWords(model, raw, body.pay);
    case 'listed':
      if (raw.power) {
        const grounds = raw.power.grounds === undefined ? '' : `, on grounds of ${raw.power.grounds}`;
        return `${bodyName(model, raw.power.who)} may ${raw.power.may}${grounds}. Never automatic.`;
      }
      return `${bodyName(model, raw.obligation?.who ?? '')} must ${raw.obligation?.must ?? ''}. A standing duty, not judged by the program.`;
  }
}

/** The choice, what else it could have been, why, and who stands behind it. */
function readingText(model: PackModel, raw: RawClause): string | undefined {
  if (raw.interpretation) {
    const { id, choice, reading, why, by } = raw.interpretation;
    return `${id}: ${choice}. ${reading} Why: ${why} By: ${by}.`;
  }
  const reading = raw.reading === undefined ? undefined : model.raw.readings?.[raw.reading];
  if (!reading || raw.reading === undefined) return undefined;
  const says = reading.says === undefined ? '' : ` ${reading.says}`;
  return `${raw.reading}: ${reading.chosen} (of ${reading.choices.join(', ')}).${says} Why: ${reading.why} By: ${reading.by}.`;
}

function derivedLines(model: PackModel): readonly string[] {
  const derived = model.slots.filter((slot) => slot.formula);
  if (derived.length === 0) return [];
  return [
    '',
    '## Worked out',
    '',
    ...derived.map(
      ({ name, formula }) => `- ${labelOf(model, name)}: ${formula ? formulaWords(model, formula) : ''}`,
    ),
  ];
}

/** A flat sum in one sentence; tiers one after another. */
function feeWords(model: PackModel, { fee }: RawClause, pay: Formula): string {
  const to = fee?.to === undefined ? '' : ` to ${bodyName(model, fee.to)}`;
  const back =
    fee?.refundable === undefined
      ? ''
      : isYes(fee.refundable)
        ? ' It is paid back.'
        : ' It is not paid back.';
  const [axis] = pay.op === 'table' ? pay.axes : [];
  if (!fee?.tiers || !axis?.of) return `${formulaWords(model, pay)} is to be paid${to}.${back}`;
  const sums = fee.tiers.map(({ pay: sum }, index) => {
    const shown =
      typeof sum === 'string' ? sum : `missing: ${sum.missing}, kept by ${bodyName(model, sum.kept_by)}`;
    return `${axis.names[index] ?? ''}: ${shown}`;
  });
  return `by ${formulaWords(model, axis.of)} is to be paid${to}: ${sums.join('; ')}.${back}`;
}

import { periodText } from '@headworks/calendars';
import type { AmountDef, AppealDef, PenaltyDef } from '../api';
import type { PackModel } from '../resolve/pack';
import { isYes, type RawAct } from '../source/raw';
import { bodyName, labelOf } from './words';

/** Acts, and what is listed for people: penalties, appeals, definitions, and what is not tested. */
export function listLines(model: PackModel): readonly string[] {
  const { raw } = model;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
  const acts = Object.entries(raw.acts ?? {}).map(([name, act]) => actLine(model, name, act));
  return [
    ...section('Acts', acts),
    ...section(
      'Penalties',
      model.penalties.map((one) => penaltyLine(one)),
    ),
    ...section(
      'Appeals',
      model.appeals.map((one) => appealLine(model, one)),
    ),
    ...section(
      'Definitions',
      (raw.defines ?? []).map((one) => `- ${one.says} (${one.cite}; ${one.rows.join(', ')})`),
    ),
    ...section(
      'Not tested',
      (raw.not_tested ?? []).map((one) => `- ${one.rows.join(', ')} (${one.cite}): ${one.why}`),
    ),
  ];
}

/** Who pays what: `Whoever breaks it pays. (par. 9): at least $5, at most $50, per violation, each day for itself`. */
function penaltyLine({ says, cite, amount, eachDaySeparate, escalates, after, adds }: PenaltyDef): string {
  const parts = [
    amount && amountText(amount),
    eachDaySeparate ? 'each day for itself' : undefined,
    ...(escalates?.offences ?? []).map(
      (one) =>
        `offence ${one.offence} within ${periodText(escalates?.within ?? ONE)}: ${amountText(one.amount)}`,
    ),
    after && `after ${after}`,
    adds.length > 0 ? `besides ${adds.join(', ')}` : undefined,
  ].filter((part) => part !== undefined);
  return `- ${says} (${cite})${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
const ONE = { amount: 1, unit: 'days' } as const;

function amountText(amount: AmountDef): string {
  switch (amount.is) {
    case 'missing':
      return `missing: ${amount.missing}, kept by ${amount.keptBy}`;
    case 'dated':
      return amount.amounts.map(({ from, amount: sum }) => `from ${from} ${amountText(sum)}`).join(', ');
    case 'sum': {
      const { least, most, per } = amount;
      const each = per === undefined ? '' : `, per ${per}`;
      if (most && most.value === least.value) return `$${most.value}${each}`;
      const parts = [
        least.value === '0' ? undefined : `at least $${least.value}`,
        most ? `at most $${most.value}` : undefined,
      ].filter((part) => part !== undefined);
      return `${parts.join(', ')}${each}`;
    }
  }
}

function appealLine(model: PackModel, appeal: AppealDef): string {
  const { says, cite, against, by, to, within, stays, filedUnder, heardUnder, decidedUnder } = appeal;
  const under = [...(filedUnder === undefined ? [] : [filedUnder]), ...heardUnder, ...decidedUnder];
  const parts = [
    `against ${against.map((what) => what.replaceAll('_', ' ')).join(', ')}`,
    `${by === undefined ? '' : `by ${by} `}to ${bodyName(model, to)}`,
    `within ${periodText(within)}`,
    stays === true ? 'the decision waits' : stays === false ? 'the decision does not wait' : stays,
    ...(under.length > 0 ? [`under ${under.join(', ')}`] : []),
  ];
  return `- ${says} (${cite}): ${parts.join('; ')}`;
}

/** `Stop the gate (stop, par. 4): by Town board; on gate; records reason; until day of the end; undoes open_gate`. */
function actLine(model: PackModel, name: string, act: RawAct): string {
  const labels = (facts: readonly string[]) => facts.map((fact) => labelOf(model, fact)).join(', ');
  const who = act.by.body === undefined ? (act.by.person ?? '') : bodyName(model, act.by.body);
  const { records = [], scope = [], needs = [], starts = [], ends = [] } = act;
  const each = scope.length > 0 ? ` for each ${labels(scope)}` : '';
  const parts = [
    `by ${who}`,
    ...(records.length > 0 ? [`records ${labels(records)}`] : []),
    ...(isYes(act.once) ? [`done once${each}`] : each ? [`done${each}`] : []),
    ...(act.until === undefined ? [] : [`holds until ${labelOf(model, act.until)}`]),
    ...(act.undoes === undefined ? [] : [`undoes ${act.undoes}`]),
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ...(starts.length > 0 ? [`starts ${starts.join(', ')}`] : []),
    ...(ends.length > 0 ? [`ends ${ends.join(', ')}`] : []),
  ];
  return `- ${act.label} (\`${name}\`, ${act.cite}): ${parts.join('; ')}`;
}

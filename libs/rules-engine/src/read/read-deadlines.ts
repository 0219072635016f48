import type { ClauseBody } from '../model/ir';
import type { PackModel } from '../resolve/pack';
import { isYes, type RawDeadline, type RawDue } from '../source/raw';
import { bodyName, formulaWords } from './words';

type Deadline = Extract<ClauseBody, { verb: 'deadline' }>;

/** A deadline as an officer would say it: who owes what by when, what moves it, and what follows if it is missed. */
export function deadlineWords(model: PackModel, raw: RawDeadline, body: Deadline): string {
  const counted = (raw.counting ?? model.raw.counting) === 'plain' ? 'by the clock' : 'by Wis. Stat. 990.001';
  const starts = formulaWords(model, body.starts);
  const until = raw.due
    ? `${isYes(raw.due.prior) ? 'prior to' : 'by'} ${dayWords(model, raw.due, body)}, from ${starts} on`
    : `within ${raw.allow ?? ''} of ${starts}`;
  const sentences = [
    `${bodyName(model, raw.who)} must ${raw.must} ${until}, counted ${counted}; done when ${formulaWords(model, body.done)}`,
    ...movedWords(model, raw, body),
    `If missed: ${raw.if_missed.outcome.replaceAll('_', ' ')}`,
  ];
  return `${sentences.join('. ')}.`;
}

/** What stops it, lengthens it, lets it go, and who hears of it ahead. */
function movedWords(model: PackModel, raw: RawDeadline, body: Deadline): readonly string[] {
  const { paused_by: paused, extended_by: extended, waived_by: waivedBy, remind } = raw;
  const said: string[] = [];
  if (isYes(raw.may_be_mailed)) {
    said.push(`It may be done by post, so the days of ${model.raw.calendars?.post ?? ''} count as well`);
  }
  if (paused && body.paused) {
    const then =
      paused.then === 'restart' ? 'then the whole period begins anew' : 'then what was left runs on';
    const { from, until } = body.paused;
    said.push(
      `The clock stands still from ${formulaWords(model, from)} until ${formulaWords(model, until)}, ${then}`,
    );
  }
  if (extended && body.extended) {
    const count = formulaWords(model, body.extended);
    said.push(
      `Longer by ${extended.each} for each of ${count}, which ${bodyName(model, extended.granted_by)} may grant`,
    );
  }
  if (waivedBy !== undefined) said.push(`${bodyName(model, waivedBy)} may let it go`);
  if (remind) said.push(`Reminders: ${remind.join(', ')}`);
  return said;
}

function dayWords(model: PackModel, { day }: RawDue, { inYearOf }: Deadline): string {
  const of = inYearOf ? formulaWords(model, inYearOf) : '';
  return day === undefined ? of : `${day} of the year of ${of}`;
}

import type { Explain } from '@headworks/use-cases';
import { FORMATS, type Format } from '../history/format';
import { Instant, OneOf, Optional, Text, Written } from './decorators';

export const KEY_MOST = 200;
export const REASON_MOST = 2_000;

/** A thing by what the trade calls it. */
export class ThingDto {
  @Text(100, 'Kind of thing, a word of the pack.')
  readonly kind!: string;

  @Text(
    KEY_MOST,
    'What the trade knows it by: tax key, licence number, plate. Compared without case and double spaces.',
  )
  readonly key!: string;
}

export class ActedByDto {
  @Optional()
  @Text(KEY_MOST, 'Who acted for the body, where it is not the caller: an opaque id, never a name.')
  readonly person?: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it: a minute, a signed paper.')
  readonly evidence?: string;
}

export class WriteQuery {
  @Optional()
  @OneOf(['true', 'false'], '`true`: decide and answer, but write nothing.')
  readonly dryRun?: string;
}

const TOKEN = /^[0-9A-Za-z-]{1,64}\.[0-9A-Za-z_-]{1,64}\.[0-9a-f]{8}$/u;

/** Of every read. */
export class ReadQuery {
  @Optional()
  @Written(TOKEN, 'a position as a write answered it', 'Answer from no earlier state than this `position`.')
  readonly atLeast?: string;
}

export class ExplainedQuery extends ReadQuery {
  @Optional()
  @OneOf(['full', 'brief', 'status'], 'How much of each finding: all, without operands, or its status alone.')
  readonly explain?: Explain;
}

/** Two instants to look back from: what had occurred by `asOf`, of what was known at `knownAt`. */
export class CutQuery extends ExplainedQuery {
  @Optional()
  @Instant('What had occurred by then.')
  readonly asOf?: string;

  @Optional()
  @Instant('Only what was on record then.')
  readonly knownAt?: string;
}

const PAGE = /^(?:[1-9]\d?|[1-4]\d\d|500)$/u;

export class HistoryQuery extends CutQuery {
  @Optional()
  @Text(200, 'Events of this type alone.')
  readonly type?: string;

  @Optional()
  @Instant('Of what occurred then or later.')
  readonly from?: string;

  @Optional()
  @Instant('Of what occurred before then.')
  readonly to?: string;

  @Optional()
  @OneOf(
    ['recorded', 'legal'],
    'As it was written down, or as it happened in law. JSON comes as recorded, papers in legal order.',
  )
  readonly order?: 'recorded' | 'legal';

  @Optional()
  @OneOf(FORMATS, 'The form of the answer; else the header Accept says.')
  readonly format?: Format;

  @Optional()
  @Written(
    /^(?:0|[1-9]\d{0,14})$/u,
    'a revision: a whole number',
    'Events behind the one of this revision: `next` of the page before.',
  )
  readonly after?: string;

  @Optional()
  @Written(
    PAGE,
    'a whole number from 1 to 500',
    'Events a page at most; 100 where nothing is said, 500 on a paper.',
  )
  readonly limit?: string;
}

/** Of every list. */
export class PageQuery extends ReadQuery {
  @Optional()
  @Text(2_000, '`next` of the page before.')
  readonly cursor?: string;

  @Optional()
  @Written(PAGE, 'a whole number from 1 to 500', 'Rows a page at most; 50 where nothing is said.')
  readonly limit?: string;

  @Optional()
  @Text(100, 'Of this jurisdiction alone.')
  readonly jurisdiction?: string;
}

/** Of a call that has no parameters. */
export class NoQuery {}

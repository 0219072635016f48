import { FORMATS } from '../history/format';
import { Id, Instant, Nested, OneOf, Optional, Text, Written } from '../shapes/decorators';
import { ActedByDto, CutQuery, PageQuery, REASON_MOST } from '../shapes/shared.dto';

const STATUSES = ['open', 'contestable', 'met', 'met_late', 'missed', 'paused', 'waived', 'void'] as const;

export class DutiesQuery extends PageQuery {
  @Optional()
  @OneOf(STATUSES, 'How it stands.')
  readonly status?: (typeof STATUSES)[number];

  @Optional()
  @OneOf(
    ['true'],
    'Neither done, let go, nor void: with `dueBefore`, what is due and not done. Not with `status`.',
  )
  readonly notDone?: string;

  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'Of this clause.')
  readonly clause?: string;

  @Optional()
  @OneOf(['person', 'office'], "Whom it binds: a late office is nobody's violation.")
  readonly binds?: 'person' | 'office';

  @Optional()
  @Text(100, "Owed by this body, or whom else the pack's deadline names.")
  readonly who?: string;

  @Optional()
  @OneOf(['applicant', 'authority', 'public'], 'To whom it is owed.')
  readonly owedTo?: 'applicant' | 'authority' | 'public';

  @Optional()
  @Text(100, 'Of the thing of this id.')
  readonly subjectId?: string;

  @Optional()
  @Text(100, 'Of the permit of this id; not with `subjectId`.')
  readonly permitId?: string;

  @Optional()
  @Instant('Due before then.')
  readonly dueBefore?: string;

  @Optional()
  @Instant('As each stood by then; the order is that of now.')
  readonly asOf?: string;

  @Optional()
  @Instant('As each was on record then.')
  readonly knownAt?: string;
}

export class DerivationQuery extends CutQuery {
  @Optional()
  @OneOf(FORMATS.slice(0, 2), 'The form of the answer; else the header Accept says.')
  readonly format?: 'json' | 'markdown';
}

/** What a body says of a duty. */
export class OnDutyDto {
  @Text(REASON_MOST, 'Why. It stands in the file, and in what the applicant is told.')
  readonly reason!: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it: needed of what is recorded late.')
  readonly evidence?: string;

  @Optional()
  @Instant('When it was said; now where nothing is given.')
  readonly occurredAt?: string;

  @Optional()
  @Nested(() => ActedByDto, 'Who acted, where it is not the caller.')
  readonly by?: ActedByDto;
}

export class ExtensionDto extends OnDutyDto {
  @Optional()
  @Written(
    /^[1-9]\d?$/u,
    'a whole number from 1 to 99, as a text',
    'How often what the clause gives at once; 1.',
  )
  readonly times?: string;
}

/** What an officer says of a consequence that calendars overtook. */
export class OnConsequenceDto {
  @Text(REASON_MOST, 'Why.')
  readonly reason!: string;

  @Text(REASON_MOST, 'What shows it: a minute, a closure notice.')
  readonly evidence!: string;
}

export class LinkDto {
  @Text(100, 'Duties under this jurisdiction.')
  readonly jurisdiction!: string;

  @Optional()
  @Text(100, 'Owed by this body alone.')
  readonly who?: string;

  @Optional()
  @Id('Of the thing of this id alone.')
  readonly subjectId?: string;

  @Optional()
  @Id('Of the permit of this id alone; not with `subjectId`.')
  readonly permitId?: string;

  @Optional()
  @Instant('When the link ends: at most 400 days from now, which is what it has where nothing is said.')
  readonly expiresAt?: string;
}

export class CalendarQuery {
  @Text(4_000, 'As `POST /v1/duties/links` gave it.')
  readonly link!: string;
}

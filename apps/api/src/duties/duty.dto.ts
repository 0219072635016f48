import { Instant, OneOf, Optional, Text } from '../shapes/decorators';
import { PageQuery } from '../shapes/shared.dto';

const STATUSES = ['open', 'contestable', 'met', 'met_late', 'missed', 'paused', 'waived', 'void'] as const;

export class DutiesQuery extends PageQuery {
  @Optional()
  @OneOf(STATUSES, 'How it stands.')
  readonly status?: (typeof STATUSES)[number];

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
}

import { Instant, OneOf, Optional, Text } from '../shapes/decorators';
import { PageQuery } from '../shapes/shared.dto';

export class DutiesQuery extends PageQuery {
  @Optional()
  @OneOf(['open', 'closed'], 'Still owed, or ended one way or another.')
  readonly state?: 'open' | 'closed';

  @Optional()
  @Text(100, 'Of this clause.')
  readonly clause?: string;

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

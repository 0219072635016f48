import { Optional, Text } from '../shapes/decorators';
import { PageQuery } from '../shapes/shared.dto';

export class LedgersQuery extends PageQuery {
  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'Of this limit.')
  readonly limitName?: string;

  @Optional()
  @Text(40, 'Of this window, as a ledger names it: `2027`.')
  readonly window?: string;

  @Optional()
  @Text(100, 'Of the thing of this id.')
  readonly subjectId?: string;

  @Optional()
  @Text(100, 'Of the permit of this id; not with `subjectId`.')
  readonly permitId?: string;
}

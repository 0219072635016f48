import { Instant, OneOf, Optional, Text } from '../shapes/decorators';
import { KEY_MOST, PageQuery } from '../shapes/shared.dto';

export class ViolationsQuery extends PageQuery {
  @Optional()
  @OneOf(['open', 'abated', 'withdrawn'], 'How it stands.')
  readonly status?: 'open' | 'abated' | 'withdrawn';

  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'Of this clause.')
  readonly clause?: string;

  @Optional()
  @Text(100, 'On the thing of this id.')
  readonly subjectId?: string;

  @Optional()
  @Text(100, 'On a thing of this kind; with `subjectKey`, on that thing.')
  readonly subjectKind?: string;

  @Optional()
  @Text(KEY_MOST, 'On the thing of this key; needs `subjectKind`.')
  readonly subjectKey?: string;

  @Optional()
  @Text(100, 'Kind of who answers for it; with `responsibleKey`, that one.')
  readonly responsibleKind?: string;

  @Optional()
  @Text(KEY_MOST, 'Key of who answers for it; needs `responsibleKind`.')
  readonly responsibleKey?: string;

  @Optional()
  @Text(100, 'Under the permit of this id.')
  readonly permitId?: string;

  @Optional()
  @Text(100, 'Found in this load.')
  readonly loadId?: string;

  @Optional()
  @Instant('Begun then or later.')
  readonly from?: string;

  @Optional()
  @Instant('Begun before then.')
  readonly to?: string;

  @Optional()
  @Instant('As each stood by then.')
  readonly asOf?: string;

  @Optional()
  @Instant('As each was on record then.')
  readonly knownAt?: string;
}

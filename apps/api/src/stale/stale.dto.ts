import { Instant, Optional, Text } from '../shapes/decorators';
import { PageQuery } from '../shapes/shared.dto';

export class StaleQuery extends PageQuery {
  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'Of this clause.')
  readonly clause?: string;

  @Optional()
  @Instant('As the calendars and the files stood by then.')
  readonly asOf?: string;

  @Optional()
  @Instant('As they were on record then.')
  readonly knownAt?: string;
}

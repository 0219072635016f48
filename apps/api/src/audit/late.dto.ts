import { Instant, OneOf, Optional, Text } from '../shapes/decorators';
import { PageQuery } from '../shapes/shared.dto';

/** What is recorded by callers, and so may be recorded late. */
const STREAM_KINDS = ['load', 'permit', 'subject'] as const;

export class LateQuery extends PageQuery {
  @Optional()
  @Instant('Recorded then or later.')
  readonly from?: string;

  @Optional()
  @Instant('Recorded before then.')
  readonly to?: string;

  @Optional()
  @Text(200, 'Recorded by this one: the `id` of an `actor`.')
  readonly actor?: string;

  @Optional()
  @OneOf(STREAM_KINDS, 'Recorded of loads and manifests, of permits, or of the things that the law looks at.')
  readonly streamKind?: (typeof STREAM_KINDS)[number];
}

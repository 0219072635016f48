import { PHASES } from '@headworks/domain';
import { Instant, Nested, OneOf, Open, Optional, Text, Written } from '../shapes/decorators';
import { ActedByDto, KEY_MOST, PageQuery, REASON_MOST, ThingDto } from '../shapes/shared.dto';

/** What whoever applies or decides may say of when and by whom. */
export class SaidDto {
  @Optional()
  @Instant('When it was done; now where nothing is said.')
  readonly occurredAt?: string;

  @Optional()
  @Nested(() => ActedByDto, 'Who acted, where it is not the caller.')
  readonly by?: ActedByDto;

  @Optional()
  @Text(REASON_MOST, 'What shows it: needed of what is recorded late.')
  readonly evidence?: string;
}

export class RenewalDto extends SaidDto {
  @Optional()
  @Open('What is otherwise than on the form of the permit that it would follow.')
  readonly facts?: unknown;

  @Optional()
  @Text(REASON_MOST, 'Why it is recorded late.')
  readonly reason?: string;
}

export class ApplicationDto extends SaidDto {
  @Text(100, 'The pack whose permit it is.')
  readonly pack!: string;

  @Text(100, 'The permit type, a word of the pack.')
  readonly permitType!: string;

  @Nested(() => ThingDto, 'Who applies, and would hold it.')
  readonly applicant!: ThingDto;

  @Optional()
  @Open('The form; `GET /v1/packs/{pack}/permits/{type}` has its schema.')
  readonly facts?: unknown;

  @Optional()
  @Text(REASON_MOST, 'Why it is recorded late.')
  readonly reason?: string;
}

const STATUSES = PHASES.filter((phase) => phase !== 'nothing');

export class PermitsQuery extends PageQuery {
  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'Of this type.')
  readonly permitType?: string;

  @Optional()
  @Text(100, 'Kind of who holds it or applied for it; with `holderKey`, that one.')
  readonly holderKind?: string;

  @Optional()
  @Text(KEY_MOST, 'Key of who holds it or applied for it; needs `holderKind`.')
  readonly holderKey?: string;

  @Optional()
  @OneOf(STATUSES, 'How it stands.')
  readonly status?: (typeof STATUSES)[number];

  @Optional()
  @Text(300, 'Of this register: `series` of a permit. With `number`, the one of that number.')
  readonly series?: string;

  @Optional()
  @Written(/^[1-9]\d{0,8}$/u, 'a whole number from 1', 'Of this number in its register.')
  readonly number?: string;

  @Optional()
  @Instant('Filed then or later.')
  readonly from?: string;

  @Optional()
  @Instant('Filed before then.')
  readonly to?: string;

  @Optional()
  @Instant('As each stood by then.')
  readonly asOf?: string;

  @Optional()
  @Instant('As each was on record then.')
  readonly knownAt?: string;
}

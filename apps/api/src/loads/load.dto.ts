import type { JsonValue } from '@headworks/kernel';
import {
  Amount,
  Anything,
  Instant,
  ListOf,
  Nested,
  OneOf,
  Open,
  Optional,
  Text,
  Yes,
  Id,
} from '../shapes/decorators';
import { KEY_MOST, PageQuery, REASON_MOST, ThingDto } from '../shapes/shared.dto';

export class SourceDto {
  @Text(100, 'Kind of waste, as the trade calls it.')
  readonly wasteType!: string;

  @Amount('How much came from this source.')
  readonly quantity!: unknown;

  @Optional()
  @Instant('When it was picked up.')
  readonly servicedAt?: string;

  @Optional()
  @Nested(() => ThingDto, 'The registered place it comes from, where the pack asks for one.')
  readonly place?: ThingDto;

  @Optional()
  @Anything('Where it was picked up. Personal: sealed in the log.')
  readonly location?: JsonValue;

  @Optional()
  @Anything('Whose waste it is. Personal: sealed in the log.')
  readonly generator?: JsonValue;
}

export class LoadDto {
  @Text(100, 'The pack whose law it is recorded under.')
  readonly pack!: string;

  @Text(100, 'Kind of load, a word of the pack.')
  readonly load!: string;

  @Optional()
  @Id('The permit that it is brought under, where the pack asks for one.')
  readonly permitId?: string;

  @Optional()
  @Id('The manifest that asked for it.')
  readonly manifestId?: string;

  @Nested(() => ThingDto, 'Where it went.')
  readonly subject!: ThingDto;

  @Nested(() => ThingDto, 'Who brought it.')
  readonly hauler!: ThingDto;

  @Optional()
  @Nested(() => ThingDto, 'What brought it.')
  readonly vehicle?: ThingDto;

  @Text(KEY_MOST, 'The hauler’s own number of the load: with the hauler it names the load.')
  readonly ticket!: string;

  @Instant('When it began; never later than now.')
  readonly occurredAt!: string;

  @Optional()
  @Instant('When it ended.')
  readonly finishedAt?: string;

  @Amount('How much it was: a volume or a mass.')
  readonly quantity!: unknown;

  @Optional()
  @ListOf(() => SourceDto, 500, 'What it was made up of.')
  readonly sources?: SourceDto[];

  @Optional()
  @Open('Facts that the load gives; `GET /v1/packs/{pack}/loads/{load}` has their schema.')
  readonly facts?: unknown;

  @Optional()
  @Text(KEY_MOST, 'Who signed for it. Personal: sealed in the log.')
  readonly signedBy?: string;

  @Optional()
  @Yes(
    '`true`: another load under a ticket that was used before. Needs a reason, and is listed for a person to look at.',
  )
  readonly distinct?: boolean;

  @Optional()
  @Text(REASON_MOST, 'Why it is recorded late, or is distinct.')
  readonly reason?: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it: needed of what is recorded late.')
  readonly evidence?: string;
}

export class CorrectedDto {
  @Optional()
  @Amount('How much it was.')
  readonly quantity?: unknown;

  @Optional()
  @Open('Facts that were wrong or left out.')
  readonly facts?: unknown;

  @Optional()
  @Nested(() => ThingDto, 'Where it went.')
  readonly subject?: ThingDto;

  @Optional()
  @Id('The permit that it was brought under.')
  readonly permitId?: string;

  @Optional()
  @Instant('When it began.')
  readonly occurredAt?: string;

  @Optional()
  @Instant('When it ended.')
  readonly finishedAt?: string;
}

export class CorrectionDto {
  @Text(REASON_MOST, 'Why what was recorded is wrong.')
  readonly reason!: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it.')
  readonly evidence?: string;

  @Optional()
  @Yes('`true`: there was no such load.')
  readonly void?: boolean;

  @Optional()
  @Nested(() => CorrectedDto, 'What it was instead; what is not named stays.')
  readonly set?: CorrectedDto;
}

export class LoadsQuery extends PageQuery {
  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'On a thing of this kind; with `subjectKey`, on that thing.')
  readonly subjectKind?: string;

  @Optional()
  @Text(KEY_MOST, 'On the thing of this key; needs `subjectKind`.')
  readonly subjectKey?: string;

  @Optional()
  @Text(100, 'On the thing of this id.')
  readonly subjectId?: string;

  @Optional()
  @Text(100, 'Brought by a thing of this kind; with `haulerKey`, by that one.')
  readonly haulerKind?: string;

  @Optional()
  @Text(KEY_MOST, 'Brought by the one of this key; needs `haulerKind`.')
  readonly haulerKey?: string;

  @Optional()
  @Text(100, 'Under the permit of this id.')
  readonly permitId?: string;

  @Optional()
  @Text(KEY_MOST, 'Of this ticket.')
  readonly ticket?: string;

  @Optional()
  @OneOf(['unknown', 'violated'], 'With a finding that waits for a fact, or one that is violated.')
  readonly finding?: 'unknown' | 'violated';

  @Optional()
  @OneOf(['true', 'false'], 'Void ones alone, or none of them.')
  readonly voided?: string;

  @Optional()
  @Instant('Begun then or later.')
  readonly from?: string;

  @Optional()
  @Instant('Begun before then.')
  readonly to?: string;
}

import { SourceDto } from '../loads/load.dto';
import { Amount, Instant, ListOf, Nested, OneOf, Open, Optional, Text, Yes, Id } from '../shapes/decorators';
import { KEY_MOST, PageQuery, REASON_MOST, ThingDto } from '../shapes/shared.dto';

export class ManifestDto {
  @Text(100, 'The pack whose law it is asked under.')
  readonly pack!: string;

  @Optional()
  @Text(100, 'Kind of manifest, a word of the pack; needed where it has several for such a thing.')
  readonly manifest?: string;

  @Id('The permit that the load would be brought under.')
  readonly permitId!: string;

  @Nested(() => ThingDto, 'Where it would go.')
  readonly subject!: ThingDto;

  @Nested(() => ThingDto, 'Who would bring it.')
  readonly hauler!: ThingDto;

  @Optional()
  @Nested(() => ThingDto, 'What would bring it.')
  readonly vehicle?: ThingDto;

  @Text(KEY_MOST, 'The hauler’s own number of the load: with the hauler it names manifest and load.')
  readonly ticket!: string;

  @Optional()
  @Instant('When it was asked; now where nothing is said.')
  readonly occurredAt?: string;

  @Instant('When the load would be brought.')
  readonly plannedAt!: string;

  @Amount('How much it would be: a volume or a mass.')
  readonly quantity!: unknown;

  @Optional()
  @ListOf(() => SourceDto, 500, 'What it is made up of.')
  readonly sources?: SourceDto[];

  @Optional()
  @Open('Facts that it gives; `GET /v1/packs/{pack}/manifests/{manifest}` has their schema.')
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

export class AcceptanceDto {
  @Optional()
  @Open('Facts of the manifest that fill what is missing.')
  readonly facts?: unknown;

  @Optional()
  @Text(REASON_MOST, 'A word for the file.')
  readonly reason?: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it.')
  readonly evidence?: string;
}

/** A refusal, or a withdrawal. */
export class EndManifestDto {
  @Text(REASON_MOST, 'Why.')
  readonly reason!: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it.')
  readonly evidence?: string;
}

const STATUSES = ['pending', 'accepted', 'refused', 'withdrawn', 'lapsed', 'discharged'] as const;

export class ManifestsQuery extends PageQuery {
  @Optional()
  @Text(100, 'Of this pack.')
  readonly pack?: string;

  @Optional()
  @Text(100, 'Of this kind.')
  readonly manifest?: string;

  @Optional()
  @Text(100, 'Under the permit of this id.')
  readonly permitId?: string;

  @Optional()
  @Text(100, 'To a thing of this kind; with `subjectKey`, to that one.')
  readonly subjectKind?: string;

  @Optional()
  @Text(KEY_MOST, 'To the thing of this key; needs `subjectKind`.')
  readonly subjectKey?: string;

  @Optional()
  @Text(100, 'Of a hauler of this kind; with `haulerKey`, of that one.')
  readonly haulerKind?: string;

  @Optional()
  @Text(KEY_MOST, 'Of the hauler of this key; needs `haulerKind`.')
  readonly haulerKey?: string;

  @Optional()
  @Text(KEY_MOST, 'Of this ticket.')
  readonly ticket?: string;

  @Optional()
  @OneOf(STATUSES, 'How it stands now.')
  readonly status?: (typeof STATUSES)[number];

  @Optional()
  @Instant('Planned for then or later.')
  readonly from?: string;

  @Optional()
  @Instant('Planned for before then.')
  readonly to?: string;
}

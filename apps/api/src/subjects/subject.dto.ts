import { Day, ListOf, Instant, Nested, OneOf, Open, Optional, Text } from '../shapes/decorators';
import { ActedByDto, CutQuery, KEY_MOST, PageQuery, REASON_MOST } from '../shapes/shared.dto';

export class RegistrationDto {
  @Text(100, 'Whose thing it is.')
  readonly jurisdiction!: string;

  @Text(KEY_MOST, 'What the trade knows it by. Kind and key name the thing for good.')
  readonly key!: string;

  @Optional()
  @Text(500, 'A name for people.')
  readonly name?: string;

  @Optional()
  @Open('GeoJSON Polygon or MultiPolygon, [longitude, latitude].')
  readonly geometry?: unknown;

  @Optional()
  @Instant('Since when; now where nothing is said.')
  readonly occurredAt?: string;

  @Optional()
  @Open('What is known of it; `GET /v1/packs/{pack}/kinds/{kind}` has the schema.')
  readonly facts?: unknown;

  @Optional()
  @Text(REASON_MOST, 'Why it is recorded late.')
  readonly reason?: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it: needed of what is recorded late.')
  readonly evidence?: string;
}

export class FactsDto {
  @Optional()
  @Instant('Since when it is so; now where nothing is said.')
  readonly occurredAt?: string;

  @Optional()
  @Open('The facts.')
  readonly facts?: unknown;

  @Optional()
  @Text(REASON_MOST, 'What shows it: a survey, a reading.')
  readonly evidence?: string;

  @Optional()
  @Text(300, '`stream@revision` of the event whose facts were wrong, to correct it.')
  readonly corrects?: string;

  @Optional()
  @Text(300, '`stream@revision` of an event that was recorded in error, to annul it.')
  readonly annuls?: string;

  @Optional()
  @Text(REASON_MOST, 'Why; needed to correct, to annul and of what is recorded late.')
  readonly reason?: string;
}

export class ActDto {
  @Text(100, 'The pack whose act it is.')
  readonly pack!: string;

  @Optional()
  @Instant('When it was done; now where nothing is said.')
  readonly occurredAt?: string;

  @Optional()
  @Open('What the act records; `GET /v1/packs/{pack}/acts/{act}` has the schema.')
  readonly facts?: unknown;

  @Optional()
  @Text(REASON_MOST, 'A note for the file.')
  readonly note?: string;

  @Optional()
  @Nested(() => ActedByDto, 'Who acted, where it is not the caller.')
  readonly by?: ActedByDto;

  @Optional()
  @Text(KEY_MOST, 'Key of the hauler that the act is about, where it is about one.')
  readonly hauler?: string;

  @Optional()
  @Text(REASON_MOST, 'Why it is recorded late.')
  readonly reason?: string;

  @Optional()
  @Text(REASON_MOST, 'What shows it: needed of what is recorded late.')
  readonly evidence?: string;
}

export class SuccessorDto {
  @Optional()
  @Text(100, 'Kind; the same where nothing is said.')
  readonly kind?: string;

  @Text(KEY_MOST, 'Key of the thing that follows.')
  readonly key!: string;

  @Optional()
  @Text(100, 'Its part of the whole, as the deed has it.')
  readonly share?: string;
}

export class SupersessionDto {
  @ListOf(() => SuccessorDto, 100, 'What takes its place.', 1)
  readonly successors!: SuccessorDto[];

  @Day('Local date from which it is so.')
  readonly on!: string;

  @Text(REASON_MOST, 'Why: a split, a merger, the deed.')
  readonly reason!: string;
}

export class LedgerOfQuery extends CutQuery {
  @Optional()
  @Day('Local date whose window is looked at; today where nothing is said.')
  readonly on?: string;
}

export class SubjectsQuery extends PageQuery {
  @Optional()
  @Text(KEY_MOST, 'Of this key, in any spelling.')
  readonly key?: string;

  @Optional()
  @OneOf(['true', 'false'], 'Registered ones alone, or those that only a load named.')
  readonly registered?: string;
}

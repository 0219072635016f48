import type { JsonValue } from '@headworks/kernel';
import type { Explain } from '@headworks/use-cases';
import { Amount, Instant, IdOrNull, Nested, OneOf, Open, Optional, Text } from '../shapes/decorators';
import { ThingDto } from '../shapes/shared.dto';

export class CheckDto {
  @Text(100, 'The pack that is asked.')
  readonly pack!: string;

  @Text(100, 'The question, a word of the pack.')
  readonly assessment!: string;

  @Optional()
  @Instant('What is now, and the date of stored facts; this instant where nothing is said.')
  readonly asOf?: string;

  @Optional()
  @Nested(() => ThingDto, 'The thing whose stored facts count in.')
  readonly subject?: ThingDto;

  @Optional()
  @Nested(() => ThingDto, 'Who would bring it.')
  readonly hauler?: ThingDto;

  @Optional()
  @Nested(() => ThingDto, 'What would bring it.')
  readonly vehicle?: ThingDto;

  @Optional()
  @Amount('How much it would be: a volume or a mass.')
  readonly quantity?: JsonValue;

  @Optional()
  @IdOrNull('The permit it would be under; null: under none.')
  readonly permitId?: string | null;

  @Optional()
  @Open('Facts given now: they come before stored ones.')
  readonly facts?: unknown;
}

export class CheckQuery {
  @Optional()
  @OneOf(['full', 'brief', 'status'], 'How much of each finding: all, without operands, or its status alone.')
  readonly explain?: Explain;
}

import { Day, Instant, ListOf, Optional, Text, Texts } from '../shapes/decorators';
import { REASON_MOST } from '../shapes/shared.dto';

export class ClosedDayDto {
  @Day('The day, by the clocks of the jurisdiction.')
  readonly date!: string;

  @Text(200, 'Why it is closed: it stands in every derivation.')
  readonly name!: string;

  @Optional()
  @Texts(20, 'For whom, of `public`, `staff`, `contractors`; everyone where nothing is said.', 1)
  readonly closedFor?: ('public' | 'staff' | 'contractors')[];
}

export class CalendarDaysDto {
  @ListOf(() => ClosedDayDto, 100, 'Days that are closed.', 1)
  readonly days!: ClosedDayDto[];

  @Text(REASON_MOST, 'Why: weather, a closure.')
  readonly reason!: string;

  @Text(REASON_MOST, 'What shows it: an order, a notice.')
  readonly evidence!: string;

  @Optional()
  @Instant('When it was decided; now where nothing is said.')
  readonly occurredAt?: string;
}

export class ClosedDaysAnnulmentDto {
  @Text(REASON_MOST, 'Why it was a mistake.')
  readonly reason!: string;

  @Text(REASON_MOST, 'What shows it: an order, a notice.')
  readonly evidence!: string;
}

import { ListOf, Open, Optional, Text, Texts, Yes } from '../shapes/decorators';
import { REASON_MOST } from '../shapes/shared.dto';
import { SaidDto } from './permit.dto';

/** A decision that gives its reason. */
export class ReasonedDto extends SaidDto {
  @Text(REASON_MOST, 'Why. It stands in the file, and in what the holder is told.')
  readonly reason!: string;
}

export class InformationRequestDto extends ReasonedDto {
  @Optional()
  @Texts(100, 'Names of the facts that are asked for, of those on the form.')
  readonly facts?: string[];
}

export class InformationDto extends SaidDto {
  @Open('What the applicant adds: facts of the form.')
  readonly facts!: unknown;

  @Optional()
  @Text(REASON_MOST, 'A note for the file.')
  readonly note?: string;

  @Optional()
  @Text(REASON_MOST, 'Why it is recorded late.')
  readonly reason?: string;
}

/** A decision whose clauses say all: a reason is for what is recorded late. */
export class PlainDecisionDto extends SaidDto {
  @Optional()
  @Text(REASON_MOST, 'A word for the file; needed of what is recorded late.')
  readonly reason?: string;
}

export class WaiverDto {
  @Text(100, 'The clause that is left unmet.')
  readonly clause!: string;

  @Text(REASON_MOST, 'Why the power of the pack is used.')
  readonly reason!: string;
}

export class ApprovalDto extends ReasonedDto {
  @Optional()
  @Open('What the approval fixes: the facts that the permit type `sets`.')
  readonly sets?: unknown;

  @Optional()
  @ListOf(() => WaiverDto, 100, 'Clauses that are waived, each by a power that the pack gives.')
  readonly waive?: WaiverDto[];

  @Optional()
  @Yes(
    '`false`: approve alone, and issue another day. Otherwise it is issued with it, where nothing stands against that.',
  )
  readonly issue?: boolean;
}

/** A decision against the holder, with the clauses it rests on. */
export class GroundedDto extends ReasonedDto {
  @Texts(100, 'Clauses that it rests on.', 1)
  readonly grounds!: string[];
}

export class ConditionsDto extends ReasonedDto {
  @Optional()
  @Texts(REASON_MOST, 'Conditions, each a sentence.')
  readonly conditions?: string[];

  @Optional()
  @Open('What they fix: facts that the permit type `sets`.')
  readonly sets?: unknown;
}

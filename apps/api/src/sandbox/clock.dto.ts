import { Instant } from '../shapes/decorators';

export class ClockDto {
  @Instant('Where the clock goes: forward only.')
  readonly now!: string;
}

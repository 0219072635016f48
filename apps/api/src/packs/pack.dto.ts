import { Optional, Text } from '../shapes/decorators';

export class PackQuery {
  @Optional()
  @Text(40, 'This version; the newest where nothing is said.')
  readonly version?: string;
}

import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { isUuid, refuseFaults } from '@headworks/kernel';
import { HttpProblem } from '../http/problems';
import { faultsOf, hasShape } from './faults-of';

/**
 * Every body and query has the shape of its DTO, or is refused with all that is wrong. A value passes as it was sent:
 * nothing is converted, filled in or taken out.
 */
@Injectable()
export class ShapePipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    const shape = metatype as (new () => object) | undefined;
    if (shape === undefined) throw new Error('A body or query needs a DTO class.');
    if (!hasShape(shape, value)) {
      refuseFaults(faultsOf(shape, value, type), type === 'body' ? 'The body' : 'The address');
    }
    return value;
  }
}

/** An id in an address. What is no UUID names nothing. */
@Injectable()
export class KnownId implements PipeTransform<string, string> {
  transform(id: string): string {
    if (isUuid(id)) return id;
    throw new HttpProblem(
      'not-found',
      'There is nothing of that id here; an id is a UUID as this server gave it.',
    );
  }
}

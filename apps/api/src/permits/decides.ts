import { applyDecorators, Post } from '@nestjs/common';
import { Writes } from '../http/described';
import { WriteQuery } from '../shapes/shared.dto';

interface Decision {
  /** The last word of its address, and the name of its DTO. */
  readonly at: string;
  readonly body: new () => object;
  readonly summary: string;
  readonly description?: string;
}

/** A decision on a permit's file. The law may stand against it; then it is answered 422, and the file stays as it is. */
export const Decides = ({ at, ...described }: Decision): MethodDecorator =>
  applyDecorators(
    Post(`:id/${at}`),
    Writes({
      ...described,
      query: WriteQuery,
      answer: 'PermitAnswer',
      records: true,
      refusable: 'unrecorded',
    }),
  );

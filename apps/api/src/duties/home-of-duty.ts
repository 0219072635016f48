import { CodedError } from '@headworks/kernel';
import type { Home, Request } from '@headworks/use-cases';
import { listable, nowOf } from '../http/reading';
import type { Program } from '../program';

/** Where a duty is at home, by the list: another agency's is as if it were not. */
export async function homeOfDuty(
  program: Program,
  { caller }: Pick<Request, 'caller'>,
  id: string,
  query: { readonly atLeast?: string } = {},
): Promise<Home> {
  await listable(program, query);
  const { services, views } = program;
  const found = await views.duty(caller.jurisdictions, nowOf(services.clock), id);
  if (!found) throw new CodedError('not-found', 'There is no such duty here.');
  return { stream: found.stream, id };
}

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoInstant, type JsonObject } from '@headworks/kernel';
import type { HistoryQuery as Asked } from '@headworks/use-cases';
import { nowOf } from '../http/reading';
import { withoutCiphertext } from '../http/sealed';
import type { Program } from '../program';
import type { HistoryQuery } from '../shapes/shared.dto';
import { csvOf } from './csv';
import { formatOf, MEDIA_TYPES, type Format } from './format';
import { paperOf, type Told } from './paper';
import type { About, ShownHistory } from './told';

/** Where an answer goes that may be one of several forms: what was asked for, and the reply that says what it is. */
export interface Door {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export const AtDoor = createParamDecorator((_data: unknown, context: ExecutionContext): Door => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
});

interface Teller {
  readonly read: (query: Asked) => Promise<JsonObject>;
  /** Asked for papers alone. */
  readonly about: () => Promise<About>;
}

/** Papers are for the file: as much on one as a page may hold, in the order of the law. */
const PAPER = { order: 'legal', limit: 500 } as const;

/** Answers a history in the form that was asked for: JSON, a paper in Markdown, or CSV. */
export async function tellHistory(
  program: Program,
  { request, reply }: Door,
  query: HistoryQuery,
  { read, about }: Teller,
): Promise<JsonObject | string> {
  const format = formatOf(query.format, request.headers.accept);
  const history = withoutCiphertext(await read(askedOf(query, format)));
  void reply.header('vary', 'accept');
  const { next } = history;
  if (typeof next === 'number') void reply.header('link', `<${nextPage(request.url, next)}>; rel="next"`);
  if (format === 'json') return history;
  const told = toldOf(program, query, history as unknown as ShownHistory, await about());
  void reply.type(`${MEDIA_TYPES[format]}; charset=utf-8${format === 'csv' ? '; header=present' : ''}`);
  if (format === 'markdown') return paperOf(told);
  const name = `${told.isSandbox ? 'SANDBOX-' : ''}${told.history.stream}.csv`;
  void reply.header('content-disposition', `attachment; filename="${name}"`);
  return csvOf(told);
}

/** Parameters are texts; a page of history counts in numbers. */
function askedOf({ after, limit, format: _format, ...query }: HistoryQuery, format: Format): Asked {
  return {
    ...(format === 'json' ? {} : PAPER),
    ...query,
    ...(after !== undefined && { after: Number(after) }),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}

function nextPage(url: string, after: number): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('after', String(after));
  return `${path}?${parameters.toString()}`;
}

function toldOf(program: Program, query: HistoryQuery, history: ShownHistory, about: About): Told {
  const { rules, services } = program;
  const { type, from, to, asOf, knownAt } = query;
  const now = nowOf(services.clock);
  const asked = [
    ['Of the type', type],
    ['From', from],
    ['Before', to],
    ['As of', asOf],
    ['As known at', knownAt],
    ['Printed', now === 0 ? undefined : isoInstant(now)],
  ] as const;
  return {
    about,
    history,
    rules,
    zone: rules.jurisdictions.get(about.jurisdiction)?.zone ?? 'UTC',
    isSandbox: services.clock.kind === 'virtual',
    asked: asked.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  };
}

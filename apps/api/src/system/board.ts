import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import { problemOf } from '../http/problem-of';
import { sendProblem } from '../http/problem.filter';
import type { Program } from '../program';

export const BOARD = '/board';

/**
 * Only what shows. Whoever would change the queue by hand could change nothing of the law, and a browser that keeps a
 * password for the page would send it for anybody who asks: so no route of it writes.
 */
class ReadingAdapter extends FastifyAdapter {
  override setApiRoutes(routes: Parameters<FastifyAdapter['setApiRoutes']>[0]): FastifyAdapter {
    return super.setApiRoutes(routes.filter(({ method }) => [method].flat().every((name) => name === 'get')));
  }
}

/** Bull Board over the queue of alarms: where a Redis is named, and for administrators (see access.ts). */
export async function serveBoard(server: FastifyInstance, { alarms }: Program): Promise<void> {
  if (!alarms.queue) return;
  const board = new ReadingAdapter();
  board.setBasePath(BOARD);
  createBullBoard({
    queues: [new BullMQAdapter(alarms.queue, { readOnlyMode: true, description: 'Wakes for what is due' })],
    // The two packages of it have a copy each of one type.
    serverAdapter: board as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
    options: { uiConfig: { boardTitle: 'Headworks alarms' } },
  });
  const plugin = board.registerPlugin();
  await server.register(
    (scope, _options, done) => {
      // Its errors are answered as all others are: its own handler would make a 500 of who may not come in.
      const ours = Object.create(scope, {
        setErrorHandler: {
          value: () =>
            scope.setErrorHandler((error, request, reply) => sendProblem(reply, request, problemOf(error))),
        },
      }) as typeof scope;
      plugin(ours, { basePath: BOARD }, done);
    },
    { prefix: BOARD },
  );
}

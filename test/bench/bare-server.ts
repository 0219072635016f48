import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import type { NewEvent } from '@headworks/kernel';
import { openSqliteStore } from '../../libs/event-store/src/adapters';

/**
 * The ceiling of the HTTP row, in a process of its own: Fastify with nothing on it, whose handler takes the same JSON
 * and makes the same durable writes: the appends that Headworks made for one load, each to a new stream, through the
 * same store. It checks nothing, knows no law and answers no findings.
 */
async function main([dir = '', template = '']: readonly string[]): Promise<void> {
  const appends = JSON.parse(readFileSync(template, 'utf8')) as readonly (readonly NewEvent[])[];
  const store = await openSqliteStore({ dir, clock: 'virtual', now: () => '1970-01-01T00:00:00.000Z' });
  const server = fastify();
  server.post('/v1/loads', async (request, reply) => {
    const { ticket } = request.body as { readonly ticket: string };
    const id = randomUUID();
    // One after another, as what follows from a load can only be appended after it.
    for (const [index, events] of appends.entries()) {
      const fresh = events.map((event) => ({ ...event, id: randomUUID() }));
      const verdict = await store.append({ stream: `bare-${index}-${id}`, expected: 'none', events: fresh });
      if (!verdict.ok) return reply.code(409).send({ ticket });
    }
    return reply.code(201).send({ id, ticket });
  });
  process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}/v1\n`);
  process.once('SIGTERM', () => {
    void server
      .close()
      .then(() => store.close())
      .then(() => process.exit(0));
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});

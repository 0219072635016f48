import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Program } from '../program';

const NAME = 'headworks_';

/** Requests as they are answered, by route: an address is never a label, for it names things. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: `${NAME}http_request_seconds`,
    help: 'Requests answered, by method, route and status, and how long each took.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  });

  constructor(private readonly program: Program) {
    this.addAlarms();
    this.addDuties();
    new Gauge({
      name: `${NAME}view_lag_events`,
      help: 'Events of the log that a view, or the automations, have not taken in yet.',
      labelNames: ['view'] as const,
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const [view, lag] of Object.entries((await program.readiness()).lag)) this.set({ view }, lag);
      },
    });
  }

  /** Must come before the first route. */
  watch(server: FastifyInstance): void {
    server.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      const labels = { method, route: routeOptions.url ?? 'none', status: String(reply.statusCode) };
      this.requests.observe(labels, reply.elapsedTime / 1000);
      done();
    });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  private addAlarms(): void {
    const { alarms } = this.program;
    const registers = [this.registry];
    new Gauge({
      name: `${NAME}alarms_armed`,
      help: 'Alarms that this process has put into the queue for what is due soon; without a queue 1, its timer.',
      registers,
      collect() {
        this.set(alarms.figures().armed);
      },
    });
    new Counter({
      name: `${NAME}alarms_fired_total`,
      help: 'Settles that this process sent, by what woke it: the queue, or the timer and the sweep.',
      labelNames: ['by'] as const,
      registers,
      collect() {
        const { firedByQueue, firedBySweep } = alarms.figures();
        this.reset();
        this.inc({ by: 'queue' }, firedByQueue);
        this.inc({ by: 'sweep' }, firedBySweep);
      },
    });
    for (const [figure, help] of [
      ['late', 'Settles that this process sent more than HEADWORKS_LATE_MINUTES after the due instant.'],
      ['failed', 'Settles that failed; each is tried again.'],
    ] as const) {
      new Counter({
        name: `${NAME}alarms_${figure}_total`,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(alarms.figures()[figure]);
        },
      });
    }
  }

  private addDuties(): void {
    const { alarms } = this.program;
    new Gauge({
      name: `${NAME}duties_overdue`,
      help: 'Duties, and permits that end, whose instant is past and whose consequence is not recorded.',
      registers: [this.registry],
      async collect() {
        this.set((await alarms.overdue()).due);
      },
    });
    // Asked for itself: gauges are collected in no order, and one that another sets would tell of the scrape before.
    new Gauge({
      name: `${NAME}duties_late`,
      help: 'Of those, the ones that are so for more than HEADWORKS_LATE_MINUTES.',
      registers: [this.registry],
      async collect() {
        this.set((await alarms.overdue()).late);
      },
    });
  }
}

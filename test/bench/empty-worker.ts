import { Worker } from 'bullmq';

// A worker of BullMQ with nothing to do, in a process of its own: what waking alone costs. See alarms.bench.ts.
const [, , url = '', prefix = ''] = process.argv;
const { hostname, port } = new URL(url);
const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null };
const worker = new Worker('empty', async () => undefined, { connection, prefix, concurrency: 64 });
void worker.waitUntilReady().then(() => process.stdout.write('ready\n'));
process.stdin.on('end', () => process.exit(0)).resume();

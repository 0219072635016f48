import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A pooler in transaction mode, as small as it can be: each transaction of a client runs on whichever server session
 * is free. Plants what a start must refuse; real poolers do the same for a living.
 */
export async function startTransactionPooler(
  serverUrl: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const target = new URL(serverUrl);
  const idle: Session[] = [];
  const open = new Set<Socket>();
  const acquire = async () => idle.pop() ?? openSession(target, idle, open);
  const server = createServer((client) => {
    open.add(client);
    serveClient(client, acquire);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One session of the server, lent to a client for a transaction. */
interface Session {
  readonly socket: Socket;
  client: Socket | undefined;
}

const SSL_REQUEST = 80877103;
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);

function serveClient(client: Socket, acquire: () => Promise<Session>): void {
  let waiting: Buffer = Buffer.alloc(0);
  let greeted = false;
  let session: Promise<Session> | undefined;
  client.on('error', () => client.destroy());
  client.on('data', (data) => {
    if (greeted) {
      if (data[0] === 0x58) return void client.end();
      session ??= acquire();
      void session.then((lent) => {
        lent.client = client;
        lent.socket.once('released', () => (session = undefined));
        lent.socket.write(data);
      });
      return;
    }
    waiting = Buffer.concat([waiting, data]);
    while (!greeted && waiting.length >= 8 && waiting.length >= waiting.readInt32BE(0)) {
      const wantsTls = waiting.readInt32BE(4) === SSL_REQUEST;
      waiting = waiting.subarray(waiting.readInt32BE(0));
      greeted = !wantsTls;
      client.write(wantsTls ? 'N' : Buffer.concat([AUTHENTICATED, READY]));
    }
  });
}

async function openSession(target: URL, idle: Session[], open: Set<Socket>): Promise<Session> {
  const socket = connect(Number(target.port), target.hostname);
  const session: Session = { socket, client: undefined };
  open.add(socket);
  socket.on('error', () => socket.destroy());
  const words = ['user', decodeURIComponent(target.username), 'database', target.pathname.slice(1), ''];
  const body = Buffer.from(words.map((word) => `${word}\0`).join(''));
  const start = Buffer.alloc(8);
  start.writeInt32BE(body.length + 8, 0);
  start.writeInt32BE(196608, 4);
  socket.write(Buffer.concat([start, body]));
  await new Promise<void>((resolve) => {
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (data) => {
      const { client } = session;
      const found = lastReady(Buffer.concat([rest, data]));
      rest = found.rest;
      if (found.idle) {
        // Out of its transaction: the session is free for the next one, whoever's that is.
        session.client = undefined;
        if (client) idle.push(session);
        socket.emit('released');
        resolve();
      }
      client?.write(data);
    });
  });
  return session;
}

/** Does the data end with the server ready outside of a transaction? `rest` is a message that is not whole yet. */
function lastReady(data: Buffer): { idle: boolean; rest: Buffer } {
  let rest = data;
  let isIdle = false;
  while (rest.length >= 5 && rest.length >= rest.readInt32BE(1) + 1) {
    const size = rest.readInt32BE(1) + 1;
    if (rest[0] === 0x5a) isIdle = rest[5] === 0x49;
    rest = rest.subarray(size);
  }
  return { idle: isIdle, rest };
}

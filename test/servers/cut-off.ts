import { createServer, connect, type Socket } from 'node:net';

/** A wire that a test can cut in silence: both ends stay open and hear nothing more, as behind a firewall that forgot. */
export interface Wire {
  readonly port: number;
  /** From now on nothing passes, on connections that stand and on new ones. */
  cut(): void;
  /** New connections pass again; those that were cut stay dead. */
  mend(): void;
  close(): Promise<void>;
}

export async function wireTo(port: number): Promise<Wire> {
  let isCut = false;
  // What stood when the wire was cut, or was begun since, never comes to life again.
  let era = 0;
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Socket): void => {
    const mine = era;
    from.on('data', (data) => {
      if (mine === era && !isCut) to.write(data);
    });
    for (const end of ['close', 'error'] as const) from.on(end, () => to.destroy());
    sockets.add(from);
    from.once('close', () => sockets.delete(from));
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    join(near, far);
    join(far, near);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut: () => {
      [isCut, era] = [true, era + 1];
    },
    mend: () => {
      [isCut, era] = [false, era + 1];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

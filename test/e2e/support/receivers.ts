import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  readonly to: readonly string[];
  readonly text: string;
}

/** A mail server that keeps what it is given; `refuse`: the answer to a recipient, where it is none of `250`. */
export async function startMailServer(refuse: () => number | undefined = () => undefined) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const responseCode = refuse();
      if (responseCode === undefined) done();
      else done(Object.assign(new Error('not now'), { responseCode }));
    },
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (data: Buffer) => (text += data.toString('utf8')));
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: unfolded(text) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  return {
    mails,
    url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Long lines are folded in headers and broken by `=` in a body. */
const unfolded = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/\r?\n[ \t]+/g, ' ')
    .replaceAll('\r\n', '\n');

export interface Hook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of webhooks that answers as it is told. */
export async function startHookServer(answer: () => number = () => 204) {
  const hooks: Hook[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString('utf8')));
    request.on('end', () => {
      hooks.push({ headers: request.headers as Hook['headers'], body });
      response.writeHead(answer()).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    hooks,
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

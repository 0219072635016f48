import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, startApi } from './support/api';
import { expectStatus, load } from './support/town';

const MAIN = join(__dirname, '../../dist/apps/api/src/main.js');

/** The built program; resolves when it ended. `upon`: called with all it has printed so far. */
function run(env: Readonly<Record<string, string>>, upon: (output: string, stop: () => void) => void) {
  const dir = mkdtempSync(join(tmpdir(), 'headworks-start-'));
  const child = spawn(process.execPath, [MAIN], {
    cwd: join(__dirname, '../..'),
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stderr.on('data', (data: Buffer) => (errors += data.toString('utf8')));
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString('utf8');
    upon(output, () => child.kill('SIGTERM'));
  });
  return new Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>(
    (resolve) => {
      child.once('close', (code) => {
        rmSync(dir, { recursive: true, force: true });
        resolve({ code, output, errors });
      });
    },
  );
}

describe('the built program', () => {
  it('prints where it is, a key once and a call to paste that works, and stops cleanly', async () => {
    let pasted: Promise<number> | undefined;
    const { code, output, errors } = await run({}, (said, stop) => {
      const call = /Bearer (hw_\S+)' (http:\S+\/v1\/packs)/.exec(said);
      if (pasted || !call || !said.includes('Ctrl-C')) return;
      const headers = { authorization: `Bearer ${call[1] ?? ''}` };
      pasted = fetch(call[2] ?? '', { headers }).then(async (response) => {
        await response.text();
        stop();
        return response.status;
      });
    });
    expect([code, errors, await pasted]).toEqual([0, '', 200]);
    expect(output.match(/hw_\S+/g)?.length).toBe(2);
  });

  it('as a worker it listens nowhere, and stops cleanly', async () => {
    const { code, output, errors } = await run({ HEADWORKS_ROLE: 'worker' }, (said, stop) => {
      if (said.includes('listens nowhere')) stop();
    });
    expect([code, errors, output.includes('http')]).toEqual([0, '', false]);
  });

  it('a port that is taken is one sentence, and what was opened is closed', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    const { code, errors } = await run({ PORT: port }, () => undefined);
    other.close();
    expect([code, errors]).toEqual([
      1,
      `Port ${port} of 127.0.0.1 is taken; stop what listens there, or set PORT to another.\n`,
    ]);
  });
});

describe('stopping', () => {
  it('finishes what came in, and tells what comes after to come again', async () => {
    const api = await startApi('sqlite');
    expectStatus(await api.at('2027-07-03T15:00:00-05:00'), 200);
    const { headworks } = api.program;
    const record = headworks.recordLoad.bind(headworks);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => {
      jest.spyOn(headworks, 'recordLoad').mockImplementation(async (...asked) => {
        resolve();
        await held;
        return record(...asked);
      });
    });
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1');
    const answers = textOf(socket);
    socket.write(post('/v1/loads', load('Q-1', '2027-07-03T14:55:00-05:00')));
    await reached;
    const stopped = api.stop();
    socket.write(post('/v1/loads', load('Q-1', '2027-07-03T14:56:00-05:00')));
    release();
    const [first = '', second = ''] = (await answers).split(/(?=HTTP\/1\.1 )/);
    expect(first).toMatch(/^HTTP\/1\.1 201 /);
    expect(second).toMatch(/^HTTP\/1\.1 503 /);
    expect(second).toContain('https://headworks.invalid/problems/shutting-down');
    await stopped;
  });
});

function post(path: string, body: unknown): string {
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    'Host: headworks',
    `Authorization: Bearer ${ADMIN}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');
}

function textOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString('utf8')));
    socket.once('close', () => resolve(text));
    socket.once('error', reject);
  });
}

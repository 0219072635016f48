import { createServer } from 'node:net';
import { mailNotifier } from './mail';
import { readConfig } from './config';

const MESSAGE = { id: 'r-1', subject: 'Reminder', text: 'text', data: {} };
const TO = { channel: 'email', address: 'desk@x.example' } as const;

it('a server that is not there did not get it: another try may be made', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const delivery = await mailNotifier(`smtp://127.0.0.1:${port}`, 'a@x.example').send(TO, MESSAGE);
  expect(delivery).toEqual({ is: 'again', why: expect.not.stringContaining('x.example') });
});

it('a server that goes away with the message in its hands may have it: unclear', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 here\r\n');
    socket.on('data', (data: Buffer) => {
      const line = data.toString('utf8');
      if (line.startsWith('DATA')) socket.write('354 go on\r\n');
      else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n');
      else socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const delivery = await mailNotifier(`smtp://127.0.0.1:${port}`, 'a@x.example').send(TO, MESSAGE);
  expect(delivery.is).toBe('unclear');
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

it.each([
  [{ SMTP_URL: 'mail.example', MAIL_FROM: 'a@x.example' }, /SMTP_URL is no address of a mail server/],
  [{ SMTP_URL: 'smtp://mail.example' }, /SMTP_URL and MAIL_FROM go together/],
  [{ SMTP_URL: 'smtp://m', MAIL_FROM: 'a@x.example' }, /SMTP_URL is set without HEADWORKS_RECIPIENTS/],
  [{ HEADWORKS_RECIPIENTS: '/nowhere.yaml' }, /can't be read \(ENOENT\); name a file that can/],
])('settings %j are refused in a sentence', (env, why) => {
  expect(() => readConfig(env)).toThrow(why);
});

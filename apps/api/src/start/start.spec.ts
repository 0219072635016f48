import { StartRefused } from '@headworks/event-store';
import { RuleErrors } from '@headworks/rules-engine';
import type { Program } from '../program';
import { announcement } from './announcement';
import { listenProblem, startProblem } from './start-problem';

const program = (config: object, more: object = {}): Program =>
  ({ config: { dataDir: '/srv/data', clock: 'real', ...config }, ...more }) as unknown as Program;

describe('the announcement', () => {
  it('shows a key that was made once, in a call to paste', () => {
    const said = announcement('http://127.0.0.1:3000/', program({}, { firstKey: 'hw_made' }));
    expect(said).toContain('embedded, data in /srv/data');
    for (const path of ['/v1', '/docs', '/health']) expect(said).toContain(`http://127.0.0.1:3000${path}\n`);
    expect(said).toContain("curl -s -H 'Authorization: Bearer hw_made' http://127.0.0.1:3000/v1/packs");
    expect(said).toContain('shown this once');
  });

  it('never prints the key of the environment, nor a password', () => {
    const secret = { bootstrapKey: 'hw_of_the_environment', databaseUrl: 'postgres://me:secret@db/x' };
    const said = announcement('http://127.0.0.1:3000', program(secret));
    expect(said).not.toMatch(/hw_of_the_environment|secret/);
    expect(said).toContain('Bearer $HEADWORKS_BOOTSTRAP_KEY" http://127.0.0.1:3000/v1/packs');
  });

  it('says where keys come from when there are some, and that a sandbox is one', () => {
    const said = announcement('http://127.0.0.1:3000', program({ clock: 'virtual' }));
    expect(said).toContain('SANDBOX');
    expect(said).toContain('npm run cli -- keys create');
    expect(said).toContain('Bearer <your key>');
  });
});

describe('a start that failed', () => {
  it('is one sentence where an operator can put it right', () => {
    expect(startProblem(new StartRefused('Stop it.'))).toBe('Stop it.');
    expect(startProblem(new RuleErrors([]))).not.toContain('    at ');
    expect(startProblem(new Error('a bug'))).toContain('    at ');
  });

  it.each([
    ['EADDRINUSE', 'Port 3000 of 127.0.0.1 is taken; stop what listens there, or set PORT to another.'],
    ['EACCES', 'Port 3000 of 127.0.0.1 may not be used by this user; set PORT to 1024 or more.'],
    ['EADDRNOTAVAIL', '127.0.0.1 is no address of this machine; set HOST to one, or leave it out.'],
  ])('%s', (code, sentence) => {
    const problem = listenProblem(Object.assign(new Error('listen'), { code }), '127.0.0.1', 3000);
    expect(problem).toBeInstanceOf(StartRefused);
    expect(startProblem(problem)).toBe(sentence);
  });

  it('another error of listening is a fault of ours', () => {
    const error = new Error('odd');
    expect(listenProblem(error, 'h', 1)).toBe(error);
  });
});

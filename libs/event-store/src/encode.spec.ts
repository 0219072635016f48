import { createHash } from 'node:crypto';
import { request, sample } from './contract/sample-events';
import { decode, firstPrev, prepare } from './encode';
import { LIMITS, UnstorableAppend } from './port';
import { verifyChain } from './verify-chain';

const hex = (data: Buffer) => createHash('sha256').update(data).digest('hex');

describe('the bytes of an event', () => {
  it('are RFC 8785 over its six members, chained from the log id and the stream', () => {
    const event = sample('a', { data: { z: 1, a: ['é', null, true], '': 'x' } });
    const [prepared] = prepare('log-1', { stream: 'permit-1', expected: 'none', events: [event] }).events;
    const metadata =
      `{"actor":{"id":"tester","roles":["clerk"]},"commandId":"${event.metadata.commandId}",` +
      `"correlationId":"${event.metadata.commandId}","occurred":{"at":"2027-01-01T00:00:00.000Z"},` +
      `"recordedAt":"2027-01-01T00:00:00.000Z","schema":1}`;
    const text =
      `{"data":{"":"x","a":["é",null,true],"z":1},"id":"${event.id}","metadata":${metadata},` +
      `"revision":0,"stream":"permit-1","type":"SampleTaken"}`;
    expect(prepared?.bytes.toString('utf8')).toBe(text);
    const prev = createHash('sha256').update('log-1\npermit-1').digest();
    expect(firstPrev('log-1', 'permit-1')).toEqual(prev);
    expect(prepared?.hash.toString('hex')).toBe(hex(Buffer.concat([prev, Buffer.from(text)])));
  });

  it('chain each event to the one before, within an append and across appends', () => {
    const first = prepare('log-1', request('s', 'none', 'a', 'b'));
    const head = { revision: 1, hash: first.events[1]?.hash.toString('hex') ?? '' };
    const second = prepare('log-1', request('s', head, 'c'));
    const events = [...first.events, ...second.events].map((event, index) =>
      decode(event.bytes, event.hash, String(index)),
    );
    expect(verifyChain(events, 'log-1')).toMatchObject({ ok: true, events: 3 });
    expect(verifyChain(events, 'log-2')).toMatchObject({ ok: false, at: 's@0' });
    expect(verifyChain(events.slice(1), 'log-1')).toMatchObject({ ok: false, at: 's@1' });
  });
});

describe('what can not be stored', () => {
  const append = (patch: object) => () =>
    prepare('log-1', { stream: 's', expected: 'none', events: [{ ...sample('a'), ...patch }] });

  it.each([
    ['an id that is no UUID', { id: 'e1' }, 'no lower-case UUID'],
    ['a NUL character', { data: { text: 'a\0b' } }, '/data/text: the text holds a NUL character'],
    ['half a surrogate pair', { data: { text: '\ud800' } }, '/data/text: the text holds half'],
    ['half a surrogate pair in a key', { data: { '\udc00': 1 } }, 'half of a surrogate pair'],
    ['a fraction', { data: { depth: 1.5 } }, '/data/depth: a number that is not a whole number'],
    ['undefined', { data: { gone: undefined } }, 'undefined is not JSON'],
    ['a Date', { data: { on: new Date(0) } }, '/data/on: Date is not JSON'],
    ['a Map', { data: { on: new Map() } }, '/data/on: Map is not JSON'],
    ['a local time', { metadata: { ...sample('a').metadata, recordedAt: '2027-01-01T00:00:00Z' } }, 'in UTC'],
    ['a type with a space', { type: 'Sample Taken' }, 'no name that can be stored'],
  ])('%s is refused in a sentence', (_, patch, why) => {
    expect(append(patch)).toThrow(UnstorableAppend);
    expect(append(patch)).toThrow(why);
  });

  it('a nest that is deeper than the stack is refused, not crashed on', () => {
    let nest: { in?: object } = {};
    for (let depth = 0; depth < 50_000; depth++) nest = { in: nest };
    expect(append({ data: nest })).toThrow(UnstorableAppend);
  });

  it.each([
    [-1, 'a'.repeat(64)],
    [0.5, 'a'.repeat(64)],
    [0, 'A'.repeat(64)],
    [0, 'short'],
  ])('an expected head of {%s, %s} is refused', (revision, hash) => {
    expect(() => prepare('log-1', request('s', { revision, hash }, 'a'))).toThrow(
      'expects no head that can be',
    );
  });

  it('no events, and more than an append may have, are refused', () => {
    expect(() => prepare('log-1', request('s', 'none'))).toThrow('has 0 events');
    const names = Array.from({ length: LIMITS.appendEvents + 1 }, (_, index) => String(index));
    expect(() => prepare('log-1', request('s', 'none', ...names))).toThrow('has 257 events');
    expect(prepare('log-1', request('s', 'none', ...names.slice(1))).events).toHaveLength(256);
  });
});

it('damaged bytes are said to be damaged', () => {
  expect(() => decode(Buffer.from('{"a":'), Buffer.alloc(32), '7')).toThrow('position 7 is damaged');
});

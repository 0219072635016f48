import { request } from './contract/sample-events';
import { decode, prepare } from './encode';
import { StoreUnavailable } from './port';
import { sharedDecoder } from './shared-decoder';

const [first, second] = prepare('log-1', request('s', 'none', 'a', 'b')).events;
if (!first || !second) throw new Error('two events were prepared');

/** As a driver hands them over: other objects each time. */
const fresh = ({ bytes, hash }: { bytes: Uint8Array; hash: Uint8Array }) =>
  [new Uint8Array(bytes), new Uint8Array(hash)] as const;

describe('the decoder that followers share', () => {
  it('answers what decode answers, and parses the same event once', () => {
    const parsed = jest.fn(decode);
    const read = sharedDecoder(10_000, parsed);
    const answers = [1, 2, 3].map(() => read(...fresh(first), '1'));
    expect(answers[0]).toEqual(decode(first.bytes, first.hash, '1'));
    expect(new Set(answers).size).toBe(1);
    expect(parsed).toHaveBeenCalledTimes(1);
  });

  it('knows events by their text and hex as well, where the driver hands over those', () => {
    const parsed = jest.fn(decode);
    const read = sharedDecoder(10_000, parsed);
    const [text, hex] = [first.bytes.toString('utf8'), first.hash.toString('hex')];
    expect(read(text, hex, '1')).toBe(read(`${text}`, `${hex}`, '1'));
    expect(parsed).toHaveBeenCalledTimes(1);
    // Bytes are not compared with a text: they are parsed, and say the same.
    expect(read(...fresh(first), '1')).toEqual(decode(text, hex, '1'));
    expect(parsed).toHaveBeenCalledTimes(2);
  });

  it('never answers for other bytes, another hash or another position', () => {
    const read = sharedDecoder();
    read(...fresh(first), '1');
    expect(read(...fresh(second), '1')).toEqual(decode(second.bytes, second.hash, '1'));
    read(...fresh(first), '1');
    expect(read(first.bytes, second.hash, '1')).toEqual(decode(first.bytes, second.hash, '1'));
    expect(read(...fresh(first), '2').position).toBe('2');
    expect(() => read(first.bytes.subarray(0, -1), first.hash, '1')).toThrow(StoreUnavailable);
  });

  it('forgets the oldest beyond its bound, and whatever is longer than all of it', () => {
    const parsed = jest.fn(decode);
    const read = sharedDecoder(first.bytes.length + 10, parsed);
    const again = (event: typeof first, position: string) => {
      parsed.mockClear();
      read(...fresh(event), position);
      return parsed.mock.calls.length;
    };
    expect([again(first, '1'), again(first, '1')]).toEqual([1, 0]);
    expect([again(second, '2'), again(second, '2'), again(first, '1')]).toEqual([1, 0, 1]);
    const small = sharedDecoder(1, parsed);
    parsed.mockClear();
    for (let times = 0; times < 2; times++) small(...fresh(first), '1');
    expect(parsed).toHaveBeenCalledTimes(2);
  });
});

import fc from 'fast-check';
import { linesOf } from './ndjson';

async function* chunksOf(text: string, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'utf8');
  let from = 0;
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}

async function read(text: string, cuts: readonly number[] = [], limit = 10): Promise<readonly string[]> {
  const read_: string[] = [];
  for await (const line of linesOf(chunksOf(text, cuts), limit)) {
    read_.push(`${line.number}:${'tooLong' in line ? 'too long' : line.bytes.toString('utf8')}`);
  }
  return read_;
}

describe('the lines of a body', () => {
  it('end with a newline, or with the body; a carriage return is no part of them', async () => {
    expect(await read('a\nb\r\nc')).toEqual(['1:a', '2:b', '3:c']);
    expect(await read('a\n')).toEqual(['1:a']);
    expect(await read('')).toEqual([]);
  });

  it('are passed over where they are empty, and counted', async () => {
    expect(await read('\n\r\na\n\nb\n')).toEqual(['3:a', '5:b']);
  });

  it('have a limit each, and the next line is read as if nothing had been', async () => {
    expect(await read(`${'x'.repeat(10)}\n${'x'.repeat(11)}\nb`)).toEqual([
      `1:${'x'.repeat(10)}`,
      '2:too long',
      '3:b',
    ]);
    expect(await read('x'.repeat(11))).toEqual(['1:too long']);
  });

  it('are the same however the body is cut', async () => {
    const text = fc.array(fc.constantFrom('a', 'ü', '\n', '\r', 'x'.repeat(7)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200), { maxLength: 8 }), async (parts, cuts) => {
        expect(await read(parts.join(''), cuts)).toEqual(await read(parts.join('')));
      }),
    );
  });
});

import fc from 'fast-check';
import { CodedError } from '@headworks/kernel';
import { HttpProblem } from './problems';
import { readJson } from './read-json';
import { placeOf, scanJson } from './scan-json';

const read = (text: string): unknown => readJson(Buffer.from(text, 'utf8'));

function faultsOf(text: string): readonly string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return error.faults.map(({ pointer, code }) => `${pointer}: ${code}`);
  }
}

describe('what the log can not carry is refused at the door', () => {
  it.each([
    ['NUL', String.raw`{"a":["x","\u0000"]}`, ['/a/1: nul']],
    ['half of a surrogate pair', String.raw`{"a":{"b":"\ud800"}}`, ['/a/b: half-character']],
    ['half of one in a key', String.raw`{"\udc00":1}`, ['/\udc00: half-character']],
    ['__proto__', '{"a":[{"__proto__":{"admin":true}}]}', ['/a/0/__proto__: forbidden-key']],
    ['constructor', '{"constructor":{"prototype":{}}}', ['/constructor: forbidden-key']],
    ['hasOwnProperty', '{"a":{"hasOwnProperty":1}}', ['/a/hasOwnProperty: forbidden-key']],
    ['a key twice', '{"a":1,"b":{"c/~":1,"c/~":2}}', ['/b/c~1~0: doubled-key']],
    ['a key twice, once escaped', String.raw`{"a":1,"\u0061":2}`, ['/a: doubled-key']],
    ['an integer that a double rounds', '{"n":9007199254740993}', ['/n: inexact-number']],
    ['a number without end', '{"n":1e400}', ['/n: inexact-number']],
    ['nesting', '['.repeat(30) + ']'.repeat(30), [`${'/0'.repeat(24)}: too-deep`]],
    [
      'all of it at once',
      String.raw`{"a":"\u0000","constructor":1}`,
      ['/a: nul', '/constructor: forbidden-key'],
    ],
  ])('%s', (_, text, expected) => {
    expect(faultsOf(text)).toEqual(expected);
  });

  it('a nest that would break a recursive reader is refused, not followed', () => {
    expect(faultsOf('['.repeat(200_000) + ']'.repeat(200_000))).toEqual([`${'/0'.repeat(24)}: too-deep`]);
    expect(faultsOf(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)[0]).toBe(
      `${'/a'.repeat(24)}: too-deep`,
    );
  });

  it('a text may hold what looks like a key', () => {
    expect(read(String.raw`{"a":"\"b\":1, \\","c":":"}`)).toEqual({
      a: String.raw`"b":1, \ `.slice(0, -1),
      c: ':',
    });
  });

  it('bytes that are no UTF-8 are refused', () => {
    expect(() => readJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('not UTF-8');
  });

  it('any JSON whose objects have ordinary keys passes as it is', () => {
    const key = fc
      .string({ unit: 'grapheme' })
      .filter((name) => !(name in Object.prototype) && !name.includes('\0'));
    const leaf = fc.oneof(fc.boolean(), fc.constant(null), fc.maxSafeInteger(), key);
    const { body } = fc.letrec((tie) => ({
      body: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('body')), fc.dictionary(key, tie('body'))),
    }));
    fc.assert(
      fc.property(body, fc.constantFrom('', ' ', '\n\t'), (value, indent) => {
        expect(read(JSON.stringify(value, undefined, indent))).toEqual(value);
      }),
    );
  });
});

describe('a text that is no JSON names line and column', () => {
  it.each([
    ['{"a": 1,\n "b": }', 2, 7, 'a value'],
    ['{"a": 1,\n "b": 2', 2, 8, "',' or '}'"],
    ['{"a": "x', 1, 9, 'the closing "'],
    ['{"a" 1}', 1, 6, "':' after the key"],
    ["{'a': 1}", 1, 2, 'a key in double quotes'],
    ['{"a": 1,}', 1, 9, 'a key in double quotes'],
    ['[1, 2', 1, 6, "',' or ']'"],
    ['{"a": 01}', 1, 8, "',' or '}'"],
    ['{"a": 1} x', 1, 10, 'the end of the body'],
    [String.raw`{"a": "\x"}`, 1, 8, 'an escape of JSON'],
    ['\uFEFF{}', 1, 1, 'a value'],
    ['nul', 1, 1, 'a value'],
  ])('%j', (text, line, column, expected) => {
    const thrown = (() => {
      try {
        return read(text);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(HttpProblem);
    const { code, message, details } = thrown as HttpProblem;
    expect({ code, details }).toEqual({ code: 'malformed-json', details: { line, column } });
    expect(message).toContain(expected);
  });

  it('an empty body is said to be empty', () => {
    expect(() => read(' \n')).toThrow('The body is empty');
  });

  it('the scanner stops where JSON.parse throws, and nowhere else', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      ' ',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const parses = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        expect(scanJson(text).stop === undefined).toBe(parses);
      }),
      { numRuns: 3_000 },
    );
  });

  it('columns count from the last line break', () => {
    expect(placeOf('ab\ncd', 4)).toEqual({ line: 2, column: 2 });
  });
});

import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalBytes, unstorable } from './canonical';
import type { JsonObject } from './json';

const text = (value: JsonObject): string => canonicalBytes(value).toString('utf8');

/** JSON as events hold it; strings of every kind of character, whole numbers. */
const storable = fc
  .letrec<{ value: unknown; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.constantFrom(
        true,
        false,
        null,
        -0,
        '',
        '__proto__',
        'toJSON',
        '10',
        '9',
        '\u20ac',
        '\u{1f600}',
        '\ufb33',
        '"\\\b',
      ),
      fc.array(tie('value')),
      tie('object'),
    ),
    object: fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), {
      maxKeys: 40,
    }) as fc.Arbitrary<JsonObject>,
  }))
  .object.filter((value) => unstorable(value) === undefined);

describe('canonical bytes', () => {
  it('are those of a reference implementation of RFC 8785, and read back as the value', () => {
    fc.assert(
      fc.property(storable, (value) => {
        expect(text(value)).toBe(canonicalize(value));
        expect(JSON.stringify(JSON.parse(text(value)))).toBe(
          JSON.stringify(JSON.parse(canonicalize(value) ?? '')),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('are those of the example of RFC 8785, section 3.2.3: members by UTF-16 code units', () => {
    const members = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
    };
    const more = {
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(text({ ...members, ...more })).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('write what needs care as the RFC says', () => {
    expect(text({ a: [], b: {}, c: -0, d: '\u001f\u007f\u2028"\\/', e: [null, true, [1]] })).toBe(
      '{"a":[],"b":{},"c":0,"d":"\\u001f\u007f\u2028\\"\\\\/","e":[null,true,[1]]}',
    );
    expect(text(JSON.parse('{"__proto__":1,"constructor":2}') as JsonObject)).toBe(
      '{"__proto__":1,"constructor":2}',
    );
  });

  it.each<[string, unknown, string]>([
    ['NUL', { a: ['x', 'b\0'] }, '/a/1: the text holds a NUL character'],
    ['NUL in a key', { 'b\0': 1 }, 'the text holds a NUL character'],
    ['half a surrogate pair', { a: { b: '\ud83d' } }, '/a/b: the text holds half of a surrogate pair'],
    ['half a surrogate pair in a key', { '\udc00x': 1 }, 'the text holds half of a surrogate pair'],
    [
      'a fraction',
      { 'a/b~c': 0.1 },
      '/a~1b~0c: a number that is not a whole number must be written as a decimal',
    ],
    ['a number that is not exact', { a: 2 ** 53 }, '/a: a number that is not a whole number'],
    ['not a number', { a: NaN }, '/a: a number that is not a whole number'],
    ['undefined', { a: undefined }, '/a: undefined is not JSON'],
    ['a hole', { a: Array(1) }, '/a/0: undefined is not JSON'],
    ['a bigint', { a: 1n }, '/a: bigint is not JSON'],
    ['a function', { toJSON: () => 1 }, '/toJSON: function is not JSON'],
    ['a Date', { a: new Date(0) }, '/a: Date is not JSON'],
    ['a Buffer', { a: Buffer.from('x') }, '/a: Buffer is not JSON'],
  ])('refuse %s and say where', (_, value, why) => {
    expect(() => canonicalBytes(value as JsonObject)).toThrow(why);
  });
});

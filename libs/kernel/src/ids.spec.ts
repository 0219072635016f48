import fc from 'fast-check';
import { v5 } from 'uuid';
import { eventId, isUuid, nameId, subjectId } from './ids';

describe('a name-based id', () => {
  it('is the UUIDv5 of RFC 9562, whatever the parts', () => {
    const namespace = v5('https://headworks.invalid/ns/1', v5.URL);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat()), { minLength: 1 }),
        (parts) => {
          const name = parts.map((part) => `${String(part).length}:${part}`).join('|');
          const id = nameId(...parts);
          return id === v5(name, namespace) && isUuid(id);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('never changes: ids in logs depend on it', () => {
    expect(nameId('load', 'a', 1)).toBe('bd4588dd-6f8b-5953-9268-ab721fe96a28');
  });

  it('tells apart what only joins to the same text', () => {
    expect(nameId('ab', 'c')).not.toBe(nameId('a', 'bc'));
    expect(nameId('a|1:b')).not.toBe(nameId('a', 'b'));
    expect(eventId('c', 's', 1)).not.toBe(eventId('c', 's', 11));
  });

  it('of a subject is the same however its key is spelled', () => {
    expect(subjectId('j', 'k', ' a\t1 ')).toBe(subjectId('j', 'k', 'A 1'));
    expect(subjectId('j', 'k', 'A 1')).not.toBe(subjectId('j', 'l', 'A 1'));
  });
});

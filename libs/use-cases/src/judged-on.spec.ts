import { newPermit, type SubjectState } from '@headworks/domain';
import { rememberJudged, standsAsJudged } from './judged-on';
import { loads, subjects } from './models';

const load = loads.initial('load-1');
const posting = (id: string, broughtFrom?: string): SubjectState['postings'][number] =>
  ({
    data: { load: id },
    ...(broughtFrom !== undefined && { broughtFrom }),
  }) as SubjectState['postings'][number];

const thing = (revision: number, ...postings: SubjectState['postings']): SubjectState => ({
  ...subjects.initial('subject-1'),
  revision,
  postings,
});

describe('a load that was judged on a thing', () => {
  const before = thing(4, posting('0'));

  it('need not be judged again on the same, nor where the thing gained its own posting alone', () => {
    rememberJudged(load, { thing: before });
    expect(standsAsJudged(load, { thing: before })).toBe(true);
    expect(standsAsJudged(load, { thing: thing(5, posting('0'), posting('1')) })).toBe(true);
    // Where the thing was never heard of, its first event is the posting.
    rememberJudged(load, { thing: thing(-1) });
    expect(standsAsJudged(load, { thing: thing(0, posting('1')) })).toBe(true);
  });

  it.each<[string, SubjectState]>([
    ['another thing has the same figures', thing(4, posting('0'))],
    ['something else happened to it as well', thing(6, posting('0'), posting('1'))],
    ['something else happened to it instead', thing(5, posting('0'))],
    ["another load's posting came", thing(5, posting('0'), posting('2'))],
    ['its posting was only brought forward from another', thing(5, posting('0'), posting('1', 'subject-2'))],
  ])('is judged again where %s', (_, now) => {
    rememberJudged(load, { thing: before });
    expect(standsAsJudged(load, { thing: now })).toBe(false);
  });

  it('is judged again where its permit, its hauler or a place of it is another', () => {
    const world = { thing: before, permit: newPermit('permit-1'), hauler: before, places: [before] };
    rememberJudged(load, world);
    expect(standsAsJudged(load, { ...world, permit: newPermit('permit-1') })).toBe(true);
    expect(standsAsJudged(load, { ...world, permit: { ...newPermit('permit-1'), revision: 0 } })).toBe(false);
    expect(standsAsJudged(load, { ...world, hauler: thing(5) })).toBe(false);
    expect(standsAsJudged(load, { ...world, places: [before, undefined] })).toBe(false);
    expect(standsAsJudged(load, { ...world, places: [thing(7)] })).toBe(false);
    expect(standsAsJudged(load, { ...world, places: [thing(5, posting('0'), posting('1'))] })).toBe(true);
  });

  it('is judged again where it stood there before, and where this process never judged it', () => {
    rememberJudged(load, { thing: thing(4, posting('1')) });
    expect(standsAsJudged(load, { thing: thing(5, posting('1')) })).toBe(false);
    expect(standsAsJudged(loads.initial('load-1'), { thing: thing(0) })).toBe(false);
  });
});

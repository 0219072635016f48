import { checkGeometry, shownGeometry, storedGeometry } from './geometry';

const BOUNDS = [-90, 42, -88, 44] as const;
const ring = (...more: readonly (readonly unknown[])[]) => [
  [-89, 43],
  [-89, 43.1],
  ...more,
  [-88.9, 43],
  [-89, 43],
];
const codes = (geometry: unknown) =>
  checkGeometry(geometry, BOUNDS, '/geometry').map(({ pointer, code }) => `${pointer} ${code}`);
const polygon = (...rings: readonly unknown[]) => ({ type: 'Polygon', coordinates: rings });

describe('a geometry', () => {
  it('is a closed polygon inside the jurisdiction', () => {
    expect(codes(polygon(ring()))).toEqual([]);
    expect(codes({ type: 'MultiPolygon', coordinates: [[ring()], [ring(), ring()]] })).toEqual([]);
  });

  it.each([
    ['nothing', null, '/geometry no-geometry'],
    ['an array', [], '/geometry no-geometry'],
    ['a point', { type: 'Point', coordinates: [-89, 43] }, '/geometry/type wrong-geometry'],
    ['no rings', polygon(), '/geometry/coordinates no-rings'],
    ['no polygons', { type: 'MultiPolygon', coordinates: [] }, '/geometry/coordinates no-rings'],
    [
      'a short ring',
      polygon([
        [-89, 43],
        [-89, 43],
      ]),
      '/geometry/coordinates/0 short-ring',
    ],
    [
      'an open ring',
      polygon(
        ring()
          .slice(0, 3)
          .concat([[-89, 43.05]]),
      ),
      '/geometry/coordinates/0 open-ring',
    ],
    ['text', polygon(ring(['-89', 43])), '/geometry/coordinates/0/2 no-position'],
    ['a number that is none', polygon(ring([-89, Number.NaN])), '/geometry/coordinates/0/2 no-position'],
    ['swapped coordinates', polygon(ring([43, -89])), '/geometry/coordinates/0/2 swapped'],
    ['another county', polygon(ring([-80, 43])), '/geometry/coordinates/0/2 outside'],
  ])('%s is refused where it is at fault', (_, geometry, fault) => {
    expect(codes(geometry)).toEqual([fault]);
  });

  it('is kept without fractions, and shown as it came', () => {
    const geometry = { type: 'Polygon', coordinates: [ring()] };
    const stored = storedGeometry(geometry as never);
    expect(JSON.stringify(stored)).toContain('"43.1"');
    expect(shownGeometry(stored)).toEqual(geometry);
  });
});

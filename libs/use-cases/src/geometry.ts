import { isJsonObject, type Fault, type JsonObject, type JsonValue } from '@headworks/kernel';

type Bounds = readonly [number, number, number, number];

/**
 * What is wrong with a GeoJSON polygon (RFC 7946): rings closed, four positions at least, longitude before latitude,
 * and inside the bounds of the jurisdiction, where swapped coordinates never are.
 */
export function checkGeometry(input: unknown, bounds: Bounds | undefined, pointer: string): readonly Fault[] {
  if (!isJsonObject(input)) return [fault(pointer, 'no-geometry', 'A geometry is a GeoJSON object.')];
  if (input['type'] === 'Polygon') return checkRings(input['coordinates'], bounds, `${pointer}/coordinates`);
  if (input['type'] !== 'MultiPolygon') {
    return [fault(`${pointer}/type`, 'wrong-geometry', 'A geometry here is a Polygon or a MultiPolygon.')];
  }
  const { coordinates } = input as { coordinates?: unknown };
  if (!Array.isArray(coordinates) || coordinates.length === 0) {
    return [fault(`${pointer}/coordinates`, 'no-rings', 'A MultiPolygon is an array of polygons.')];
  }
  return coordinates.flatMap((rings, index) => checkRings(rings, bounds, `${pointer}/coordinates/${index}`));
}

function checkRings(rings: unknown, bounds: Bounds | undefined, pointer: string): readonly Fault[] {
  if (!Array.isArray(rings) || rings.length === 0) {
    return [fault(pointer, 'no-rings', 'A polygon is an array of rings, the outer one first.')];
  }
  return rings.flatMap((ring: unknown, index) => checkRing(ring, bounds, `${pointer}/${index}`));
}

function checkRing(ring: unknown, bounds: Bounds | undefined, pointer: string): readonly Fault[] {
  if (!Array.isArray(ring) || ring.length < 4) {
    return [fault(pointer, 'short-ring', 'A ring has at least four positions, the last equal to the first.')];
  }
  const bad = ring.findIndex((position: unknown) => !isPosition(position));
  if (bad >= 0)
    return [fault(`${pointer}/${bad}`, 'no-position', 'A position is [longitude, latitude] in degrees.')];
  const positions = ring as readonly (readonly [number, number])[];
  const [first, last] = [positions[0], positions.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    return [fault(pointer, 'open-ring', 'The ring is not closed.', 'repeat the first position at the end')];
  }
  const outside = bounds && positions.findIndex((position) => !within(position, bounds));
  if (outside === undefined || outside < 0) return [];
  const [x, y] = positions[outside] as readonly [number, number];
  const swapped = bounds !== undefined && within([y, x], bounds);
  const detail = swapped
    ? 'Latitude stands before longitude.'
    : `[${x}, ${y}] is outside the jurisdiction (${bounds?.join(', ')}).`;
  return [
    fault(
      `${pointer}/${outside}`,
      swapped ? 'swapped' : 'outside',
      detail,
      'GeoJSON is [longitude, latitude]',
    ),
  ];
}

function isPosition(position: unknown): boolean {
  if (!Array.isArray(position) || position.length < 2 || position.length > 3) return false;
  return position.every((n: unknown) => typeof n === 'number' && Number.isFinite(n) && Math.abs(n) <= 9_000);
}

const within = ([x, y]: readonly [number, number], [west, south, east, north]: Bounds): boolean =>
  x >= west && x <= east && y >= south && y <= north;

const fault = (pointer: string, code: string, detail: string, hint?: string): Fault => ({
  pointer,
  code,
  detail,
  ...(hint !== undefined && { hint }),
});

/** A checked geometry as the log keeps it: coordinates as decimal strings, because events hold no fractions. */
export function storedGeometry(geometry: JsonObject): JsonObject {
  return { type: geometry['type'] ?? null, coordinates: mapNumbers(geometry['coordinates'] ?? null, String) };
}

/** A stored geometry as GeoJSON again. */
export function shownGeometry(stored: JsonObject): JsonObject {
  const { coordinates = null, ...rest } = stored;
  return { ...rest, coordinates: mapStrings(coordinates) };
}

const mapNumbers = (value: JsonValue, to: (n: number) => string): JsonValue =>
  typeof value === 'number' ? to(value) : isList(value) ? value.map((inner) => mapNumbers(inner, to)) : value;

const mapStrings = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? Number(value) : isList(value) ? value.map(mapStrings) : value;

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

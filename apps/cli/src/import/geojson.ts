import { isJsonObject } from '@headworks/kernel';
import type { Row, RowFault, Rows } from './row';

/** The features of a FeatureCollection (RFC 7946): the properties are the cells, the shape goes along. */
export function readGeoJson(text: string): Rows {
  const features = featuresOf(text);
  if ('place' in features) return { columns: [], rows: [], faults: [features] };
  const faults: RowFault[] = [];
  const rows: Row[] = [];
  features.list.forEach((feature, index) => {
    const place = `feature ${index + 1}`;
    const properties = isJsonObject(feature) && feature['type'] === 'Feature' ? feature['properties'] : null;
    if (!isJsonObject(feature) || !isJsonObject(properties)) {
      faults.push({ place, why: "it is no Feature with properties; export the layer's attributes too" });
      return;
    }
    const cells = new Map<string, string>();
    for (const [name, value] of Object.entries(properties)) {
      if (typeof value === 'object' && value !== null) {
        faults.push({ place, column: name, why: 'it holds a list or an object; export plain values' });
      } else cells.set(name, value === null ? '' : String(value).trim());
    }
    rows.push({ place, cells, ...(feature['geometry'] != null && { geometry: feature['geometry'] }) });
  });
  return { columns: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], rows, faults };
}

function featuresOf(text: string): { readonly list: readonly unknown[] } | RowFault {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { place: 'the file', why: `it is no JSON (${(error as Error).message}); export it as GeoJSON` };
  }
  const list =
    isJsonObject(parsed) && parsed['type'] === 'FeatureCollection' ? parsed['features'] : undefined;
  if (Array.isArray(list)) return { list };
  return { place: 'the file', why: 'it is no FeatureCollection; export the layer as GeoJSON' };
}

import type { JsonObject } from '@headworks/kernel';

/** The sandbox's now while the parcels are registered: before the loads, so that what was surveyed holds for them. */
export const PARCELS_NOW = '2027-07-03T14:55:00-05:00';
/** The sandbox's now while the loads of the ten minutes before are recorded. */
export const LOADS_NOW = '2027-07-03T15:10:00-05:00';

const parcel = (number: number): string => `W BENCH ${number}`;

/** A surveyed parcel. What only the Town can find it has not found yet, as on most parcels: that is judged too. */
export const parcelBody = (number: number): JsonObject => ({
  jurisdiction: 'wi-whitewater-town',
  key: parcel(number),
  facts: {
    site_area: '40 acre',
    distance_to_residence: '812 ft',
    distance_to_community_well: '5280 ft',
    distance_to_drainageway: '655 ft',
    distance_to_private_well: '905 ft',
    distance_to_waterway: '1240 ft',
  },
});

/** A load as a hauler's system sends it, on a parcel and with a ticket of its own. */
export const loadBody = (number: number): JsonObject => ({
  pack: 'whitewater-sludge',
  load: 'spreading',
  subject: { kind: 'site', key: parcel(number) },
  hauler: { kind: 'hauler', key: '0417' },
  vehicle: { kind: 'vehicle', key: 'WI-TK-2207' },
  ticket: `S-${number}`,
  occurredAt: '2027-07-03T15:00:00-05:00',
  finishedAt: '2027-07-03T15:08:00-05:00',
  quantity: { value: '3000', unit: 'gal' },
  sources: [
    {
      wasteType: 'dairy',
      quantity: { value: '3000', unit: 'gal' },
      servicedAt: '2027-07-03T13:40:00-05:00',
      // The same forty customers again and again, as on a hauler's round.
      location: `N${1000 + (number % 40)} County Road P`,
      generator: { name: `Creamery ${number % 40}`, address: 'County Road P', phone: '262 555 0100' },
    },
  ],
  facts: {
    waste_type: 'dairy',
    form: 'wet',
    total_solids: '3 %',
    spread_area: '5 acre',
    frost_depth: '0 in',
    saturated: false,
  },
});

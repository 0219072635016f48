import { dutiesView } from './duties/evolve';
import { lateView } from './late/evolve';
import { ledgersView, type Zones } from './ledgers/evolve';
import { loadsView } from './loads/evolve';
import { manifestsView } from './manifests/evolve';
import { permitsView } from './permits/evolve';
import { subjectsView } from './subjects/evolve';
import type { View } from './view';
import { violationsView } from './violations/evolve';

/** Every view of this release; zones are those of the jurisdictions whose packs are loaded. */
export const allViews = (zones: Zones): readonly View[] => [
  subjectsView,
  loadsView,
  ledgersView(zones),
  violationsView,
  dutiesView,
  lateView,
  permitsView,
  manifestsView,
];

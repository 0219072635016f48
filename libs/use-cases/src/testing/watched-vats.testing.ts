import type { QuantityJson, RecordedEvent } from '@headworks/kernel';
import { gallonsOf } from '../../../../test/faults/manifest-log.testing';
import type { WatchedLaw } from '../../../../test/faults/watched-law.testing';
import { VATS } from './vats.testing';

/** The volume that the leave is for: as it was asked, then as it was set. */
function volumeOf({ type, data }: RecordedEvent): number | undefined {
  const sets = type === 'ApplicationApproved' || type === 'PermitConditioned';
  const said = type === 'ApplicationFiled' ? data['facts'] : sets ? data['sets'] : undefined;
  const volume = (said as { yearly_volume?: QuantityJson } | undefined)?.yearly_volume;
  return volume && gallonsOf(volume);
}

const isSaid =
  (name: string, fact: string) =>
  ({ type, data }: RecordedEvent): 'begins' | 'ends' | undefined => {
    if (type !== `${VATS}.${name}`) return undefined;
    return (data['facts'] as { readonly [fact: string]: unknown })[fact] === true ? 'begins' : 'ends';
  };

/** The law of the vats, for the checks of test/faults, which fold the log by themselves. */
export const WATCHED_VATS: WatchedLaw = {
  zone: 'America/Chicago',
  limits: [
    { name: 'leave_year', clause: 'plan', in: 'permit-', plan: volumeOf },
    { name: 'vat_days', clause: 'vat', in: 'subject-', days: 3, plan: 500 },
  ],
  bars: [
    { name: 'closed', read: isSaid('VatClosed', 'closed'), against: () => true },
    { name: 'barred', read: isSaid('PresserBarred', 'barred'), against: () => true },
  ],
  accepted: 'accepted',
};

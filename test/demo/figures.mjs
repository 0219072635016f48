// What the demo counts, as the server's own lists have it.
import { list } from './sandbox.mjs';

/**
 * Violations that stand (those that were withdrawn stay in the list, and are told apart), and duties that were not done
 * when their last instant was over, whatever came after it.
 */
export async function figuresOf(call) {
  const permits = await list(call, '/permits');
  const [loads, manifests, violations, duties] = [
    await list(call, '/loads'),
    await list(call, '/manifests?status=refused'),
    await list(call, '/violations'),
    (await list(call, '/duties')).filter(({ status }) => status === 'missed' || status === 'met_late'),
  ];
  const standing = violations.filter(({ status }) => status !== 'withdrawn');
  const refusedActs = await actsRefused(call);
  return {
    applications: permits.length,
    permits: permits.filter(({ number }) => number != null).length,
    loads: loads.length,
    refusals: manifests.length + refusedActs.length,
    violations: standing.length,
    violationDays: standing.reduce((sum, { days }) => sum + days, 0),
    dutiesMissed: duties.length,
    withdrawn: violations.length - standing.length,
    missed: duties,
    standing,
  };
}

/** Acts that were asked for and refused stand in the history of their thing. */
async function actsRefused(call) {
  const sites = await list(call, '/subjects/site');
  const found = await Promise.all(
    sites.map(({ id }) => call('GET', `/subjects/site/${id}/history?type=ActRefused&limit=500`)),
  );
  return found.flatMap(({ events }) => events);
}

/** Where what the script saw differs from what the server lists. */
export function differences(seen, listed) {
  return Object.entries(seen).flatMap(([name, count]) =>
    listed[name] === count ? [] : [`${name}: the script saw ${count}, the server lists ${listed[name]}`],
  );
}

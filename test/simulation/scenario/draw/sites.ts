import { management } from '../../platform/clusters.ts';
import type { Random } from '../../random.ts';
import type { Site } from './draft.ts';
import { openShiftSite } from './usual-sites.ts';

const hosts = ['blue', 'green', 'red'];

type Api = Site['api'];
const usual: readonly Api[] = [
  'capi',
  'capi',
  'capi',
  'capi',
  'capi',
  'openshift',
  'openshift',
  'openshift',
  'v1alpha1',
  'v1alpha1',
];

/** How much there is of all: most worlds are small, so that there can be many. */
export type Size = 'small' | 'medium' | 'large';

export function drawSize(random: Random): Size {
  const number = random.between(1, 20);
  if (number <= 15) return 'small';
  return number <= 19 ? 'medium' : 'large';
}

const workersOf: Record<Size, readonly [number, number]> = { small: [1, 2], medium: [1, 3], large: [2, 3] };

/** Where there are Machines, and how many workers. `wanted`: the first API. */
export function drawSites(random: Random, size: Size, wanted?: Api): Site[] {
  const apis = drawApis(random, size, wanted);
  const free = [...hosts];
  // One whose Nodes are beside its Machines, as where a cluster manages itself; OpenShift's always are.
  if (!apis.includes('openshift') && random.fork('beside').chance(0.3)) free.unshift(management);
  const sites: Site[] = [];
  for (const api of apis) {
    const workers = random.between(...workersOf[size]);
    if (api === 'openshift') {
      sites.push({ ...openShiftSite, workers });
      continue;
    }
    const host = free.shift();
    if (host === undefined) continue;
    const name = host === management ? 'home' : host;
    sites.push({ api, host, workers, ...homeOf(random, api, name, sites) });
  }
  return sites;
}

function drawApis(random: Random, size: Size, wanted?: Api): Api[] {
  const drawn = random.oneOf(usual);
  const first = wanted ?? drawn;
  if (size === 'small' && random.chance(0.8)) return [first];
  const second = random.oneOf(usual.filter((api) => api !== 'openshift' || first !== 'openshift'));
  if (size !== 'large' || random.chance(0.5)) return [first, second];
  return [first, second, random.oneOf<Api>(['capi', 'v1alpha1', 'openshift'])].filter(
    (api, index, all) => api !== 'openshift' || all.indexOf(api) === index,
  );
}

/**
 * Another namespace may have a Cluster of the same name in another place. The original API may have Machines with the
 * names and namespace of Cluster API's. That is so during a migration from one to the other.
 */
function homeOf(
  random: Random,
  api: Api,
  name: string,
  sites: readonly Site[],
): Pick<Site, 'namespace' | 'cluster' | 'names'> {
  const isAlone = sites.every((site) => site.api !== api);
  const likely = sites.find((site) => isAlone && site.api !== 'openshift');
  if (likely?.cluster !== undefined && random.fork('one name').chance(0.4))
    return { namespace: likely.namespace, cluster: name, names: likely.cluster };
  if (api === 'v1alpha1') return { namespace: 'old-fleet', cluster: name };
  const [twin, ...others] = sites.filter((site) => site.api === 'capi');
  if (twin?.cluster !== undefined && others.length === 0 && random.chance(0.5))
    return { namespace: 'annex', cluster: twin.cluster };
  return { namespace: 'fleet', cluster: name };
}

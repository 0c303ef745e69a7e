import { textAt } from '../../../shared/dialects/fields.ts';
import { besideApis } from '../../../shared/dialects/registry.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { leases } from '../../../shared/kubernetes/resources.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { ownControllers } from './own-controllers.ts';

/** A Machine API's own controller, as it is found: by the Lease that it holds while it works. */
interface Peer {
  called: string;
  /** For people. */
  lease: string;
  isLease: (name: string) => boolean;
  /** Renewed so lately at least: OpenShift's takes its time, to spare etcd. */
  freshMilliseconds: number;
}

/** Whatever their Deployments are called, and wherever they are. */
const peers: Readonly<Record<(typeof besideApis)[number], Peer>> = {
  capi: {
    called: "Cluster API's own controller",
    lease: 'controller-leader-election-capi',
    isLease: (name) => name === 'controller-leader-election-capi',
    freshMilliseconds: 60_000,
  },
  openshift: {
    called: "OpenShift's own Machine controller",
    lease: 'cluster-api-provider-…-leader',
    isLease: (name) => /^cluster-api-provider-.+-leader$/.test(name),
    freshMilliseconds: 180_000,
  },
};

/** The cluster, as far as it is asked. */
interface Asked {
  kubernetes: Pick<Kubernetes, 'list'>;
  clock: Pick<Clock, 'now'>;
}

interface Wanted {
  machineApis: MachineApiVersions;
  besideApis: readonly string[];
  /** The user says so all the same. */
  isForced: boolean;
}

/**
 * Throws CannotDo where the mode does not fit. In place of a controller that runs, two would delete the same Machines.
 * Beside none, nothing would carry a deletion on.
 */
export async function refuseWrongMode(
  site: Asked,
  { machineApis, besideApis: wanted, isForced }: Wanted,
): Promise<void> {
  if (isForced) return;
  for (const api of besideApis) {
    const apiVersion = machineApis[api];
    if (apiVersion !== undefined) await refuseFor(site, api, wanted.includes(api), { [api]: apiVersion });
  }
}

async function refuseFor(
  site: Asked,
  api: PeerName,
  isBeside: boolean,
  machineApis: MachineApiVersions,
): Promise<void> {
  const { called, lease, freshMilliseconds } = peers[api];
  const runs = await whatRuns(site, machineApis, api);
  if (isBeside && runs === undefined)
    throw new CannotDo(
      `${called} does not run: no Lease ${lease} was renewed within ${inWords(freshMilliseconds)}. Beside it nothing would carry a deletion on. --mode replace takes its place (--force-mode installs it all the same)`,
    );
  if (!isBeside && runs !== undefined)
    throw new CannotDo(
      `${called} runs: ${runs}. Both would delete the same Machines. --mode beside works beside it; infra/hand-over.md says how it rests (--force-mode installs it all the same)`,
    );
}

const inWords = (milliseconds: number): string =>
  milliseconds === 60_000 ? 'a minute' : `${milliseconds / 60_000} minutes`;

type PeerName = keyof typeof peers;

/**
 * What shows that the own controller of a Machine API works. Undefined where it is down, or has no Machine to look
 * after.
 */
export async function whatRuns(
  site: Asked,
  machineApis: MachineApiVersions,
  api: PeerName = 'capi',
): Promise<string | undefined> {
  const own = (await ownControllers(site.kubernetes, machineApis)).filter((one) => one.api === api);
  const working = own.find(({ isDown, isIdle }) => !isDown && !isIdle);
  if (working !== undefined) return `Deployment ${working.namespace}/${working.name} is up`;
  if (own.some(({ isIdle }) => isIdle)) return undefined;
  const { isLease, freshMilliseconds } = peers[api];
  const { items } = await site.kubernetes.list(leases);
  const now = site.clock.now();
  const held = items
    .filter(({ metadata }) => isLease(metadata.name))
    .find((lease) => now - renewedAt(lease) < freshMilliseconds);
  return held && `Lease ${held.metadata.namespace}/${held.metadata.name} is renewed`;
}

/** A Lease that says nothing was never renewed. */
function renewedAt(lease: unknown): number {
  const time = Date.parse(textAt(lease, 'spec', 'renewTime') ?? '');
  return Number.isNaN(time) ? -Infinity : time;
}

import * as z from 'zod';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { leases } from '../../../shared/kubernetes/resources.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { ownControllers } from './own-controllers.ts';

/** The Lease that Cluster API's core controller holds while it works, whatever its Deployment is called. */
const leaderLease = 'controller-leader-election-capi';
const freshMilliseconds = 60_000;

const leaseSchema = z.looseObject({ spec: z.looseObject({ renewTime: z.string() }) });

/** The cluster, as far as it is asked. */
interface Asked {
  kubernetes: Pick<Kubernetes, 'list'>;
  clock: Pick<Clock, 'now'>;
}

interface Wanted {
  machineApis: MachineApiVersions;
  isBeside: boolean;
  /** The user says so all the same. */
  isForced: boolean;
}

/**
 * Throws CannotDo where the mode does not fit: in place of a controller that runs two would delete the same Machines, and
 * beside none nothing would carry a deletion on.
 */
export async function refuseWrongMode(
  site: Asked,
  { machineApis, isBeside, isForced }: Wanted,
): Promise<void> {
  if (isForced || machineApis.capi === undefined) return;
  const runs = await whatRuns(site, machineApis);
  if (isBeside && runs === undefined)
    throw new CannotDo(
      `Cluster API's own controller does not run: no Lease ${leaderLease} was renewed within a minute. Beside it nothing would carry a deletion on. --mode replace takes its place (--force-mode installs it all the same)`,
    );
  if (!isBeside && runs !== undefined)
    throw new CannotDo(
      `Cluster API's own controller runs: ${runs}. Both would delete the same Machines. --mode beside works beside it; infra/hand-over.md says how it rests (--force-mode installs it all the same)`,
    );
}

/** What shows that the controller of Cluster API works; undefined where it does not run, or has no Machine to look after. */
export async function whatRuns(site: Asked, { capi }: MachineApiVersions): Promise<string | undefined> {
  const own = await ownControllers(site.kubernetes, capi === undefined ? {} : { capi });
  const working = own.find(({ isDown, isIdle }) => !isDown && !isIdle);
  if (working !== undefined) return `Deployment ${working.namespace}/${working.name} is up`;
  if (own.some(({ isIdle }) => isIdle)) return undefined;
  const { items } = await site.kubernetes.list(leases);
  const now = site.clock.now();
  const held = items
    .filter(({ metadata }) => metadata.name === leaderLease)
    .find((lease) => now - renewedAt(lease) < freshMilliseconds);
  return held === undefined ? undefined : `Lease ${held.metadata.namespace}/${leaderLease} is renewed`;
}

/** A Lease that says nothing was never renewed. */
function renewedAt(lease: unknown): number {
  const { data } = leaseSchema.safeParse(lease);
  const time = Date.parse(data?.spec.renewTime ?? '');
  return Number.isNaN(time) ? -Infinity : time;
}

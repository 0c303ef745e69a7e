import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';
import { type Cloud, createCloud } from './cloud.ts';
import { tellsOfServer } from './identity.ts';

const resources = ['machines.machine.openshift.io', 'machines.cluster.k8s.io'];

/** The Machines whose servers a provider keeps; undefined where the API server knows none of that kind. */
export function providedMachines({ cluster }: ApiServer): KubeObject[] | undefined {
  const served = resources.filter((resource) => cluster.resources().includes(resource));
  return served.length === 0 ? undefined : served.flatMap((resource) => cluster.list(resource));
}

/** A slow cloud that has the servers which the Machines say that they have. */
export function createLocalCloud(
  machines: readonly KubeObject[],
  options: { clock: Clock; random: () => number },
): Cloud {
  const cloud = createCloud(options);
  for (const machine of machines) if (tellsOfServer(machine)) cloud.adopt(machine);
  return cloud;
}

import * as z from 'zod';
import type { MachineApiName } from '../../../shared/runtime/config.ts';
import type { Kubernetes, Resource } from '../../../shared/kubernetes/port.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import type { Site } from './site.ts';

/** The Deployments in which the controllers of the Machine APIs run, as their own installations name them. */
const names: Readonly<Record<MachineApiName, readonly string[]>> = {
  capi: ['capi-controller-manager'],
  openshift: ['machine-api-controllers'],
  v1alpha1: ['clusterapi-controllers', 'machine-controller'],
};

const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments' };

const scaledSchema = z.looseObject({ replicas: z.number().default(1) });

/** Those of them that run, as `namespace/name`, with the Machine API that each is of. */
async function runningControllers(kubernetes: Pick<Kubernetes, 'list'>, machineApis: MachineApiVersions) {
  const { items } = await kubernetes.list(deployments);
  const running = items.filter(({ spec }) => (scaledSchema.safeParse(spec).data?.replicas ?? 0) > 0);
  return Object.entries(names)
    .filter(([api]) => api in machineApis)
    .flatMap(([api, known]) =>
      running
        .filter(({ metadata }) => known.includes(metadata.name))
        .map(({ metadata: { namespace = '', name } }) => ({ api, namespace, name })),
    );
}

/** `namespace/name` of those that run. */
export const ownControllersIn = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  machineApis: MachineApiVersions,
): Promise<string[]> =>
  (await runningControllers(kubernetes, machineApis)).map(({ namespace, name }) => `${namespace}/${name}`);

/**
 * Warns of the Machine APIs' own controllers that are still there: where both run, both delete the Machines, each by its
 * own lights.
 */
export async function warnOfOwnControllers(
  { kubernetes, tell }: Site,
  machineApis: MachineApiVersions,
): Promise<void> {
  for (const { api, namespace, name } of await runningControllers(kubernetes, machineApis)) {
    const how = `kubectl -n ${namespace} scale deployment ${name} --replicas 0`;
    const text = `Deployment ${namespace}/${name}, the own controller of ${api}, runs: both would delete the same Machines. Stop it (${how}), or let it look after others`;
    tell({ event: 'warning', text });
  }
}

import * as z from 'zod';
import { hasBeside, type MachineApiName, machineApiNames } from '../../../shared/dialects/registry.ts';
import type { Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import type { Site } from './site.ts';

/** The Deployments in which the controllers of the Machine APIs run, as their own installations name them. */
const names: Readonly<Record<MachineApiName, readonly string[]>> = {
  capi: ['capi-controller-manager'],
  openshift: ['machine-api-controllers'],
  v1alpha1: ['clusterapi-controllers', 'machine-controller'],
};

const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments' };

const watchFilter = '--watch-filter=';
/** A value of Cluster API's watch-filter label that no object has. */
const leftToPhaseout = 'left-to-phaseout';

const specSchema = z.looseObject({
  replicas: z.number().default(1),
  template: z
    .looseObject({
      spec: z.looseObject({ containers: z.array(z.looseObject({ args: z.array(z.string()).default([]) })) }),
    })
    .optional(),
});

/** A controller of a Machine API, as its own installation names it. */
export interface OwnController {
  api: MachineApiName;
  namespace: string;
  name: string;
  isDown: boolean;
  /** Its flags leave it no Machine to look after. */
  isIdle: boolean;
}

/** Those that are installed, with the Machine API that each is of. */
export async function ownControllers(
  kubernetes: Pick<Kubernetes, 'list'>,
  machineApis: MachineApiVersions,
): Promise<OwnController[]> {
  const { items } = await kubernetes.list(deployments);
  return machineApiNames
    .filter((api) => api in machineApis)
    .flatMap((api) =>
      items
        .filter(({ metadata }) => names[api].includes(metadata.name))
        .map(({ metadata: { namespace = '', name }, spec }) => ({ api, namespace, name, ...stateOf(spec) })),
    );
}

function stateOf(spec: unknown): Pick<OwnController, 'isDown' | 'isIdle'> {
  const { data } = specSchema.safeParse(spec);
  const containers = data?.template?.spec.containers ?? [];
  const filters = containers.flatMap(({ args }) => args).filter((arg) => arg.startsWith(watchFilter));
  // If a flag is given twice, the last one counts.
  return {
    isDown: (data?.replicas ?? 0) === 0,
    isIdle: filters.at(-1) === `${watchFilter}${leftToPhaseout}`,
  };
}

const isAtWork = ({ isDown, isIdle }: OwnController): boolean => !isDown && !isIdle;

/** `namespace/name` of those that look after Machines. */
export const ownControllersIn = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  machineApis: MachineApiVersions,
): Promise<string[]> =>
  (await ownControllers(kubernetes, machineApis))
    .filter(isAtWork)
    .map(({ namespace, name }) => `${namespace}/${name}`);

/**
 * Warns of the Machine APIs' own controllers that still run. Both would delete the same Machines, each in its own way.
 * Those that phaseout can work beside are no warning: see `refuseWrongMode`. Warns also if Cluster API's controller is
 * down, since it answers the webhooks for Machines. Without that answer the API server refuses each write of a Machine.
 */
export async function warnOfOwnControllers(
  { kubernetes, tell }: Site,
  machineApis: MachineApiVersions,
  besideApis: readonly string[],
): Promise<void> {
  for (const controller of await ownControllers(kubernetes, machineApis)) {
    const { api, namespace, name } = controller;
    const what = `Deployment ${namespace}/${name}, the own controller of ${api},`;
    if (isAtWork(controller) && !hasBeside(api)) {
      const text = `${what} runs: both would delete the same Machines. ${howToRest(controller)}, or let it look after others`;
      tell({ event: 'warning', text });
    } else if (api === 'capi' && controller.isDown && !besideApis.includes(api)) {
      const text = `${what} is down: it answers the webhooks for Machines, and without them the API server refuses every write. ${howToRest(controller)}, and start it`;
      tell({ event: 'warning', text });
    }
  }
}

function howToRest({ api, namespace, name }: OwnController): string {
  if (api !== 'capi') return `Stop it (kubectl -n ${namespace} scale deployment ${name} --replicas 0)`;
  const operation = {
    op: 'add',
    path: '/spec/template/spec/containers/0/args/-',
    value: `${watchFilter}${leftToPhaseout}`,
  };
  const patch = JSON.stringify([operation]);
  return `Have it look after none (kubectl -n ${namespace} patch deployment ${name} --type json -p '${patch}')`;
}

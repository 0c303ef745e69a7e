import { onTestFinished } from 'vitest';
import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
} from '../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../infra/local/kubernetes/server/http.ts';
import { kubeconfigFor } from '../../../infra/local/load/kubeconfigs.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { systemClock } from '../../../shared/time/clock.ts';

/** Our hook, and that of the installation that is called blue. */
export const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
export const blueHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout-blue';
export const machines = 'machines.cluster.x-k8s.io';
export const machineResource = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' };

/** A Machine, as `fleet/a`, with our hook unless other annotations are given. */
export interface GivenMachine {
  namespace?: string;
  annotations?: Record<string, string>;
  /** Beside Cluster API's own. */
  finalizers?: string[];
  isDeleting?: boolean;
}

/** An API server of Cluster API with these Machines, and a client of it. */
export async function aStage(given: Record<string, GivenMachine>, how: Partial<ApiServerOptions> = {}) {
  const apiServer = createApiServer({ clock: systemClock, ...how });
  const { cluster } = apiServer;
  for (const definition of clusterApiDefinitions())
    cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  for (const name of ['fleet', 'other', 'phaseout']) cluster.create('namespaces', { metadata: { name } });
  // Without control plane Machines no Node is deleted with its Machine.
  for (const namespace of ['fleet', 'other'])
    cluster.create('clusters.cluster.x-k8s.io', { metadata: { name: 'blue', namespace }, spec: {} });
  for (const [name, machine] of Object.entries(given)) create(apiServer, name, machine);
  const listening = await listen(apiServer);
  onTestFinished(() => listening.close());
  const kubeconfig = kubeconfigFor(listening.url);
  const kubernetes = connect(loadKubeConfig({ text: kubeconfig }), { clock: systemClock });
  onTestFinished(() => kubernetes.close());
  /** Annotations of phaseout, by Machine. */
  const annotations = (name: string, namespace = 'fleet'): Record<string, string> => {
    const all = cluster.get(machines, namespace, name)?.metadata.annotations ?? {};
    return Object.fromEntries(Object.entries(all).filter(([key]) => key.includes('phaseout')));
  };
  return { apiServer, cluster, kubernetes, kubeconfig, url: listening.url, annotations };
}

function create({ cluster }: ApiServer, name: string, given: GivenMachine): KubeObject {
  const { namespace = 'fleet', annotations = { [hook]: 'phaseout.dev' }, isDeleting = false } = given;
  const finalizers = ['machine.cluster.x-k8s.io', ...(given.finalizers ?? [])];
  const machine = cluster.create(machines, {
    metadata: { name, namespace, annotations, finalizers },
    spec: {
      clusterName: 'blue',
      bootstrap: { dataSecretName: 'x' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachine', name },
    },
  });
  if (isDeleting) cluster.remove(machines, machine);
  return machine;
}

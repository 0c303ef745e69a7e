import { machines } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { type ConnectOptions, connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { kubeconfigOf } from '../../stories/stage/carriage.ts';
import { deleting } from './deleting.ts';
import { discovering } from './discovering.ts';
import { evicting } from './evicting.ts';
import { reading } from './reading.ts';
import type { KubernetesUnderTest } from './under-test.ts';
import { watching } from './watching.ts';
import { writing } from './writing.ts';

type Carry = NonNullable<ConnectOptions['carry']>;

/** The port's promises, with a server of this process at the other end of what carries requests. */
export function keepsItsPromises(carryTo: (server: ApiServer) => Carry): void {
  const server = createApiServer({ clock: systemClock });
  server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', machines);
  const options = { clock: systemClock, carry: carryTo(server) };
  const kubernetes = connect(loadKubeConfig({ text: kubeconfigOf('one') }), options);
  const under: KubernetesUnderTest = {
    kubernetes,
    seed: (resource, object) => server.cluster.create(resource, object),
    compact: () => server.compact(),
    stop: () => kubernetes.close(),
  };
  for (const promised of [reading, writing, deleting, evicting, watching, discovering]) promised(() => under);
}

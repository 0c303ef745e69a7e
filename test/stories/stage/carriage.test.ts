import { describe } from 'vitest';
import { createApiServer } from '../../../infra/local/kubernetes/api-server.ts';
import { machines } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../../shared/clock.ts';
import { deleting } from '../../contracts/kubernetes/deleting.ts';
import { discovering } from '../../contracts/kubernetes/discovering.ts';
import { evicting } from '../../contracts/kubernetes/evicting.ts';
import { reading } from '../../contracts/kubernetes/reading.ts';
import { watching } from '../../contracts/kubernetes/watching.ts';
import { writing } from '../../contracts/kubernetes/writing.ts';
import { carrying, kubeconfigOf } from './carriage.ts';

function inProcess() {
  const server = createApiServer({ clock: systemClock });
  server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', machines);
  const carry = carrying({ serverAt: () => server });
  const kubernetes = connect(loadKubeConfig({ text: kubeconfigOf('one') }), { clock: systemClock, carry });
  return {
    kubernetes,
    seed: (resource: string, object: Parameters<typeof server.cluster.create>[1]) =>
      server.cluster.create(resource, object),
    compact: () => server.compact(),
    stop: () => kubernetes.close(),
  };
}

describe('the Kubernetes port, in process', () => {
  const under = inProcess();
  for (const promised of [reading, writing, deleting, evicting, watching, discovering]) promised(() => under);
});

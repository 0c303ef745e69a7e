import { openShiftDefinitions } from '../../infra/local/kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { Fleet } from './stage/fleet.ts';
import { resources } from './stage/fleet.ts';
import { anOpenShiftMachine, machines as openShiftMachines } from './stage/openshift.ts';
import { story } from './stage/story.ts';
import { anOriginalMachine, clusters, machines as originalMachines } from './stage/v1alpha1.ts';

const group = 'together';

const places = [
  [resources.machines, 'fleet', 'worker-1'],
  [openShiftMachines, 'openshift-machine-api', 'worker-2'],
  [originalMachines, 'fleet', 'worker-3'],
] as const;

const areGone = (fleet: Fleet): boolean =>
  places.every(
    ([resource, namespace, name]) => fleet.server.cluster.get(resource, namespace, name) === undefined,
  );

story(group, 'Machines of three APIs, two of which have a Cluster of the same name', {
  thorough: true,
  beside: [...openShiftDefinitions, ...v1alpha1Definitions],
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.create('namespaces', { metadata: { name: 'openshift-machine-api' } });
    anOpenShiftMachine(fleet, 'worker-2', { preTerminate: [{ name: 'Backup', owner: 'somebody' }] });
    const metadata = { name: 'blue', namespace: 'fleet' };
    fleet.create(clusters, { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'Cluster', metadata, spec: {} });
    anOriginalMachine(fleet, 'old-cp', { isControlPlane: true });
    anOriginalMachine(fleet, 'worker-3');
    fleet.pod('web-1', 'node-1');
    fleet.pod('web-2', 'node-2');
    fleet.pod('web-3', 'node-3', { stays: true });
  },
  async plot(fleet) {
    for (const [resource, namespace, name] of places) {
      fleet.told.say(`${name} is to be deleted`);
      fleet.server.cluster.remove(resource, { metadata: { name, namespace } });
    }
    await fleet.seconds(200);
    fleet.told.say('worker-2 may be terminated');
    fleet.server.cluster.patch(
      openShiftMachines,
      { metadata: { name: 'worker-2', namespace: 'openshift-machine-api' } },
      { spec: { lifecycleHooks: { preTerminate: null } } },
    );
    await fleet.until('all are gone', () => areGone(fleet));
  },
});

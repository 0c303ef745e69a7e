import { resources } from '../kinds.ts';
import type { Scene } from '../scene.ts';
import { clusterName } from './capi-machine.ts';
import { makeCluster, makeNode, makePod, podsRun } from './objects.ts';
import { hasServer } from './openshift.ts';
import type { Story } from './story.ts';

const apiVersion = 'cluster.k8s.io/v1alpha1';
const machines = resources.v1alpha1Machines;

/** Of this API phaseout is the whole controller: it has the server made as well. */
export const v1alpha1Worker: Story = {
  name: 'v1alpha1',
  text: 'a worker of v1alpha1: its server is made; then no drain, a provider that asks for patience, and the Node',
  async tell(scene) {
    await makeCluster(scene, apiVersion);
    // Where no member of the control plane is left, no Node is deleted.
    await makeMachine(scene, 'master-1', { kubelet: 'v1.14.10', controlPlane: 'v1.14.10' });
    await makeMachine(scene, 'worker-1', { kubelet: 'v1.14.10' });
    const providerID = await scene.until('the server of worker-1 to be made', async () => {
      const machine = await scene.get(machines, 'worker-1');
      const isHeld = machine?.metadata.finalizers?.includes('machine.cluster.k8s.io') === true;
      const id: unknown = Object(machine?.['spec']).providerID;
      return isHeld && typeof id === 'string' ? id : undefined;
    });
    if (!hasServer(scene, 'worker-1')) throw new Error('the provider knows of no server');
    await join(scene, 'worker-1', providerID);
    await makePod(scene, 'web', { on: 'worker-1' });
    await podsRun(scene, 'web');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilGone(machines, 'worker-1');
    await scene.untilSeen('Node worker-1 gone');
    if (scene.chronicle.saw('Node worker-1 cordoned')) throw new Error('the Node was cordoned');
    if (hasServer(scene, 'worker-1')) throw new Error('the server is still there');
    if (!hasServer(scene, 'master-1')) throw new Error('the server of another Machine is gone');
  },
};

async function makeMachine(scene: Scene, name: string, versions: object): Promise<void> {
  await scene.make({
    apiVersion,
    kind: 'Machine',
    metadata: { name, labels: { 'cluster.k8s.io/cluster-name': clusterName } },
    spec: { providerSpec: { value: { size: 'small' } }, versions },
  });
}

/** The Node of the server comes up, and is linked to its Machine. */
async function join(scene: Scene, name: string, providerID: string): Promise<void> {
  const annotations = { 'cluster.k8s.io/machine': `${scene.namespace}/${name}` };
  const node = await makeNode(scene, name, { annotations, providerID });
  const nodeRef = { kind: 'Node', name: node.metadata.name, uid: node.metadata.uid };
  await scene.patch(machines, scene.key(name), { status: { nodeRef } }, 'status');
}

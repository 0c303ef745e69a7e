import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { leases, nodes } from '../../../shared/kubernetes/resources.ts';
import { resources } from '../kinds.ts';
import { stopAnnotation } from '../play/kubelet.ts';
import type { Scene } from '../scene.ts';
import { makeNode, makePod, podsRun } from './objects.ts';
import { needsPolicies, type Story } from './story.ts';

const machines = resources.openshiftMachines;

/** A Machine of OpenShift that runs, with its Node, and its server at the provider. */
async function makeMachine(
  scene: Scene,
  name: string,
  { role = 'worker', spec = {} }: { role?: string; spec?: object } = {},
): Promise<void> {
  const label = `node-role.kubernetes.io/${role}`;
  const annotations = { 'machine.openshift.io/machine': `${scene.namespace}/${name}` };
  const node = await makeNode(scene, name, { labels: { [label]: '' }, annotations });
  const machine = await scene.make({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      labels: {
        'machine.openshift.io/cluster-api-cluster': 'test',
        'machine.openshift.io/cluster-api-machine-role': role,
        'machine.openshift.io/cluster-api-machine-type': role,
      },
      finalizers: ['machine.machine.openshift.io'],
    },
    spec: { providerSpec: { value: { size: 'small' } }, ...spec },
    status: statusOf(node),
  });
  scene.cloud.adopt({ apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', ...machine });
}

const statusOf = ({ metadata: { name, uid } }: KubeObject): object => ({
  phase: 'Running',
  nodeRef: { kind: 'Node', name, uid },
  addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
});

const hooks = (preDrain: string[], preTerminate: string[]): object => ({
  lifecycleHooks: {
    preDrain: preDrain.map((name) => ({ name, owner: 'a-test' })),
    preTerminate: preTerminate.map((name) => ({ name, owner: 'a-test' })),
  },
});

export const openshiftWorker: Story = {
  name: 'openshift',
  text: 'a worker of OpenShift with hooks, Pods and a server at the provider',
  async tell(scene) {
    await makeMachine(scene, 'worker-1', { spec: hooks(['Move'], ['Log']) });
    await makePod(scene, 'web', { on: 'worker-1' });
    await podsRun(scene, 'web');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Drainable',
      status: 'False',
      reason: 'HookPresent',
    });
    await scene.patch(machines, scene.key('worker-1'), { spec: hooks([], ['Log']) });
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Drained',
      status: 'True',
      message: 'Drain finished successfully',
    });
    if (!hasServer(scene, 'worker-1')) throw new Error('the server is gone in spite of the hook');
    await scene.patch(machines, scene.key('worker-1'), { spec: hooks([], []) });
    await scene.untilGone(machines, 'worker-1');
    await scene.untilSeen('Node worker-1 gone');
    if (hasServer(scene, 'worker-1')) throw new Error('the server is still there');
    scene.chronicle.inOrder(
      'Node worker-1 cordoned',
      'Pod web asked to go',
      'Pod web gone',
      'Node worker-1 gone',
    );
  },
};

export const hasServer = ({ cloud, namespace }: Scene, name: string): boolean =>
  cloud.servers().some(({ machine }) => machine.namespace === namespace && machine.name === name);

/** Two of the control plane at the same time. The Node of one is cordoned, and the other waits for its turn. */
export const openshiftControlPlane: Story = {
  name: 'openshift-masters',
  text: 'two control plane Machines of OpenShift at once: one Node is cordoned at a time',
  async tell(scene) {
    for (const name of ['master-1', 'master-2', 'master-3'])
      await makeMachine(scene, name, { role: 'master' });
    for (const name of ['master-1', 'master-2']) {
      await makePod(scene, `on-${name}`, { on: name, annotations: { [stopAnnotation]: '2500' } });
    }
    await podsRun(scene, 'on-master-1', 'on-master-2');
    await scene.follow();
    const both = ['master-1', 'master-2'];
    await Promise.all(both.map((name) => scene.remove(machines, name)));
    const [first = ''] = await scene.until('one of two to be cordoned', () => {
      const cordoned = both.filter((name) => scene.chronicle.saw(`Node ${name} cordoned`));
      return cordoned.length > 0 ? cordoned : undefined;
    });
    const [second = ''] = both.filter((name) => name !== first);
    await scene.untilGone(machines, ...both);
    await scene.untilSeen(`Node ${second} gone`);
    scene.chronicle.inOrder(`Node ${first} gone`, `Node ${second} cordoned`);
    const lease = await scene.get(leases, 'phaseout-control-plane-cordon');
    if (lease !== undefined) throw new Error('the Lease is still held');
    const third = await scene.site.kubernetes.get(nodes, { name: scene.global('master-3') });
    if (Object(third?.['spec']).unschedulable === true) throw new Error('the third was cordoned as well');
  },
};

export const refusedHook: Story = {
  name: 'refused-hook',
  text: 'a hook of an OpenShift Machine that is being deleted may go, and none may come: by the admission policy',
  notHere: needsPolicies,
  async tell(scene) {
    await makeMachine(scene, 'worker-1', { spec: hooks(['Move'], []) });
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Drainable',
      status: 'False',
      reason: 'HookPresent',
    });
    const said = await scene.patch(machines, scene.key('worker-1'), { spec: hooks(['Move'], ['Late']) }).then(
      () => 'nothing: it was changed',
      (error: unknown) => String(error),
    );
    if (!said.includes('pre-terminate hooks are immutable when machine is marked for deletion')) {
      throw new Error(`a late hook was to be refused, and the API server said ${said}`);
    }
    await scene.patch(machines, scene.key('worker-1'), { spec: hooks([], []) });
    await scene.untilGone(machines, 'worker-1');
  },
};

import type { KubeObject, ObjectMeta } from '../../../shared/kubernetes/objects.ts';
import { resources } from '../kinds.ts';
import { readyCondition } from '../play/nodes.ts';
import { serverFinalizer } from '../play/servers.ts';
import type { Scene } from '../scene.ts';
import {
  bootstrapped,
  clusterName,
  clusterStatus,
  machineOf,
  provisioned,
  type WorkerWishes,
} from './capi-machine.ts';

export const machines = resources.capiMachines;

/** A Cluster with a kubeconfig by which one is a ServiceAccount of the workload side. */
export async function makeCluster(scene: Scene, apiVersion = 'cluster.x-k8s.io/v1beta2'): Promise<void> {
  const [group = ''] = apiVersion.split('/');
  const labels = { [`${group}/cluster-name`]: clusterName };
  const spec =
    group === 'cluster.x-k8s.io'
      ? { paused: false, controlPlaneEndpoint: { host: '127.0.0.1', port: 6443 } }
      : {};
  const status = group === 'cluster.x-k8s.io' ? { status: clusterStatus(scene) } : {};
  await scene.make({ apiVersion, kind: 'Cluster', metadata: { name: clusterName }, spec, ...status });
  await scene.make({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'cluster.x-k8s.io/secret',
    metadata: { name: `${clusterName}-kubeconfig`, labels },
    data: { value: Buffer.from(scene.installation.workload).toString('base64') },
  });
  // Where no member of the control plane is left, no Node is touched.
  if (group === 'cluster.x-k8s.io') await makeWorker(scene, controlPlaneName, { labels: controlPlaneLabels });
}

/** The one member of the control plane that a Cluster of Cluster API has here. */
const controlPlaneName = 'master-1';
const controlPlaneLabels = { 'cluster.x-k8s.io/control-plane': '' };

export interface NodeWishes {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  providerID?: string;
}

/** A Node that is only an object, and takes no Pod that is not bound to it. */
export function makeNode(scene: Scene, name: string, wishes: NodeWishes = {}): Promise<KubeObject> {
  const { labels = {}, annotations = {}, providerID = `phaseout-test://${scene.global(name)}` } = wishes;
  return scene.make({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: scene.global(name), labels, annotations },
    spec: {
      providerID,
      taints: [{ key: 'phaseout.dev/test', value: 'true', effect: 'NoSchedule' }],
    },
    status: { conditions: [readyCondition(scene.site.clock.now())] },
  });
}

/** A Machine of Cluster API that runs, with its Node, server and bootstrap config. */
export async function makeWorker(scene: Scene, name: string, wishes: WorkerWishes = {}): Promise<void> {
  await makeNode(scene, name);
  const finalizers = [serverFinalizer];
  await scene.make({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'PhaseoutTestMachine',
    metadata: { name, finalizers },
    spec: { providerID: `phaseout-test://${scene.global(name)}` },
    status: provisioned,
  });
  await scene.make({
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'PhaseoutTestConfig',
    metadata: { name, finalizers },
    status: { ...bootstrapped, dataSecretName: name },
  });
  await scene.make(machineOf(scene, name, wishes));
}

export interface PodWishes {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: ObjectMeta['ownerReferences'];
  volumes?: object[];
  /** Of the Node, as `makeNode` was told. */
  on: string;
}

/** A Pod on a Node of the story; it runs when this resolves. */
export async function makePod(scene: Scene, name: string, wishes: PodWishes): Promise<void> {
  const { labels = { app: name }, annotations = {}, ownerReferences = [], volumes = [], on } = wishes;
  await scene.make({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, annotations, ownerReferences },
    spec: {
      nodeName: scene.global(on),
      terminationGracePeriodSeconds: 5,
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'registry.example/none:1' }],
      tolerations: [{ operator: 'Exists' }],
      volumes,
    },
  });
}

export const podsRun = (scene: Scene, ...names: string[]): Promise<true> =>
  scene.until(`Pods ${names.join(', ')} to run`, async () => {
    const found = await Promise.all(
      names.map((name) => scene.get({ group: '', version: 'v1', plural: 'pods' }, name)),
    );
    return found.every((pod) => Object(pod?.['status']).phase === 'Running') ? true : undefined;
  });

export const podsGone = (scene: Scene, ...names: string[]): Promise<void> =>
  scene.untilGone({ group: '', version: 'v1', plural: 'pods' }, ...names);

/** A disruption budget over Pods of one app, and its status as it must be before anything begins. */
export async function makeBudget(
  scene: Scene,
  app: string,
  minAvailable: number,
  healthy: number,
): Promise<void> {
  const selector = { matchLabels: { app } };
  await scene.make({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app },
    spec: { minAvailable, selector },
  });
  await budgetSees(scene, app, healthy);
}

export const budgetSees = (scene: Scene, app: string, healthy: number): Promise<true> =>
  scene.until(`the budget ${app} to count ${healthy} healthy Pods`, async () => {
    const budget = await scene.get({ group: 'policy', version: 'v1', plural: 'poddisruptionbudgets' }, app);
    return Object(budget?.['status']).currentHealthy === healthy ? true : undefined;
  });

export const drainRule = (name: string, app: string, drain: object): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDrainRule',
  metadata: { name },
  spec: { drain, pods: [{ selector: { matchLabels: { app } } }] },
});

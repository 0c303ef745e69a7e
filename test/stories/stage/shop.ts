import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { ClusterStage } from './cluster-stage.ts';
import { policyDefinitions } from './hook-definitions.ts';
import type { Story } from './story.ts';

const deployments = 'deployments.apps';
const app = { app: 'web' };

/** Deployments are rolled out. */
export const rollsOut = { also: ['deployment'] } as const;

/** What our instances are given so that DrainPolicies may act on Pods that are not let go. */
export const mayAct = {
  configured: { actions: new Set(['RolloutRestart', 'Delete'] as const) },
  environment: { PHASEOUT_ACTIONS: 'rollout-restart,delete' },
};

interface ShopParts {
  replicas?: number;
  /** Laid over the spec of the Deployment. */
  spec?: object;
  /** Its Pods share a volume by this claim. */
  claim?: string;
}

/** A Deployment whose Pods all run on node-1, and a budget that never lets one go. */
export function shop(fleet: ClusterStage, { replicas = 1, spec = {}, claim }: ShopParts = {}): void {
  const metadata = { name: 'web', namespace: 'shop' };
  const containers = [{ name: 'c', image: 'registry.example/app:1' }];
  const volumes = claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }];
  const pod = { containers, ...(volumes.length > 0 && { volumes }) };
  const template = { metadata: { labels: app }, spec: pod };
  if (claim !== undefined)
    fleet.create('persistentvolumeclaims', {
      metadata: { name: claim, namespace: 'shop' },
      spec: { accessModes: ['ReadWriteMany'] },
    });
  const made = fleet.create(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas, selector: { matchLabels: app }, template, ...spec },
  });
  const labels = { ...app, 'pod-template-hash': 'first' };
  const set = fleet.create('replicasets.apps', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web-first', namespace: 'shop', labels, ...fleet.ownerOf(made) },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod },
    },
  });
  const owner = { kind: 'ReplicaSet', name: 'web-first', uid: set.metadata.uid ?? '' };
  fleet.pods('web-first', replicas, 'node-1', { labels, owner, ...(claim !== undefined && { claim }) });
  fleet.budget('web', { minAvailable: replicas, selector: { matchLabels: app } });
}

/** Whether other Nodes than node-1 have room. */
export function hasRoom(fleet: ClusterStage, isOpen: boolean): void {
  const { cluster } = fleet.server;
  fleet.told.say(isOpen ? 'other Nodes have room again' : 'no other Node has room');
  for (const { metadata } of cluster.list('nodes'))
    if (metadata.name !== 'node-1')
      cluster.patch('nodes', { metadata }, { spec: { unschedulable: isOpen ? null : true } });
}

const deployment = ({ server }: ClusterStage): KubeObject | undefined =>
  server.cluster.get(deployments, 'shop', 'web');

const isAvailable = ({ metadata, status }: KubeObject): boolean => {
  const conditions = recordAt({ status }, 'status')['conditions'];
  const isReady =
    Array.isArray(conditions) &&
    conditions.some((each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True');
  return metadata.deletionTimestamp === undefined && isReady;
};

/**
 * It is a problem if fewer of its Pods than these are available, or if it is restarted twice. Once `isOver`, others may take
 * Pods.
 */
export function neverMissesAPod(fleet: ClusterStage, replicas = 1, isOver = (): boolean => false): void {
  const { cluster } = fleet.server;
  const restarts = new Set<string>();
  cluster.watch('pods', () => {
    const web = cluster.list('pods', { namespace: 'shop', labelSelector: 'app=web' }).filter(isAvailable);
    if (web.length < replicas && !isOver())
      fleet.problems.push(`only ${web.length} of ${replicas} Pods are available`);
  });
  cluster.watch(deployments, ({ object }) => {
    const template = recordAt(object, 'spec', 'template', 'metadata', 'annotations');
    const at = template['kubectl.kubernetes.io/restartedAt'];
    if (typeof at === 'string') restarts.add(at);
    if (restarts.size > 1) fleet.problems.push(`restarted ${restarts.size} times`);
  });
}

const restart = { cause: 'BudgetNeverAllows', after: '1m', action: 'RolloutRestart', maxReplicas: 3 };

/** A story in which such a Deployment moves. The stage watches that no Pod is missing, and that it is restarted once. */
export const movingShop = (replicas: number): Story => ({
  beside: policyDefinitions,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.drainPolicy('workers', { blocked: [restart] });
    shop(fleet, { replicas, spec: { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } });
  },
  async plot(fleet) {
    neverMissesAPod(fleet, replicas);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    const annotations = deployment(fleet)?.metadata.annotations ?? {};
    if (!('phaseout.dev/restarted-for' in annotations)) throw new Error('it was not restarted');
  },
});

import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from '../invariants/invariant.ts';
import type { World } from '../world.ts';
import { deployments } from './deployments.ts';
import { deploymentIn, podsOf, restartedFor } from './restarts.ts';

/** A rollout that a restart of ours has begun. */
interface Rollout {
  host: string;
  namespace: string;
  name: string;
  uid: string;
  /** With a later one somebody else has changed it. */
  generation: number;
  label: string;
}

/**
 * From the restart to the end of its rollout. It is judged no more once others take a Pod or its Node, or change the
 * Deployment. What is missing then may be their doing.
 */
export const restartedWithoutAGap: Invariant = {
  name: 'a Deployment that is restarted has as many Pods available as it wants, unless others take some',
  watch(world, _scenario, violated) {
    /** By UID of the Deployment. */
    const rollouts = new Map<string, Rollout>();
    /** Names of Pods that others were seen to take. */
    const taken = new Set<string>();
    const judge = (host: string): void => {
      for (const rollout of rollouts.values()) if (rollout.host === host) judgeOne(rollout);
    };
    const judgeOne = (rollout: Rollout): void => {
      const deployment = current(world, rollout);
      const isOver = deployment === undefined || isRolledOut(deployment);
      if (isOver || deployment.metadata.generation !== rollout.generation) {
        rollouts.delete(rollout.uid);
        return;
      }
      const pods = podsOf(world.cluster(rollout.host), deployment);
      if (pods.some((pod) => isTaken(world, rollout.host, pod, taken))) rollouts.delete(rollout.uid);
      const wanted = Number(recordAt(deployment, 'spec')['replicas'] ?? 1);
      const available = pods.filter(isAvailable).length;
      if (available < wanted && rollouts.has(rollout.uid))
        violated(`${available} of the ${wanted} Pods of ${rollout.label} are available in its rollout`);
    };
    for (const [host, { cluster }] of world.clusters)
      for (const resource of ['pods', deployments, 'nodes']) cluster.watch(resource, () => judge(host));
    return {
      said(_who, what) {
        for (const [name] of what.matchAll(/\brollouts\/[\w-]+/g)) taken.add(name);
        for (const { host } of rollouts.values()) judge(host);
      },
      after(exchange, { code }) {
        if (restartedFor(exchange) === undefined || code >= 300) return;
        const { host, namespace, name } = exchange;
        const { uid = '', generation = 0 } =
          world.cluster(host).get(deployments, namespace, name)?.metadata ?? {};
        rollouts.set(uid, { host, namespace, name, uid, generation, label: deploymentIn(exchange) });
        judge(host);
      },
      stoodStill: () => rollouts.clear(),
    };
  },
};

const current = (world: World, { host, namespace, name, uid }: Rollout): KubeObject | undefined => {
  const found = world.cluster(host).get(deployments, namespace, name);
  return found?.metadata.uid === uid ? found : undefined;
};

/** By its status, as its own controller has written it. */
function isRolledOut({ metadata, spec, status }: KubeObject): boolean {
  const wanted = Number(recordAt({ spec }, 'spec')['replicas'] ?? 1);
  const { observedGeneration, replicas, updatedReplicas, availableReplicas } = recordAt({ status }, 'status');
  const isSeen = Number(observedGeneration) >= (metadata.generation ?? 0);
  return isSeen && [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted);
}

const conditionsOf = (object: KubeObject): readonly unknown[] => {
  const { conditions } = recordAt(object, 'status');
  return Array.isArray(conditions) ? conditions : [];
};

const isTrue = (object: KubeObject, type: string): boolean =>
  conditionsOf(object).some((each) => textAt(each, 'type') === type && textAt(each, 'status') === 'True');

const isAvailable = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp === undefined && isTrue(pod, 'Ready');

/** By somebody who says so, or with its Node. */
function isTaken(world: World, host: string, pod: KubeObject, taken: ReadonlySet<string>): boolean {
  const { namespace, name } = pod.metadata;
  if (taken.has(`${namespace}/${name}`)) return true;
  const nodeName = textAt(pod, 'spec', 'nodeName');
  if (nodeName === undefined) return false;
  const node = world.cluster(host).get('nodes', undefined, nodeName);
  return node === undefined || node.metadata.deletionTimestamp !== undefined || !isTrue(node, 'Ready');
}

import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import type { Site } from '../site.ts';

const heartbeatMilliseconds = 10_000;

/** Kubernetes takes a Node that does not report for dead after 40 seconds, and treats its Pods as such. */
export function createHeartbeat({ kubernetes, clock }: Site): (labelSelector: string) => Promise<void> {
  let last = clock.now();
  return async (labelSelector) => {
    if (clock.now() - last < heartbeatMilliseconds) return;
    last = clock.now();
    const { items } = await kubernetes.list(nodes, { labelSelector });
    const status = { conditions: [readyCondition(last)] };
    await Promise.all(
      items.filter(isAlive).map((node) => kubernetes.mergePatch(nodes, keyOf(node), { status }, 'status')),
    );
  };
}

export function readyCondition(now: number): object {
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'played',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  };
}

const isAlive = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

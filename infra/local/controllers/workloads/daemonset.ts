import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  controllerOf,
  isTerminating,
  type Node,
  type Pod,
  type Toleration,
  uidOf,
  type Workload,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isSelected, isTolerated, mayStay } from '../nodes/nodes.ts';
import { byController, isActive, isReady } from './pods.ts';
import { followOwned, patchStatus, podFrom } from './replicas.ts';

const resource = 'daemonsets.apps';

// Given to every Pod of a DaemonSet by the real controller: they stay where others must leave.
const standing: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

// Readiness is left to the kubelet: these two taints do not keep such a Pod from being created.
const passing: readonly Toleration[] = [
  ...standing,
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists' },
];

/** Keeps one Pod on every Node it may run on, cordoned ones included, bound without the scheduler. */
export function daemonSets(world: World): void {
  const sets = world.informer<Workload>(resource);
  const pods = world.informer<Pod>('pods');
  const nodes = world.informer<Node>('nodes');

  const queue = world.queue('daemonset', (key) => {
    const set = sets.get(key);
    if (set === undefined) return;
    const wanted = nodesFor(world, set, isTolerated);
    if (!isTerminating(set)) keepOnEach(world, set, wanted);
    patchStatus(world, resource, set, counts(set, wanted.size, pods.in(byController, uidOf(set))));
  });
  followOwned(world, resource, 'DaemonSet', queue);
  nodes.onChange(({ before, after }) => {
    if (placement(before) === placement(after)) return;
    for (const key of sets.keys()) queue.add(key);
  });
}

// What decides where Pods may run; heartbeats and attached volumes do not.
function placement(node: Node | undefined): string {
  return JSON.stringify([node?.metadata.name, node?.metadata.labels, node?.spec]);
}

type Tolerance = (node: Node, tolerations: readonly Toleration[]) => boolean;

function nodesFor(world: World, set: Workload, tolerance: Tolerance): Set<string> {
  const { nodeSelector, tolerations = [] } = set.spec?.template?.spec ?? {};
  const suitable = [...world.informer<Node>('nodes').all()].filter(
    (node) => isSelected(nodeSelector, node) && tolerance(node, [...tolerations, ...passing]),
  );
  return new Set(suitable.map((node) => node.metadata.name));
}

function keepOnEach(world: World, set: Workload, wanted: ReadonlySet<string>): void {
  const allowed = nodesFor(world, set, mayStay);
  const taken = new Set<string>();
  for (const pod of world.informer<Pod>('pods').in(byController, uidOf(set))) {
    const nodeName = pod.spec?.nodeName ?? '';
    if (isActive(pod) && (!allowed.has(nodeName) || taken.has(nodeName))) world.remove('pods', pod);
    // A terminating Pod still holds its Node, so that two of one set never run side by side.
    taken.add(nodeName);
  }
  for (const name of wanted) if (!taken.has(name)) world.create('pods', daemonOf(set, name));
}

function daemonOf(set: Workload, nodeName: string): KubeObject {
  const pod = podFrom(set, set.spec?.template) as Pod;
  const tolerations = [...(pod.spec?.tolerations ?? []), ...standing];
  return { ...pod, spec: { ...pod.spec, nodeName, tolerations } };
}

function counts(set: Workload, desired: number, pods: readonly Pod[]): Record<string, number> {
  const current = pods.filter((pod) => isActive(pod) && controllerOf(pod)?.uid === uidOf(set));
  const ready = current.filter(isReady).length;
  return {
    observedGeneration: set.metadata.generation ?? 1,
    desiredNumberScheduled: desired,
    currentNumberScheduled: current.length,
    updatedNumberScheduled: current.length,
    numberMisscheduled: 0,
    numberReady: ready,
    numberAvailable: ready,
  };
}

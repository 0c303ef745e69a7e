import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  conditionOf,
  isTrue,
  type Node,
  type Taint,
  type Toleration,
  withConditions,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

export const byProviderId = (node: Node): readonly string[] => {
  const id = node.spec?.providerID;
  return id === undefined || id === '' ? [] : [id];
};

/** The Node's kubelet has stopped answering. */
export function isUnreachable(node: Node): boolean {
  return conditionOf(node.status?.conditions, 'Ready')?.status === 'Unknown';
}

export function isNodeReady(node: Node): boolean {
  return isTrue(node.status?.conditions, 'Ready');
}

export function isSelected(selector: Record<string, string> | undefined, node: Node): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => node.metadata.labels?.[key] === value);
}

const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** No taint of the Node keeps such a Pod away; `spec.unschedulable` counts as its taint, even before that is set. */
export function isTolerated(node: Node, tolerations: readonly Toleration[] | undefined): boolean {
  return tolerate(tolerations, node, ['NoSchedule', 'NoExecute']);
}

/** No taint of the Node drives such a Pod away once it is there. */
export function mayStay(node: Node, tolerations: readonly Toleration[] | undefined): boolean {
  return tolerate(tolerations, node, ['NoExecute']);
}

function tolerate(tolerations: readonly Toleration[] | undefined, node: Node, effects: string[]): boolean {
  const taints = [...(node.spec?.taints ?? []), ...(node.spec?.unschedulable ? [cordoned] : [])];
  const repelling = taints.filter((taint) => effects.includes(taint.effect));
  return repelling.every((taint) => (tolerations ?? []).some((toleration) => tolerates(toleration, taint)));
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  // Without a key a toleration stands for all taints, provided its operator is Exists.
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return toleration.key !== undefined && (toleration.value ?? '') === (taint.value ?? '');
}

interface NodeFields {
  name: string;
  providerID: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  taints?: readonly Taint[];
}

const reported = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID'],
  ['Ready', 'True', 'KubeletReady'],
].map(([type = '', status = '', reason = '']) => ({ type, status, reason, message: reason }));

/** A Node as its kubelet registers it, Ready. One of this name that is already there stays as it is. */
export function registerNode(world: World, fields: NodeFields): KubeObject {
  const nodes = world.informer<Node>('nodes');
  const node = nodes.get(fields.name) ?? world.create('nodes', nodeOf(fields));
  const before = nodes.get(fields.name)?.status?.conditions;
  if (conditionOf(before, 'Ready') !== undefined) return node;
  const conditions = withConditions(before, reported, world.clock.now());
  world.writeStatus('nodes', node, { conditions });
  return node;
}

function nodeOf({ name, providerID, labels, annotations, taints = [] }: NodeFields): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels },
      ...(annotations && { annotations }),
    },
    spec: { providerID, ...(taints.length > 0 && { taints }) },
  };
}

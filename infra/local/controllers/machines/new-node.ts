import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { withCondition } from '../machinery/conditions.ts';
import type { Condition, Node, Taint } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

export interface NodeFields {
  name: string;
  providerID: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  taints?: readonly Taint[];
}

const reports: readonly [type: string, status: string, reason: string][] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID'],
  ['Ready', 'True', 'KubeletReady'],
];

/** A Node as its kubelet registers it, Ready; one of this name that is there already is left as it is. */
export function registerNode(world: World, fields: NodeFields): KubeObject {
  const nodes = world.informer<Node>('nodes');
  const node = nodes.get(fields.name) ?? world.create('nodes', nodeOf(fields));
  const conditions = nodes.get(fields.name)?.status?.conditions ?? [];
  if (conditions.some(({ type }) => type === 'Ready')) return node;
  const now = world.clock.now();
  const reported = reports.reduce<Condition[]>(
    (list, [type, status, reason]) => withCondition(list, { type, status, reason, message: reason }, now),
    conditions,
  );
  world.patch('nodes', node, { status: { conditions: reported } }, 'status');
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

import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { conditionOf, type Node, type Taint, withConditions } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

export interface NodeFields {
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

/** A Node as its kubelet registers it, Ready; one of this name that is there already is left as it is. */
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

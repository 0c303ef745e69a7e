import type { KubeObject } from '../cluster.ts';
import { at, listOf, objectOf } from '../json.ts';
import type { KindRules } from '../resource.ts';

const unknownNodeInfo = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
};

/** Nodes: a new one is tainted as not ready, and the status always names its parts. */
export const nodeRules: KindRules = {
  defaults: (node) => ({ ...node, spec: objectOf(node.spec), status: nodeStatus(node) }),
  onCreate: (node) => ({ ...node, spec: notReady(node) }),
  fields: { 'spec.unschedulable': (node) => String(at(node, 'spec', 'unschedulable') === true) },
};

function nodeStatus(node: KubeObject) {
  const status = objectOf(node.status);
  const conditions = status.conditions;
  return {
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    ...status,
    ...(status.capacity !== undefined && { allocatable: status.allocatable ?? status.capacity }),
    nodeInfo: { ...unknownNodeInfo, ...objectOf(status.nodeInfo) },
    ...(Array.isArray(conditions) && {
      conditions: conditions.map((one) => ({
        lastHeartbeatTime: null,
        lastTransitionTime: null,
        ...objectOf(one),
      })),
    }),
  };
}

function notReady(node: KubeObject) {
  const spec = objectOf(node.spec);
  const key = 'node.kubernetes.io/not-ready';
  const taints = listOf(spec.taints);
  if (taints.some((taint) => objectOf(taint).key === key)) return spec;
  return { ...spec, taints: [...taints, { key, effect: 'NoSchedule' }] };
}

import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { forbidden, required, unsupported } from '../objects/status.ts';
import { at, listOf, objectOf, textAt } from '../server/json.ts';
import { filledLists } from './pod.ts';

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
  zero: { spec: {}, status: nodeStatus({ metadata: { name: '' } }) },
  knownFields: ['spec', 'status'],
  refusals: (node, previous) => [...taintRefusals(node), ...providerRefusals(node, previous)],
  onCreate: (node) => ({ ...node, spec: notReady(node) }),
  fields: { 'spec.unschedulable': (node) => String(at(node, 'spec', 'unschedulable') === true) },
};

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function taintRefusals(node: KubeObject): Cause[] {
  return listOf(at(node, 'spec', 'taints')).flatMap((taint, i) => {
    const effect = textAt(taint, 'effect');
    const field = `spec.taints[${i}].effect`;
    if (effect === '') return [required(field)];
    return effects.includes(effect) ? [] : [unsupported(field, effect, effects)];
  });
}

function providerRefusals(node: KubeObject, previous: KubeObject | undefined): Cause[] {
  const before = textAt(previous, 'spec', 'providerID');
  if (before === '' || before === textAt(node, 'spec', 'providerID')) return [];
  return [forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid')];
}

function nodeStatus(node: KubeObject) {
  const status = objectOf(node.status);
  const filled = filledLists(status, { conditions: { lastHeartbeatTime: null, lastTransitionTime: null } });
  return {
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    ...filled,
    ...(status.capacity !== undefined && { allocatable: status.allocatable ?? status.capacity }),
    nodeInfo: { ...unknownNodeInfo, ...objectOf(status.nodeInfo) },
  };
}

function notReady(node: KubeObject) {
  const spec = objectOf(node.spec);
  const key = 'node.kubernetes.io/not-ready';
  const taints = listOf(spec.taints);
  if (taints.some((taint) => objectOf(taint).key === key)) return spec;
  return { ...spec, taints: [...taints, { key, effect: 'NoSchedule' }] };
}

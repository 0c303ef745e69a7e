import type { KubeObject } from '../objects/cluster.ts';
import { at, listOf, textAt } from '../server/json.ts';
import { ageSince, type Printer } from './printer.ts';

const rolePrefix = 'node-role.kubernetes.io/';

/** Nodes as kubectl shows them. */
export const nodePrinter: Printer = {
  columns: [
    { name: 'Name', format: 'name' },
    { name: 'Status' },
    { name: 'Roles' },
    { name: 'Age' },
    { name: 'Version' },
    { name: 'Internal-IP', priority: 1 },
    { name: 'External-IP', priority: 1 },
    { name: 'OS-Image', priority: 1 },
    { name: 'Kernel-Version', priority: 1 },
    { name: 'Container-Runtime', priority: 1 },
  ],
  cells: (node, now) => [
    node.metadata.name,
    statusOf(node),
    rolesOf(node),
    ageSince(node.metadata.creationTimestamp, now),
    textAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
    addressOf(node, 'InternalIP'),
    addressOf(node, 'ExternalIP'),
    textAt(node, 'status', 'nodeInfo', 'osImage') || '<unknown>',
    kernelOf(node),
    textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>',
  ],
};

function statusOf(node: KubeObject): string {
  const ready = listOf(at(node, 'status', 'conditions')).find((one) => textAt(one, 'type') === 'Ready');
  const words = [readiness(textAt(ready, 'status'), ready !== undefined)];
  if (at(node, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled');
  return words.join(',');
}

function readiness(status: string, isKnown: boolean): string {
  if (!isKnown) return 'Unknown';
  return status === 'True' ? 'Ready' : 'NotReady';
}

function rolesOf({ metadata }: KubeObject): string {
  const roles = Object.keys(metadata.labels ?? {}).flatMap((label) =>
    label.startsWith(rolePrefix) ? [label.slice(rolePrefix.length)] : [],
  );
  return roles.toSorted().join(',') || '<none>';
}

function addressOf(node: KubeObject, type: string): string {
  const found = listOf(at(node, 'status', 'addresses')).find((one) => textAt(one, 'type') === type);
  return textAt(found, 'address') || '<none>';
}

function kernelOf(node: KubeObject): string {
  const kernel = textAt(node, 'status', 'nodeInfo', 'kernelVersion');
  const architecture = textAt(node, 'status', 'nodeInfo', 'architecture');
  if (kernel === '') return '<unknown>';
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

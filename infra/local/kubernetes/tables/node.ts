import { conditionIn } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { at, listOf, textAt } from '../server/json.ts';
import { age, name, printer, wide } from './printer.ts';

const rolePrefix = 'node-role.kubernetes.io/';

const info = (field: string) => (node: KubeObject) => textAt(node, 'status', 'nodeInfo', field);
const known = (field: string) => (node: KubeObject) => info(field)(node) || '<unknown>';

/** Nodes as kubectl shows them. */
export const nodePrinter = printer(
  name,
  ['Status', statusOf],
  ['Roles', rolesOf],
  age,
  ['Version', info('kubeletVersion')],
  [wide('Internal-IP'), addressOf('InternalIP')],
  [wide('External-IP'), addressOf('ExternalIP')],
  [wide('OS-Image'), known('osImage')],
  [wide('Kernel-Version'), kernelOf],
  [wide('Container-Runtime'), known('containerRuntimeVersion')],
);

function statusOf(node: KubeObject): string {
  const ready = conditionIn(node, 'Ready');
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

function addressOf(type: string): (node: KubeObject) => string {
  return (node) => {
    const found = listOf(at(node, 'status', 'addresses')).find((one) => textAt(one, 'type') === type);
    return textAt(found, 'address') || '<none>';
  };
}

function kernelOf(node: KubeObject): string {
  const [kernel, architecture] = [info('kernelVersion')(node), info('architecture')(node)];
  if (kernel === '') return '<unknown>';
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

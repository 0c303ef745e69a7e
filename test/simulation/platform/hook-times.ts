import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { kubeObject } from '../../../infra/local/kubernetes/kube-object.ts';

const known = 'nodeDrainStartTime';
const added = ['waitForPreDrainHookStartTime', 'waitForPreTerminateHookStartTime'];

/** The definition with the times that later releases of Cluster API have beside those that this one has. */
export const withHookTimes = (definition: KubeObject): KubeObject =>
  kubeObject(JSON.parse(JSON.stringify(definition), (_key, value: unknown) => withAdded(value)));

function withAdded(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || !(known in fields)) return fields;
  return { ...fields, ...Object.fromEntries(added.map((name) => [name, fields[known]])) };
}

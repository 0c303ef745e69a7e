import type { KubeObject } from '../objects/cluster.ts';
import { at, listOf, numberAt, objectOf, textAt } from '../server/json.ts';
import { nodePrinter } from './node.ts';
import { podPrinter } from './pod.ts';
import { age, ageSince, type Column, name, type Printer, printer, text, wide } from './printer.ts';

const count = (column: string): Column => ({ name: column, type: 'integer' });
const amount =
  (...path: string[]) =>
  (object: KubeObject) =>
    Number(at(object, ...path) ?? 0);
const size =
  (...path: string[]) =>
  (object: KubeObject) =>
    Object.keys(objectOf(at(object, ...path))).length;
const ratio = (have: string, want: string) => (object: KubeObject) =>
  `${amount('status', have)(object)}/${amount('spec', want)(object)}`;
const orNone =
  (...path: string[]) =>
  (object: KubeObject) =>
    shownAmount(at(object, ...path)) ?? 'N/A';
const involved = (object: KubeObject) =>
  `${textAt(object, 'involvedObject', 'kind').toLowerCase()}/${textAt(object, 'involvedObject', 'name')}`;
const source = (object: KubeObject) =>
  [
    textAt(object, 'source', 'component') || textAt(object, 'reportingComponent'),
    textAt(object, 'source', 'host'),
  ]
    .filter(Boolean)
    .join(', ');
const seen = (field: string) => (object: KubeObject, now: number) =>
  ageSince(object[field] ?? object.eventTime ?? object.metadata.creationTimestamp, now);

export const defaultPrinter = printer(name, age);

/** What `kubectl get` shows of the built-in kinds; kinds that are not here show name and age. */
export const builtinPrinters: Readonly<Record<string, Printer>> = {
  pods: podPrinter,
  nodes: nodePrinter,
  namespaces: printer(name, ['Status', text('status', 'phase')], age),
  configmaps: printer(name, ['Data', (one) => String(size('data')(one) + size('binaryData')(one))], age),
  secrets: printer(name, ['Type', text('type')], ['Data', (one) => String(size('data')(one))], age),
  events: printer(
    ['Last Seen', seen('lastTimestamp')],
    ['Type', (one) => textAt(one, 'type')],
    ['Reason', (one) => textAt(one, 'reason')],
    ['Object', involved],
    [wide('Subobject'), (one) => textAt(one, 'involvedObject', 'fieldPath')],
    [wide('Source'), source],
    ['Message', (one) => textAt(one, 'message').trim()],
    [wide('First Seen'), seen('firstTimestamp')],
    [wide('Count'), (one) => String(numberAt(one, 'count') ?? 1)],
    [{ ...wide('Name'), format: 'name' }, ({ metadata }) => metadata.name],
  ),
  persistentvolumes: printer(
    name,
    ['Capacity', text('spec', 'capacity', 'storage')],
    ['Status', text('status', 'phase')],
    ['Claim', (one) => claimOf(one)],
    ['StorageClass', (one) => textAt(one, 'spec', 'storageClassName')],
    age,
  ),
  persistentvolumeclaims: printer(
    name,
    ['Status', text('status', 'phase')],
    ['Volume', (one) => textAt(one, 'spec', 'volumeName')],
    ['Capacity', (one) => textAt(one, 'status', 'capacity', 'storage')],
    ['StorageClass', (one) => textAt(one, 'spec', 'storageClassName')],
    age,
  ),
  'poddisruptionbudgets.policy': printer(
    name,
    ['Min Available', orNone('spec', 'minAvailable')],
    ['Max Unavailable', orNone('spec', 'maxUnavailable')],
    [count('Allowed Disruptions'), amount('status', 'disruptionsAllowed')],
    age,
  ),
  'deployments.apps': printer(
    name,
    ['Ready', ratio('readyReplicas', 'replicas')],
    ['Up-to-date', amount('status', 'updatedReplicas')],
    ['Available', amount('status', 'availableReplicas')],
    age,
  ),
  'replicasets.apps': printer(
    name,
    [count('Desired'), amount('spec', 'replicas')],
    [count('Current'), amount('status', 'replicas')],
    [count('Ready'), amount('status', 'readyReplicas')],
    age,
  ),
  'statefulsets.apps': printer(name, ['Ready', ratio('readyReplicas', 'replicas')], age),
  'daemonsets.apps': printer(
    name,
    [count('Desired'), amount('status', 'desiredNumberScheduled')],
    [count('Current'), amount('status', 'currentNumberScheduled')],
    [count('Ready'), amount('status', 'numberReady')],
    age,
  ),
  'leases.coordination.k8s.io': printer(
    name,
    ['Holder', (one) => textAt(one, 'spec', 'holderIdentity')],
    age,
  ),
  'volumeattachments.storage.k8s.io': printer(
    name,
    ['Attacher', text('spec', 'attacher')],
    ['PV', text('spec', 'source', 'persistentVolumeName')],
    ['Node', text('spec', 'nodeName')],
    [{ name: 'Attached', type: 'boolean' }, (one) => at(one, 'status', 'attached') === true],
    age,
  ),
  'customresourcedefinitions.apiextensions.k8s.io': printer(name, [
    { name: 'Created At', type: 'date' },
    ({ metadata }) => metadata.creationTimestamp,
  ]),
};

function shownAmount(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function claimOf(volume: KubeObject): string {
  const claim = at(volume, 'spec', 'claimRef');
  return listOf([textAt(claim, 'namespace'), textAt(claim, 'name')])
    .filter(Boolean)
    .join('/');
}

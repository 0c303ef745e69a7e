import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { listOf } from '../../../infra/local/kubernetes/server/json.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { limitOf } from '../invariants/sight/limits.ts';
import {
  checkpointKey,
  finalizerOf,
  hooksAt,
  hooksKey,
  infrastructureRef,
} from '../invariants/sight/machine.ts';
import { turnsOf } from '../invariants/sight/turns.ts';

const ofClusters = [
  'cluster.x-k8s.io/cluster-name',
  'machine.openshift.io/cluster-api-cluster',
  'cluster.k8s.io/cluster-name',
];

/** What is particular about a Machine, each in a few words; `node`: of the Node that it should have. */
export function machineTraits(machine: KubeObject, node?: string): string[] {
  const { annotations = {}, labels = {}, finalizers = [], deletionTimestamp } = machine.metadata;
  const knowsNode = textAt(machine, 'status', 'nodeRef', 'name') !== undefined;
  const hooks = (['pre-drain', 'pre-terminate'] as const).flatMap((point) =>
    hooksAt(machine, point).map((name) => (name.startsWith(point) ? name : `${point} ${name}`)),
  );
  const limits = (['drain', 'volumes', 'node'] as const)
    .map((step) => [step, limitOf(machine, step)] as const)
    .filter(([, seconds]) => seconds !== 0)
    .map(([step, seconds]) => `${step} ${seconds} s`);
  const told = [...hooks, checkpointKey, hooksKey];
  const marks = Object.entries(annotations).filter(([key]) => !told.includes(key));
  const functions = turnsOf(machine).map(
    ({ name, begin, end }) => `${name} ${end ?? (begin === undefined ? 'later' : 'asked')}`,
  );
  const others = finalizers.filter((each) => !Object.values(finalizerOf).includes(each));
  return [
    ...(deletionTimestamp === undefined ? [] : ['being deleted']),
    ...(node === undefined || knowsNode ? [] : ['its status names no Node']),
    ...serverOfAnother(machine),
    ...(ofClusters.some((key) => key in labels) ? [] : ['no label of its cluster']),
    ...listed('labels', pairsWithout(labels, ofClusters)),
    ...listed('hooks', hooks),
    ...listed('functions', functions),
    ...listed('time limits', limits),
    ...markTexts(Object.fromEntries(marks)),
    ...listed('finalizers of others', others),
  ];
}

function serverOfAnother(machine: KubeObject): string[] {
  const { name = machine.metadata.name } = infrastructureRef(machine);
  return name === machine.metadata.name ? [] : [`refers to the server of ${String(name)}`];
}

const ofControllers = ['pod-template-hash', 'controller-revision-hash', 'pod-template-generation'];

/** What is particular about a Pod, each in a few words. */
export function podTraits({ metadata, spec }: KubeObject): string[] {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  const claims = listOf(recordAt(spec)['volumes']).flatMap(
    (volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? [],
  );
  return [
    ...(metadata.deletionTimestamp === undefined ? [] : ['being deleted']),
    ...(owner === undefined ? [] : [`of ${owner.kind} ${owner.name}`]),
    ...listed('labels', pairsWithout(labels, ofControllers)),
    ...markTexts(annotations),
    ...listed('claims', claims),
    ...listed('finalizers', finalizers),
  ];
}

/** How whatever runs beside the API server takes annotations of its own. */
const ofLocalCluster: Readonly<Record<string, (value: string) => string>> = {
  'local.phaseout.dev/never-stops': () => 'never stops',
  'local.phaseout.dev/stop-seconds': (seconds) => `takes ${seconds} s to stop`,
  'local.phaseout.dev/run-seconds': (seconds) => `runs for ${seconds} s`,
};

function markTexts(annotations: Readonly<Record<string, string>>): string[] {
  const marks = Object.entries(annotations);
  const others = marks.filter(([key]) => !(key in ofLocalCluster));
  return [
    ...marks.flatMap(([key, value]) => ofLocalCluster[key]?.(value) ?? []),
    ...listed('annotations', others.map(pairText)),
  ];
}

const listed = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what} ${names.join(', ')}`];

const pairsWithout = (labels: Readonly<Record<string, string>>, keys: readonly string[]): string[] =>
  Object.entries(labels)
    .filter(([key]) => !keys.includes(key))
    .map(pairText);

const pairText = ([key, value]: readonly [string, unknown]): string =>
  value === '' ? key : `${key}=${String(value)}`;

import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { listOf } from '../../../infra/local/kubernetes/json.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { limitOf } from '../invariants/sight/limits.ts';
import { checkpointKey, finalizerOf, hooksAt } from '../invariants/sight/machine.ts';

/** What is particular about a Machine, each in a few words. */
export function machineTraits(machine: KubeObject): string[] {
  const { annotations = {}, finalizers = [], deletionTimestamp } = machine.metadata;
  const hooks = (['pre-drain', 'pre-terminate'] as const).flatMap((point) =>
    hooksAt(machine, point).map((name) => (name.startsWith(point) ? name : `${point} ${name}`)),
  );
  const limits = (['drain', 'volumes', 'node'] as const)
    .map((step) => [step, limitOf(machine, step)] as const)
    .filter(([, seconds]) => seconds !== 0)
    .map(([step, seconds]) => `${step} ${seconds} s`);
  const marks = Object.entries(annotations).filter(([key]) => !hooks.includes(key) && key !== checkpointKey);
  const others = finalizers.filter((each) => !Object.values(finalizerOf).includes(each));
  return [
    ...(deletionTimestamp === undefined ? [] : ['being deleted']),
    ...listed('hooks', hooks),
    ...listed('time limits', limits),
    ...listed('annotations', marks.map(pairText)),
    ...listed('finalizers of others', others),
  ];
}

const ofControllers = ['pod-template-hash', 'controller-revision-hash', 'pod-template-generation'];

/** What is particular about a Pod, each in a few words. */
export function podTraits({ metadata, spec }: KubeObject): string[] {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  const claims = listOf(recordAt(spec)['volumes']).flatMap(
    (volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? [],
  );
  const own = Object.entries(labels).filter(([key]) => !ofControllers.includes(key));
  return [
    ...(metadata.deletionTimestamp === undefined ? [] : ['on its way already']),
    ...(owner === undefined ? [] : [`of ${owner.kind} ${owner.name}`]),
    ...listed('labels', own.map(pairText)),
    ...listed('annotations', Object.entries(annotations).map(pairText)),
    ...listed('claims', claims),
    ...listed('finalizers', finalizers),
  ];
}

const listed = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what} ${names.join(', ')}`];

const pairText = ([key, value]: readonly [string, unknown]): string =>
  value === '' ? key : `${key}=${String(value)}`;

import type { Random } from '../../random.ts';
import type { PodBlueprint, SetBlueprint } from '../blueprint.ts';
import { aPod, aSet, type Draft, type Place } from './draft.ts';

const drainLabel = 'cluster.x-k8s.io/drain';
const stopSeconds = (seconds: number) => ({ 'local.phaseout.dev/stop-seconds': String(seconds) });
const runSeconds = (random: Random) => ({ 'local.phaseout.dev/run-seconds': String(random.between(4, 25)) });
const neverStops = { 'local.phaseout.dev/never-stops': 'true' };

type Special = (random: Random, name: string) => Partial<PodBlueprint>;

/** Kinds of Pods that come alone, with how often they do. */
const singles: Readonly<Record<string, readonly [number, Special]>> = {
  plain: [10, () => ({})],
  slow: [4, (random) => ({ annotations: stopSeconds(random.between(4, 25)) })],
  'of the front': [4, () => ({ labels: { tier: 'front' } })],
  'of the back': [4, () => ({ labels: { tier: 'back' } })],
  'labelled to stay': [3, (random) => ({ labels: { [drainLabel]: random.oneOf(['skip', 'Skip']) } })],
  monitor: [2, () => ({ labels: { role: 'monitor' } })],
  'labelled to complete': [
    3,
    (random) => ({ labels: { [drainLabel]: 'wait-completed' }, annotations: runSeconds(random) }),
  ],
  batch: [2, (random) => ({ labels: { role: 'batch' }, annotations: runSeconds(random) })],
  'waited for and never complete': [1, () => ({ labels: { [drainLabel]: 'waitCompleted' } })],
  'waited for and complete': [1, () => ({ labels: { [drainLabel]: 'wait-completed' }, state: 'Succeeded' })],
  mirror: [3, () => ({ namespace: 'kube-system', annotations: { 'kubernetes.io/config.mirror': 'a1b2' } })],
  job: [3, (random, name) => ({ job: name, annotations: runSeconds(random) })],
  'never stops': [2, () => ({ annotations: neverStops })],
  'with a finalizer': [1, () => ({ finalizers: ['backup.example/copy'] })],
  terminating: [2, () => ({ state: 'terminating', annotations: stopSeconds(20) })],
  'terminating for ever': [1, () => ({ state: 'terminating', annotations: neverStops })],
  succeeded: [1, () => ({ state: 'Succeeded' })],
  failed: [1, () => ({ state: 'Failed' })],
  'with local storage': [2, () => ({ hasLocalStorage: true })],
  'with a volume': [3, (_random, name) => ({ claims: [`data-${name}`] })],
  'with a volume that stays': [1, (_random, name) => ({ claims: [`data-${name}`] })],
  'labelled to stay, with a volume': [
    1,
    (_random, name) => ({ labels: { [drainLabel]: 'skip' }, claims: [`data-${name}`] }),
  ],
};

const weighted = Object.entries(singles).flatMap(([kind, [weight]]) => Array<string>(weight).fill(kind));

/** So many Pods of any kind on a Node. */
export function drawPods(draft: Draft, place: Place, random: Random, count: number): void {
  for (let index = 1; index <= count; index += 1) {
    const kind = random.oneOf(weighted);
    const special = singles[kind]?.[1];
    const name = `${place.node}-app-${index}`;
    const namespace = random.oneOf(['shop', 'shop', 'bank']);
    const pod = aPod(place, { name, namespace, kind, ...special?.(random, name) });
    draft.pods.push(pod);
    for (const claim of pod.claims) {
      const stuckOn = kind === 'with a volume that stays' ? place.node : undefined;
      draft.volumes.push({ host: place.host, namespace: pod.namespace, name: claim, stuckOn });
    }
  }
}

/**
 * Like Pods of one StatefulSet in two namespaces, where one stays. To mistake one's claim for the other's takes the
 * server from under a volume.
 */
export function drawTwins(draft: Draft, place: Place): void {
  const claim = `data-of-${place.node}-twin`;
  const staying = { [drainLabel]: 'skip' };
  for (const [namespace, labels] of [['shop', staying] as const, ['bank', {}] as const]) {
    const kind = 'one of two of one name';
    draft.pods.push(aPod(place, { name: `${place.node}-twin`, namespace, kind, labels, claims: [claim] }));
    draft.volumes.push({ host: place.host, namespace, name: claim, stuckOn: undefined });
  }
}

/** One Pod on each Node of the host, of the system or of any user. */
export function drawDaemonSet(draft: Draft, host: string, random: Random): void {
  const namespace = random.oneOf(['kube-system', 'shop']);
  draft.sets.push(aSet({ kind: 'DaemonSet', host, namespace, name: 'node-agent', toleratesAll: true }));
}

/** A Pod that is made again on its Node whenever it goes. */
export function returningSet({ host, node }: Place): SetBlueprint {
  const nodeSelector = { 'kubernetes.io/hostname': node };
  return aSet({
    host,
    name: `${node}-returning`,
    annotations: stopSeconds(15),
    toleratesAll: true,
    nodeSelector,
  });
}

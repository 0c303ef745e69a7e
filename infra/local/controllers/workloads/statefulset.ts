import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { type Claim, isTerminating, type Pod, toKey, uidOf, type Workload } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byController, isReady } from './pods.ts';
import { followOwned, patchStatus, podFrom, replicaStatus } from './replicas.ts';

const resource = 'statefulsets.apps';

/** Keeps Pods name-0 … name-N with claims of their own. Each waits until those before it are Ready. */
export function statefulSets(world: World): void {
  const sets = world.informer<Workload>(resource);
  const pods = world.informer<Pod>('pods');

  const queue = world.queue('statefulset', (key) => {
    const set = sets.get(key);
    if (set === undefined) return;
    if (!isTerminating(set)) step(world, set, pods.in(byController, uidOf(set)));
    patchStatus(world, resource, set, replicaStatus(set, pods.in(byController, uidOf(set))));
  });
  followOwned(world, resource, 'StatefulSet', queue);
}

function step(world: World, set: Workload, owned: readonly Pod[]): void {
  const named = new Map(owned.map((pod) => [pod.metadata.name, pod]));
  const wanted = set.spec?.replicas ?? 1;
  for (let ordinal = 0; ordinal < wanted; ordinal += 1) {
    const pod = named.get(`${set.metadata.name}-${ordinal}`);
    if (pod === undefined) return createMember(world, set, ordinal);
    if (isTerminating(pod) || !isReady(pod)) return;
  }
  scaleDown(world, wanted, owned);
}

function scaleDown(world: World, wanted: number, owned: readonly Pod[]): void {
  const last = owned.reduce<Pod | undefined>(
    (highest, pod) => (highest === undefined || ordinalOf(pod) > ordinalOf(highest) ? pod : highest),
    undefined,
  );
  if (last !== undefined && ordinalOf(last) >= wanted && !isTerminating(last)) world.remove('pods', last);
}

function ordinalOf(pod: Pod): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}

function createMember(world: World, set: Workload, ordinal: number): void {
  const name = `${set.metadata.name}-${ordinal}`;
  const templates = set.spec?.volumeClaimTemplates ?? [];
  for (const template of templates) {
    const claim = claimOf(set, template, name);
    const key = toKey(claim.metadata.namespace, claim.metadata.name);
    if (world.informer<Claim>('persistentvolumeclaims').get(key)) continue;
    world.create('persistentvolumeclaims', claim);
  }
  world.create('pods', memberOf(set, name));
}

function claimOf(
  set: Workload,
  template: { metadata: { name: string }; spec?: Record<string, unknown> },
  pod: string,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: `${template.metadata.name}-${pod}`,
      namespace: set.metadata.namespace ?? '',
      labels: { ...set.spec?.selector?.matchLabels },
    },
    spec: template.spec ?? {},
  };
}

function memberOf(set: Workload, name: string): KubeObject {
  const pod = podFrom(set, set.spec?.template, name) as Pod;
  const claimed = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    name: metadata.name,
    persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
  }));
  const others = (pod.spec?.volumes ?? []).filter(
    (volume) => !claimed.some((own) => own.name === volume.name),
  );
  const labels = { ...pod.metadata.labels, 'statefulset.kubernetes.io/pod-name': name };
  const volumes = [...claimed, ...others];
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, hostname: name, volumes } };
}

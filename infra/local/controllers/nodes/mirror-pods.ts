import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { isTerminating, type Namespace, type Node, type Pod } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isMirror } from '../workloads/pods.ts';
import { isUnreachable } from './nodes.ts';

/** Shows static Pods again when their mirror was deleted: the kubelet has their manifests, not the API server. */
export function mirrorPods(world: World): void {
  const pods = world.informer<Pod>('pods');
  const nodes = world.informer<Node>('nodes');
  const namespaces = world.informer<Namespace>('namespaces');
  const manifests = new Map<string, Pod>();

  const queue = world.queue('mirror-pods', (key) => {
    const manifest = manifests.get(key);
    if (manifest === undefined || pods.get(key) !== undefined) return;
    const namespace = namespaces.get(manifest.metadata.namespace ?? '');
    const node = nodes.get(manifest.spec?.nodeName ?? '');
    if (node === undefined || namespace === undefined || isTerminating(namespace)) {
      manifests.delete(key);
    } else if (!isUnreachable(node)) {
      world.create('pods', mirrorOf(manifest));
    }
  });

  pods.onChange(({ key, after }) => {
    if (after !== undefined && isMirror(after)) manifests.set(key, after);
    else if (after === undefined && manifests.has(key)) queue.add(key);
  });
  nodes.onChange(({ after }) => {
    if (after === undefined) return;
    for (const [key, pod] of manifests) if (pod.spec?.nodeName === after.metadata.name) queue.add(key);
  });
}

function mirrorOf({ apiVersion = 'v1', kind = 'Pod', metadata, spec }: Pod): KubeObject {
  const { name, namespace = '', labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations, ownerReferences }, spec };
}

import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { nodes, pods, volumeAttachments } from '../../../shared/kubernetes/resources.ts';
import { pathOf } from '../kinds.ts';
import type { Site } from '../site.ts';

/** One look at a Machine that is being deleted. */
export interface Pass {
  site: Site;
  /** Machines, in the version that is served. */
  machines: Resource;
  machine: KubeObject;
  nodeName: string;
}

/** Resolves with whether it is over. */
export type Step = (pass: Pass) => Promise<boolean>;

const isExcluded = ({ machine }: Pass, exclusion: string): boolean =>
  machine.metadata.annotations?.[`machine.cluster.x-k8s.io/${exclusion}`] !== undefined;

/** Evicts all that is left, in one round, and waits until it is gone. */
export const drained: Step = async (pass) => {
  if (isExcluded(pass, 'exclude-node-draining')) return true;
  const { site, nodeName } = pass;
  await cordon(pass);
  const { items } = await site.kubernetes.list(pods, { fieldSelector: `spec.nodeName=${nodeName}` });
  const left = items.filter((pod) => !stays(pod));
  await Promise.all(left.map((pod) => evict(site, pod)));
  return left.length === 0;
};

async function cordon({ site: { kubernetes }, nodeName }: Pass): Promise<void> {
  const node = await kubernetes.get(nodes, { name: nodeName });
  if (node === undefined || Object(node['spec']).unschedulable === true) return;
  await kubernetes.mergePatch(nodes, { name: nodeName }, { spec: { unschedulable: true } });
}

function stays({ metadata }: KubeObject): boolean {
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const isSkipped = labels['cluster.x-k8s.io/drain']?.toLowerCase() === 'skip';
  const isMirror = annotations['kubernetes.io/config.mirror'] !== undefined;
  return isSkipped || isMirror || ownerReferences.some(({ kind }) => kind === 'DaemonSet');
}

/** A budget may refuse it: the next pass asks again. */
async function evict({ ask }: Site, pod: KubeObject): Promise<void> {
  const { deletionTimestamp, name, namespace, uid } = pod.metadata;
  if (deletionTimestamp !== undefined) return;
  const path = `${pathOf(pods, keyOf(pod))}/eviction`;
  const deleteOptions = { preconditions: { uid } };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
  await ask({ method: 'POST', path, body });
}

export const detached: Step = async (pass) => {
  if (isExcluded(pass, 'exclude-wait-for-node-volume-detach')) return true;
  const { kubernetes } = pass.site;
  const node = await kubernetes.get(nodes, { name: pass.nodeName });
  const attached: unknown[] = Object(node?.['status']).volumesAttached ?? [];
  const { items } = await kubernetes.list(volumeAttachments);
  return attached.length === 0 && !items.some(({ spec }) => Object(spec).nodeName === pass.nodeName);
};

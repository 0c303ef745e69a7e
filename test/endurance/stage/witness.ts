import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../infra/local/kubernetes/server/json.ts';
import { parsed } from '../../infra/cli/outside.ts';
import type { Asked } from './front.ts';

interface Eviction {
  metadata: { name: string };
  deleteOptions?: { preconditions?: { uid?: string } };
}

/** Sees every effect as it happens, and keeps what must never have happened. */
export class Witness {
  readonly #cluster: Cluster;
  readonly #evicted = new Map<string, number>();
  readonly problems: string[] = [];
  evictions = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  saw({ method, path, body, status }: Asked): void {
    if (status >= 300 || method === 'GET') return;
    const [name = ''] = (path.split('/').at(-1) ?? '').split('?');
    if (path.endsWith('/eviction')) this.#sawEviction(parsed<Eviction>(body));
    if (method !== 'DELETE') return;
    if (path.includes('/localmachines/')) this.#sawEndOf(name);
    if (path.includes('/nodes/') && this.#isThere('localmachines.infrastructure.cluster.x-k8s.io', name)) {
      this.problems.push(`Node ${name} deleted before its server`);
    }
  }

  /** Pods that were asked to go more than once although the first time was granted. */
  evictedTwice(): string[] {
    return [...this.#evicted].filter(([, times]) => times > 1).map(([uid]) => uid);
  }

  #sawEviction({ metadata, deleteOptions }: Eviction): void {
    this.evictions += 1;
    const uid = deleteOptions?.preconditions?.uid;
    if (uid === undefined) return void this.problems.push(`Pod ${metadata.name} evicted without a UID`);
    this.#evicted.set(uid, (this.#evicted.get(uid) ?? 0) + 1);
  }

  #sawEndOf(name: string): void {
    const pods = this.#cluster.list('pods', { fieldSelector: `spec.nodeName=${name}` });
    for (const pod of pods.filter(hasToGo)) {
      this.problems.push(`server ${name} deleted while Pod ${pod.metadata.name} was on it`);
    }
    const attached = this.#cluster.list('volumeattachments.storage.k8s.io').filter(isOn(name));
    for (const { metadata } of attached) {
      this.problems.push(`server ${name} deleted while ${metadata.name} was attached`);
    }
  }

  #isThere(resource: string, name: string): boolean {
    return this.#cluster.get(resource, 'fleet', name) !== undefined;
  }
}

const hasToGo = (pod: KubeObject): boolean => {
  const { ownerReferences = [], annotations = {} } = pod.metadata;
  if (ownerReferences.some(({ kind }) => kind === 'DaemonSet')) return false;
  if (annotations['kubernetes.io/config.mirror'] !== undefined) return false;
  return !['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'));
};

const isOn =
  (nodeName: string) =>
  (attachment: KubeObject): boolean =>
    textAt(attachment, 'spec', 'nodeName') === nodeName;

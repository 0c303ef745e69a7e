import { noticingMachines } from '../../../infra/local/platform/seen-machines.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { ObjectList, WatchListener } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { servedAs } from '../host/served-as.ts';

/** Machines as a source lists and watches them, and the same cluster as it answers who asks it. */
export async function aWatchedCluster(
  first: readonly KubeObject[] = [],
  api = servedAs(clusterApi, 'v1beta2'),
) {
  const kubernetes = new FakeCluster([]);
  let listed: Promise<ObjectList>;
  let watch: WatchListener | undefined;
  const { api: source, machines } = noticingMachines({
    list: () => listed,
    watch: (_resource, _selection, _version, listener) => {
      watch = listener;
      return () => undefined;
    },
  });
  const put = (machine: KubeObject): KubeObject => kubernetes.put(api.resource.plural, machine);
  const drop = ({ metadata: { namespace = '', name } }: KubeObject): void =>
    kubernetes.drop(`${api.resource.plural}/${namespace}/${name}`);
  /** What a source does at its start, and when its watch has expired. */
  const list = async (...items: KubeObject[]): Promise<void> => {
    listed = Promise.resolve({ items, resourceVersion: '7' });
    await source.list(api.resource);
    watch = undefined;
    source.watch(api.resource, {}, '7', { changed: () => undefined, ended: () => undefined });
  };
  await list(...first.map(put));
  return {
    kubernetes,
    machines,
    machineApis: [api],
    /** In the cluster, without a word of the watch. */
    silently: { put, drop },
    put(machine: KubeObject): void {
      watch?.changed('MODIFIED', put(machine));
    },
    drop(machine: KubeObject): void {
      drop(machine);
      watch?.changed('DELETED', machine);
    },
    list,
    gets: () => kubernetes.reads.filter((read) => read.startsWith('get ')),
  };
}

import { customResourceDefinition } from '../../../infra/local/kubernetes/crds/definition.ts';
import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { PingSource } from '../../../infra/serverless/model.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { atRestAnnotation, whileDeletingAnnotation } from '../../../shared/runtime/ping-schedule.ts';

/** The roles of stories let instances have it beside the Machines. */
const namespace = 'fleet';
const resource = 'pingsources.sources.knative.dev';

export const pingSourceDefinition = customResourceDefinition({
  group: 'sources.knative.dev',
  kind: 'PingSource',
  plural: 'pingsources',
  versions: [{ name: 'v1' }],
});

/** As it is rendered. */
export const pingSourceObject = ({ name, schedule, atRest = '' }: PingSource): KubeObject => ({
  apiVersion: 'sources.knative.dev/v1',
  kind: 'PingSource',
  metadata: {
    name,
    namespace,
    annotations: { [whileDeletingAnnotation]: schedule, [atRestAnnotation]: atRest },
  },
  spec: { schedule },
});

export const scheduleOf = (cluster: Cluster, { name }: PingSource): string | undefined => {
  const found = cluster.resources().includes(resource) ? cluster.get(resource, namespace, name) : undefined;
  return found === undefined ? undefined : textAt(found, 'spec', 'schedule');
};

/** Restarts whenever the object has another schedule. Without an object, it goes as declared. */
export function whileScheduled(
  cluster: Cluster,
  declared: PingSource,
  begin: (source: PingSource) => () => void,
): () => void {
  let schedule = scheduleOf(cluster, declared) ?? declared.schedule;
  let stop = begin({ ...declared, schedule });
  if (!cluster.resources().includes(resource)) return () => stop();
  const unwatch = cluster.watch(resource, () => {
    const current = scheduleOf(cluster, declared) ?? declared.schedule;
    if (current === schedule) return;
    schedule = current;
    stop();
    stop = begin({ ...declared, schedule });
  });
  return () => {
    unwatch();
    stop();
  };
}

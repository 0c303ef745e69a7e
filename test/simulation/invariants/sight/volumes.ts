import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Config } from '../../../../shared/runtime/config.ts';
import { type Court, isUnreachable, podsOn, verdictOn } from './pods.ts';

const listAt = (object: unknown, field: string): readonly unknown[] => {
  const list = recordAt(object)[field];
  return Array.isArray(list) ? list : [];
};

/**
 * Names of volumes that are still attached to the Node and count: not those of Pods that stay on it. Whether objects
 * that tell of attachments count is configured; what the Node says always does.
 */
export function volumesThatHold(
  court: Court,
  { considerVolumeAttachments }: Pick<Config, 'considerVolumeAttachments'>,
): string[] {
  const { node, view, host } = court;
  if (node === undefined || isUnreachable(node)) return [];
  const shown = listAt(node['status'], 'volumesAttached').map((one) => textAt(one, 'name') ?? '');
  const attachments = considerVolumeAttachments ? view.list(host, 'volumeattachments.storage.k8s.io') : [];
  const attached = attachments
    .filter((one) => textAt(one, 'spec', 'nodeName') === node.metadata.name)
    .filter((one) => recordAt(one, 'status')['attached'] === true)
    .map((one) => textAt(one, 'spec', 'source', 'persistentVolumeName') ?? '');
  const staying = claimsOfStaying(court);
  const isIgnored = (volume: KubeObject | undefined): boolean => staying.has(claimOf(volume));
  const volumes = view.list(host, 'persistentvolumes');
  const byName = (name: string) => volumes.find(({ metadata }) => metadata.name === name);
  const byHandle = (name: string) => volumes.find((volume) => handleOf(volume) === name);
  return [
    ...attached.filter((name) => !isIgnored(byName(name))),
    ...shown.filter((name) => !isIgnored(byHandle(name))),
  ];
}

const handleOf = (volume: KubeObject): string =>
  `kubernetes.io/csi/${textAt(volume, 'spec', 'csi', 'driver')}^${textAt(volume, 'spec', 'csi', 'volumeHandle')}`;

function claimOf(volume: KubeObject | undefined): string {
  const claim = recordAt(volume, 'spec', 'claimRef');
  return claim['kind'] === 'PersistentVolumeClaim'
    ? `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`
    : '';
}

/** A Pod that is on its way never counts as one that stays. */
function claimsOfStaying(court: Court): Set<string> {
  const staying = podsOn(court.view, court.host, court.node?.metadata.name ?? '').filter(
    (pod) => verdictOn(pod, { ...court, node: undefined }) === 'stays',
  );
  const claims = staying.flatMap((pod) =>
    listAt(pod['spec'], 'volumes').map(
      (volume) => `${pod.metadata.namespace}/${textAt(volume, 'persistentVolumeClaim', 'claimName')}`,
    ),
  );
  return new Set(claims);
}

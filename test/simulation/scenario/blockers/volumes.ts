import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { annotationsOf, anyOf, type Case, finalizersOf, isGoing, limitOf, type Obstacle } from './case.ts';
import { drainObstacle, isServerThere, isToBeDrained, podsOn, unclearRule, willNeverStop } from './drain.ts';
import { isUnreachable, mayTouchNode, nodeOf } from './node.ts';
import { isFinished, verdictOn } from './verdicts.ts';

const attachments = 'volumeattachments.storage.k8s.io';

/** Why volumes that are waited for never come off the Machine's Node, or why it no longer counts as drained. */
export function volumeObstacle(about: Case): Obstacle | undefined {
  const node = nodeOf(about);
  if (node === undefined || !areWaitedFor(about)) return undefined;
  // On a silent Node no driver would detach them; its Pods count all the same.
  const unreachable = isUnreachable(node);
  // A drain that was passed over is open again once what excluded it is gone.
  const isDrainOpen = textAt(about.passed['drain'], 'as') === 'done' || isToBeDrained(about);
  const pods = podsOn(about, node);
  const verdicts = pods.map((pod) => verdictOn(about, pod, unreachable));
  const held = unreachable ? [] : attachmentsOn(about, node);
  const unclear = isDrainOpen || held.length > 0 ? unclearRule(verdicts) : undefined;
  const mustGo = isDrainOpen && verdicts.some(({ what }) => what !== 'stays');
  return unclear ?? (mustGo ? drainObstacle(about) : undefined) ?? attachedFor(about, held, pods);
}

/** What only an attachment tells of does not count where these are not considered. */
const attachmentsOn = ({ nodes, world: { config }, isPeers }: Case, node: KubeObject): KubeObject[] =>
  nodes
    .list(attachments)
    .filter((one) => textAt(one, 'spec', 'nodeName') === node.metadata.name)
    .filter((one) => at(one, 'status', 'attached') === true)
    .filter((one) => isPeers || config.considerVolumeAttachments || isShown(node, volumeOf(nodes, one)));

const volumeOf = (nodes: Cluster, attachment: KubeObject): KubeObject | undefined =>
  nodes.get('persistentvolumes', undefined, textAt(attachment, 'spec', 'source', 'persistentVolumeName'));

const isShown = (node: KubeObject, volume: KubeObject | undefined): boolean =>
  listOf(at(node, 'status', 'volumesAttached')).some((one) =>
    textAt(one, 'name').endsWith(`^${textAt(volume, 'spec', 'csi', 'volumeHandle')}`),
  );

function areWaitedFor(about: Case): boolean {
  if (!mayTouchNode(about) || !(about.isPeers || isServerThere(about))) return false;
  if (
    annotationsOf(about.machine)['machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach'] !== undefined
  )
    return false;
  return limitOf(about, 'nodeVolumeDetachTimeoutSeconds', 'nodeVolumeDetachTimeout') === 0;
}

function attachedFor(
  about: Case,
  attached: readonly KubeObject[],
  pods: readonly KubeObject[],
): Obstacle | undefined {
  const skipped = pods.filter((pod) => verdictOn(about, pod, false).what === 'stays').flatMap(claimsOf);
  const staying = pods
    .filter((pod) => !isFinished(pod) && (!isGoing(pod) || willNeverStop(pod)))
    .flatMap(claimsOf);
  const held = attached
    .map((one) => ({ claim: claimOf(about, one), isStuck: finalizersOf(one).length > 0 }))
    .filter(({ claim, isStuck }) => !skipped.includes(claim) && (isStuck || staying.includes(claim)));
  if (held.length === 0) return undefined;
  const claims = held.map(({ claim }) => claim);
  return {
    kind: 'volume',
    what: `the volume of ${claims.join(', ')} that never comes off`,
    says: anyOf(claims),
  };
}

const claimsOf = (pod: KubeObject): string[] =>
  listOf(at(pod, 'spec', 'volumes'))
    .map((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName'))
    .filter((name) => name !== '')
    .map((name) => `${pod.metadata.namespace}/${name}`);

/** Of what no claim names it is said which volume it is, or which attachment where there is no volume. */
function claimOf({ nodes }: Case, attachment: KubeObject): string {
  const volume = volumeOf(nodes, attachment) ?? attachment;
  const claim = at(volume, 'spec', 'claimRef');
  return claim === undefined
    ? volume.metadata.name
    : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
}

import { controllerOf, isTerminating, type KubeObject, podName } from '../kubernetes/objects.ts';
import type { Deployment, PersistentVolumeClaim } from '../kubernetes/workloads.ts';
import { deploymentOf, limitsOf, replicaSetOf, replicasOf } from './deployment.ts';
import type { Found, RolloutSeen } from './rollout-seen.ts';

/** The Machines that a Deployment was restarted for, by UID, the last one first. That it was is known by this alone. */
export const restartedForAnnotation = 'phaseout.dev/restarted-for';
/** Two Machines whose Pods come back to them must not restart it in turns. */
const maxRestartedFor = 20;
/** A Deployment or a Pod that says `"false"` is left alone. */
const rolloutRestartLabel = 'phaseout.dev/rollout-restart';
const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** A Deployment by its name, as it was read. */
export interface DeploymentRef {
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
  /** UIDs of Machines, the last one first. */
  restartedFor: readonly string[];
}

/** Whether the Deployment of a Pod may be restarted. */
export type RolloutVerdict =
  | { kind: 'ready'; deployment: DeploymentRef }
  /** It is rolled out now. `isOurs`: by the restart for this Machine. */
  | { kind: 'running'; deployment: DeploymentRef; isOurs: boolean }
  /** Its restart for this Machine did not come up in time. It is not tried again. */
  | { kind: 'failed'; deployment: DeploymentRef }
  /** It was restarted for this Machine, and the Pod is still here. */
  | { kind: 'done'; deployment: DeploymentRef }
  /** A sentence for each condition that is not met. */
  | { kind: 'unmet'; why: readonly string[] };

/** What a restart asks for. */
interface Asked {
  machineUid: string;
  maxReplicas: number;
}

/** Judges a restart. What could not be read counts as unmet. */
export function judgeRollout(seen: RolloutSeen, { machineUid, maxReplicas }: Asked): RolloutVerdict {
  const { deployment: found } = seen;
  if (found.kind !== 'found') return { kind: 'unmet', why: [withoutDeployment(seen)] };
  const { object } = found;
  const deployment = refOf(object);
  if (deployment.restartedFor.includes(machineUid)) return afterRestart(object, deployment);
  if (isRolling(object) && !hasTimedOut(object)) return { kind: 'running', deployment, isOurs: false };
  const why = [...ofDeployment(object, maxReplicas), ...ofPod(seen, object), ...ofNode(seen)];
  return why.length === 0 ? { kind: 'ready', deployment } : { kind: 'unmet', why };
}

function afterRestart(object: Deployment, deployment: DeploymentRef): RolloutVerdict {
  if (isRolledOut(object)) return { kind: 'done', deployment };
  const isOver = isObserved(object) && hasTimedOut(object);
  return isOver ? { kind: 'failed', deployment } : { kind: 'running', deployment, isOurs: true };
}

const refOf = ({ metadata }: Deployment): DeploymentRef => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  resourceVersion: metadata.resourceVersion ?? '',
  restartedFor: (metadata.annotations?.[restartedForAnnotation] ?? '').split(',').filter(Boolean),
});

/** The annotation once it is restarted for this Machine, too. */
export const restartedForText = (
  { restartedFor }: Pick<DeploymentRef, 'restartedFor'>,
  machineUid: string,
): string => [machineUid, ...restartedFor].slice(0, maxRestartedFor).join(',');

function withoutDeployment({ pod, replicaSet, deployment }: RolloutSeen): string {
  const owner = replicaSetOf(pod);
  if (owner === undefined) return `Pod ${podName(pod)} belongs to no ReplicaSet`;
  if (replicaSet.kind === 'unread') return `ReplicaSet ${owner.name} could not be read: ${replicaSet.why}`;
  if (replicaSet.kind === 'absent') return `ReplicaSet ${owner.name} is gone`;
  const above = deploymentOf(replicaSet.object);
  if (above === undefined) return `ReplicaSet ${owner.name} belongs to no Deployment`;
  return deployment.kind === 'unread'
    ? `Deployment ${above.name} could not be read: ${deployment.why}`
    : `Deployment ${above.name} is gone`;
}

const isObserved = ({ metadata, status = {} }: Deployment): boolean =>
  (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);

const isRolledOut = (object: Deployment): boolean =>
  isObserved(object) && !isRolling(object) && (object.status?.availableReplicas ?? 0) >= replicasOf(object);

/** Its Pods are not all of its template. */
function isRolling(object: Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0 } = object.status ?? {};
  return updatedReplicas < replicasOf(object) || replicas > updatedReplicas;
}

/** Its controller has seen no progress within `progressDeadlineSeconds`. */
const hasTimedOut = ({ status }: Deployment): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Progressing' && is === 'False') === true;

function ofDeployment(object: Deployment, maxReplicas: number): string[] {
  const { metadata, spec = {}, status = {} } = object;
  const replicas = replicasOf(object);
  const { maxSurge, maxUnavailable } = limitsOf(object);
  const { updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  const owner = controllerOf(object);
  const isRolledBy = spec.strategy?.type ?? 'RollingUpdate';
  return sentences([
    [isTerminating(object), 'it is being deleted'],
    [isRefused(object), `it has the label ${rolloutRestartLabel}=false`],
    [isRolledBy !== 'RollingUpdate', `its strategy is ${isRolledBy}`],
    [maxSurge < 1, `its maxSurge comes to ${maxSurge}: no second Pod may come up first`],
    [
      maxUnavailable !== 0,
      `its maxUnavailable comes to ${maxUnavailable}: a Pod may go before its successor`,
    ],
    [spec.paused === true, 'it is paused'],
    [!isObserved(object), 'its controller has not seen its last change'],
    [
      updated < replicas || hasTimedOut(object),
      `its last rollout did not come up: ${updated} of ${replicas}`,
    ],
    [available < replicas, `${available} of its ${replicas} replicas are available`],
    [replicas > maxReplicas, `it has ${replicas} replicas, and maxReplicas is ${maxReplicas}`],
    [owner !== undefined, `${owner?.kind} ${owner?.name} controls it`],
  ]).map((why) => `Deployment ${metadata.namespace}/${metadata.name}: ${why}`);
}

function ofPod({ pod, replicaSet, claims }: RolloutSeen, deployment: Deployment): string[] {
  const newest = deployment.metadata.annotations?.[revisionAnnotation];
  const set = replicaSet.kind === 'found' ? replicaSet.object : undefined;
  const ports = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].flatMap(
    ({ ports: each = [] }) => each.flatMap(({ hostPort = 0 }) => (hostPort > 0 ? [hostPort] : [])),
  );
  const isOfNewest = newest !== undefined && set?.metadata.annotations?.[revisionAnnotation] === newest;
  return [
    ...sentences([
      [isRefused(pod), `it has the label ${rolloutRestartLabel}=false`],
      [!isOfNewest, 'its ReplicaSet is not the newest of its Deployment'],
      [ports.length > 0, `it takes port ${ports.join(', ')} of its Node`],
    ]),
    ...[...claims].flatMap(([name, found]) => claimSentence(name, found)),
  ].map((why) => `Pod ${podName(pod)}: ${why}`);
}

/** A second Pod would wait for the volume for ever. */
function claimSentence(name: string, found: Found<PersistentVolumeClaim>): string[] {
  if (found.kind === 'unread') return [`its claim ${name} could not be read: ${found.why}`];
  if (found.kind === 'absent') return [`its claim ${name} is gone`];
  const modes = found.object.spec?.accessModes ?? [];
  const isShared = modes.length > 0 && modes.every((mode) => mode === 'ReadWriteMany');
  return isShared ? [] : [`its claim ${name} is ${modes.join(', ')}: a second Pod would wait for its volume`];
}

function ofNode({ pod, node }: RolloutSeen): string[] {
  const name = pod.spec?.nodeName ?? '';
  if (node.kind === 'unread') return [`Node ${name} could not be read: ${node.why}`];
  const isCordoned = node.kind === 'found' && node.object.spec?.unschedulable === true;
  return isCordoned ? [] : [`Node ${name} is not cordoned: the new Pod may come up there`];
}

const isRefused = ({ metadata: { labels = {} } }: KubeObject): boolean =>
  labels[rolloutRestartLabel] === 'false';

const sentences = (each: readonly (readonly [isUnmet: boolean, why: string])[]): string[] =>
  each.flatMap(([isUnmet, why]) => (isUnmet ? [why] : []));

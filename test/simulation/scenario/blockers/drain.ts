import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { deletionTimeOf } from '../../../stories/stage/told-machine.ts';
import { exclusions, isBeside } from '../beside.ts';
import { budgetObstacle } from './budgets.ts';
import {
  annotationsOf,
  anyOf,
  type Case,
  finalizersOf,
  isGoing,
  limitOf,
  neverStops,
  type Obstacle,
  referredBy,
} from './case.ts';
import { isDrained } from './hooks.ts';
import { isUnreachable, mayTouchNode, nodeOf } from './node.ts';
import { isUnproven } from './owner.ts';
import { isFinished, type Verdict, verdictOn } from './verdicts.ts';

/** Why the Machine's Node is never drained, where a drain is due. */
export function drainObstacle(about: Case): Obstacle | undefined {
  if (!isToBeDrained(about)) return undefined;
  const node = nodeOf(about);
  if (node === undefined) return undefined;
  // Those controllers ask for its name alone.
  if (about.isPeers) return otherControlPlaneNode(about, node) ?? podObstacle(about, node);
  if (isUnproven(about)) return undefined;
  return otherControlPlaneNode(about, node) ?? podObstacle(about, node);
}

/** Our hook stays as long as a rule does not tell whether Pods are left. What else has come to the Node sends it back to its drain. */
export function unjudgedObstacle(about: Case): Obstacle | undefined {
  const obstacle = drainObstacle(about);
  return obstacle?.kind === 'rule' ? obstacle : undefined;
}

export function isToBeDrained(about: Case): boolean {
  const { plan, machine } = about;
  if (!mayTouchNode(about)) return false;
  if (plan.api === 'openshift')
    return (
      !isDrained(machine) &&
      annotationsOf(machine)['machine.openshift.io/exclude-node-draining'] === undefined
    );
  if (isExcluded(about)) return false;
  return (
    (about.isPeers || isServerThere(about)) &&
    limitOf(about, 'nodeDrainTimeoutSeconds', 'nodeDrainTimeout') === 0
  );
}

/** Phaseout may drain it all the same where it works beside Cluster API's own controller. */
function isExcluded({ machine, plan, world, isPeers }: Case): boolean {
  const isPassedOver = isBeside(world, plan) && !isPeers && world.config.besideExcluded === 'drain';
  return !isPassedOver && annotationsOf(machine)[exclusions.drain] !== undefined;
}

/** Cluster API neither drains nor waits for volumes once the server goes, or may go. */
export function isServerThere(about: Case): boolean {
  if (deletionTimeOf(about.machine, 'waitForPreTerminateHookStartTime') !== undefined) return false;
  const infrastructure = referredBy(about, 'infrastructure');
  return infrastructure !== undefined && !isGoing(infrastructure);
}

const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
const isOfControlPlane = ({ metadata }: KubeObject): boolean =>
  controlPlaneLabels.some((label) => metadata.labels?.[label] !== undefined);
const isCordoned = (node: KubeObject): boolean => at(node, 'spec', 'unschedulable') === true;

/** OpenShift lets one Node of the control plane go at a time. */
function otherControlPlaneNode({ plan, nodes }: Case, node: KubeObject): Obstacle | undefined {
  if (plan.api !== 'openshift' || !isOfControlPlane(node) || isCordoned(node)) return undefined;
  const other = nodes
    .list('nodes')
    .find((one) => one.metadata.name !== node.metadata.name && isOfControlPlane(one) && isCordoned(one));
  if (other === undefined) return undefined;
  const what = `the Node ${other.metadata.name}, of the control plane too, that is cordoned`;
  return { kind: 'control plane', what, says: /drain not permitted/ };
}

interface Judged {
  pod: KubeObject;
  verdict: Verdict;
}

export function podsOn({ nodes }: Case, node: KubeObject): KubeObject[] {
  return nodes.list('pods', { fieldSelector: `spec.nodeName=${node.metadata.name}` });
}

function podObstacle(about: Case, node: KubeObject): Obstacle | undefined {
  const unreachable = isUnreachable(node);
  const judged = podsOn(about, node).map((pod) => ({ pod, verdict: verdictOn(about, pod, unreachable) }));
  const left = judged.filter(
    ({ pod, verdict }) =>
      verdict.what === 'goes' || (verdict.what === 'completes' && (about.isPeers || !isFinished(pod))),
  );
  return (
    unclearRule(judged.map(({ verdict }) => verdict)) ??
    neverGone(left) ??
    neverComplete(left, unreachable) ??
    neverEvicted(about, left) ??
    (unreachable ? undefined : returning(about, node))
  );
}

/** Nothing is done to any Pod while one of them cannot be judged. */
export function unclearRule(verdicts: readonly Verdict[]): Obstacle | undefined {
  const rules = verdicts.flatMap((verdict) => (verdict.what === 'unclear' ? [verdict.rule] : []));
  const [rule] = rules;
  if (rule === undefined) return undefined;
  return { kind: 'rule', what: `the rule ${rule} that makes no sense`, says: anyOf(rules) };
}

const orderOf = ({ verdict }: Judged): number => (verdict.what === 'goes' ? verdict.order : 0);
const lowest = (left: readonly Judged[]): Judged[] => {
  const least = Math.min(...left.map(orderOf));
  return left.filter((one) => orderOf(one) === least);
};

export const willNeverStop = (pod: KubeObject): boolean => neverStops(pod) || finalizersOf(pod).length > 0;

/** On their way out, and never gone: of whatever order. */
function neverGone(left: readonly Judged[]): Obstacle | undefined {
  const stuck = left.filter(
    ({ pod, verdict }) => verdict.what === 'goes' && isGoing(pod) && willNeverStop(pod),
  );
  return obstacleBy(stuck, 'that never stops');
}

function neverComplete(left: readonly Judged[], unreachable: boolean): Obstacle | undefined {
  const stuck = lowest(left).filter(
    ({ pod, verdict }) =>
      verdict.what === 'completes' &&
      (isGoing(pod)
        ? willNeverStop(pod)
        : unreachable || isFinished(pod) || !('local.phaseout.dev/run-seconds' in annotationsOf(pod))),
  );
  return obstacleBy(stuck, 'that is waited for and never completes');
}

function obstacleBy(stuck: readonly Judged[], why: string): Obstacle | undefined {
  if (stuck.length === 0) return undefined;
  const names = stuck.map(({ pod }) => `${pod.metadata.namespace}/${pod.metadata.name}`);
  return { kind: 'pod', what: `the Pod ${names.join(', ')} ${why}`, says: anyOf(names) };
}

/** A ReplicaSet whose Pods may run on this Node alone, cordoned or not. */
function returning(about: Case, node: KubeObject): Obstacle | undefined {
  const { name } = node.metadata;
  const set = about.nodes.list('replicasets.apps').find((one) => {
    const template = at(one, 'spec', 'template', 'spec');
    const isHere = textAt(template, 'nodeSelector', 'kubernetes.io/hostname') === name;
    return isHere && at(template, 'tolerations') !== undefined && at(one, 'spec', 'replicas') !== 0;
  });
  if (set === undefined) return undefined;
  const pods = anyOf([set.metadata.name]);
  return {
    kind: 'returning pod',
    what: `Pods of ${set.metadata.name} that come back to the Node`,
    says: pods,
  };
}

function neverEvicted(about: Case, left: readonly Judged[]): Obstacle | undefined {
  const toEvict = lowest(left).filter(({ pod, verdict }) => verdict.what === 'goes' && !isGoing(pod));
  for (const { pod } of toEvict) {
    const obstacle = budgetObstacle(about.nodes, pod);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { isOfItself } from '../../../stories/stage/told-machine.ts';
import { goesAfterOurs, isOurName } from '../beside.ts';
import type { HookPoint } from '../blueprint.ts';
import { promptOwner } from '../draw/hooks.ts';
import type { MachinePlan } from '../model.ts';
import { annotationsOf, anyOf, type Case, type Obstacle } from './case.ts';
import { mayTouchNode } from './node.ts';

export interface Hook {
  name: string;
  owner: string;
}

/** The hooks of a point on the Machine, whether they hold anything or not. */
export function hooksOn(machine: KubeObject, { api }: Pick<MachinePlan, 'api'>, point: HookPoint): Hook[] {
  if (api === 'capi') {
    const prefix = `${point}.delete.hook.machine.cluster.x-k8s.io`;
    return Object.entries(annotationsOf(machine))
      .filter(([key]) => key.startsWith(prefix))
      .map(([name, owner]) => ({ name, owner }));
  }
  const field = point === 'pre-drain' ? 'preDrain' : 'preTerminate';
  return listOf(at(machine, 'spec', 'lifecycleHooks', field)).map((hook) => ({
    name: textAt(hook, 'name'),
    owner: textAt(hook, 'owner'),
  }));
}

const reached = ['pre-terminate', 'infrastructure', 'bootstrap', 'node', 'finalize'];

/** A hook whose owner has nothing left to do about it. */
export function hookObstacle(about: Case): Obstacle | undefined {
  const { machine, plan, phase = '' } = about;
  // Nothing wakes Cluster API's own controller where the control plane goes while it waits.
  const isAsleep = about.isPeers && phase === 'pre-drain';
  const before = isPreDrainInForce(about) || isAsleep ? othersHooks(about) : [];
  const after = reached.includes(phase) ? hooksOn(machine, plan, 'pre-terminate') : [];
  const staying = [before, after].map((hooks) => hooks.filter(({ owner }) => owner !== promptOwner));
  const [hooks] = staying.filter((left) => left.length > 0);
  if (hooks === undefined) return undefined;
  const names = hooks.map(({ name }) => name);
  return { kind: 'hook', what: `the hook ${names.join(', ')} that nobody takes off`, says: anyOf(names) };
}

/** Ours is one that phaseout takes off. */
const othersHooks = ({ machine, plan, isPeers, world }: Case): Hook[] =>
  hooksOn(machine, plan, 'pre-drain').filter(
    ({ name }) => !isOurName(name) && (isPeers || !goesAfterOurs(world, plan, name)),
  );

/** OpenShift ignores such a hook without a drain, or after it. Cluster API ignores it where the Node is not touched. */
function isPreDrainInForce(about: Case): boolean {
  const { machine, plan } = about;
  if (plan.api !== 'openshift') return mayTouchNode(about);
  if (annotationsOf(machine)['machine.openshift.io/exclude-node-draining'] !== undefined) return false;
  return textAt(machine, 'status', 'nodeRef', 'name') !== '' && !isDrained(machine);
}

/** OpenShift's own condition. */
export const isDrained = (machine: KubeObject): boolean =>
  listOf(at(machine, 'status', 'conditions')).some(
    (one) =>
      textAt(one, 'type') === 'Drained' &&
      textAt(one, 'status') === 'True' &&
      isOfItself(machine, textAt(one, 'lastTransitionTime')),
  );

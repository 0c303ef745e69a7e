import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { HookPlace } from '../../../../shared/machine/hook-call.ts';
import { management } from '../../platform/clusters.ts';
import type { PlayedHook } from '../../platform/functions/played.ts';
import { hasFirstHook, hasSecondHook, isBeside } from '../../scenario/beside.ts';
import { deletionHooks } from '../../scenario/build/deletion-hooks.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import { clusterOf } from './machine.ts';
import type { View } from './past.ts';
import { type Selector, selects } from './selector.ts';
import { turnsOf } from './turns.ts';
import type { Witness } from './witness.ts';

/**
 * The DeletionHooks that a Machine waits for at a place: those that select it. One that is deleted in its turn is
 * waited for all the same.
 */
export function wantedAt(
  { world, past }: Pick<Witness, 'world' | 'past'>,
  plan: MachinePlan,
  machine: KubeObject,
  place: HookPlace,
): PlayedHook[] {
  if (plan.api === 'v1alpha1') return [];
  if (!isHeldAt(world, plan, machine, place)) return [];
  const told = turnsOf(machine).map(({ name }) => name);
  return world.functions.hooks.filter(
    (hook) =>
      hook.namespace === plan.namespace &&
      hook.spec.at === place &&
      isSelected(past.present, machine, hook) &&
      (told.includes(hook.name) || isThere(past.present, hook)),
  );
}

/** Beside the API's own controllers a place holds a Machine by our hook alone. Somebody may have taken it off. */
export const isHeldAt = (
  world: Witness['world'],
  plan: MachinePlan,
  machine: KubeObject,
  place: HookPlace,
): boolean =>
  !isBeside(world, plan) || (place === 'PreDrain' ? hasFirstHook(machine) : hasSecondHook(machine));

const isThere = (view: View, { namespace, name }: PlayedHook): boolean =>
  view.get(management, deletionHooks, namespace, name) !== undefined;

/** Whether it is for the Machine, by its own words. */
export function isSelected(view: View, machine: KubeObject, { spec }: PlayedHook): boolean {
  const { labels = {} } = machine.metadata;
  if (isOfControlPlane(labels) && !spec.controlPlanes) return false;
  if (spec.machines === undefined) return true;
  const cluster = clusterOf(view, machine);
  return spec.machines.some(
    ({ selector = {}, clusterSelector = {} }) =>
      isMet(selector, labels) && isMet(clusterSelector, cluster?.metadata.labels ?? {}),
  );
}

const isMet = (selector: Selector, labels: Readonly<Record<string, string>>): boolean =>
  selects(selector, labels) === true;

const isOfControlPlane = (labels: Readonly<Record<string, string>>): boolean =>
  'cluster.x-k8s.io/control-plane' in labels ||
  labels['machine.openshift.io/cluster-api-machine-role'] === 'master';

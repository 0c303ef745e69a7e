import type { World } from '../../world.ts';
import { isAt } from '../blockers/case.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import type { Deed } from '../model.ts';
import { attach } from './volumes.ts';
import { putPod } from './webhooks.ts';

/** A standstill meanwhile excuses a late step. */
const struck = 'machine-paused';

/** So long after it was drained a Node is not taken at its word any more. */
const longMilliseconds = 8_000;

/**
 * A volume of a Node is waited for, and then the Node is needed again. No look at the Node comes before the end of the
 * wait. The Machine stands still until then, or an exclusion ends its wait.
 */
export function neededAgain(plan: MachineBlueprint): Deed[] {
  const { resource, namespace, name, host, node, neededAgain: needed } = plan;
  if (needed === undefined || node === undefined) return [];
  const run = (world: World): void => {
    const machine = world.management.get(resource, namespace, name);
    if (machine === undefined || world.cluster(host).get('nodes', undefined, node) === undefined) return;
    attach(world.cluster(host), { name: `needed-${node}`, node, attached: true });
    world.say('a driver', `has a volume on ${node} of ${host}`);
    const stop = world.management.watch(resource, ({ object }) => {
      if (object.metadata.uid !== machine.metadata.uid || !isAt(object, 'volume-detach')) return;
      stop();
      const { isForGood, goesOnSeconds } = needed;
      world.scheduler.after(isForGood ? longMilliseconds : 1_000, () => need(world, plan, needed.annotation));
      if (!isForGood)
        world.scheduler.after(goesOnSeconds * 1_000, () => goOn(world, plan, needed.annotation));
    });
  };
  return [{ at: 0, run }];
}

function need(world: World, plan: MachineBlueprint, annotation: string): void {
  if (!mark(world, plan, annotation, '')) return;
  world.say('a user', `puts ${annotation} on the Machine ${plan.namespace}/${plan.name}`);
  putPod(world, plan.host, plan.node ?? '');
  world.hit(struck);
}

function goOn(world: World, plan: MachineBlueprint, annotation: string): void {
  if (mark(world, plan, annotation, null))
    world.say('a user', `takes ${annotation} off the Machine ${plan.namespace}/${plan.name}`);
  world.hit(struck);
}

/** Answers with whether it is there. */
function mark(
  { management }: World,
  { resource, namespace, name }: MachineBlueprint,
  annotation: string,
  value: string | null,
): boolean {
  const found = management.get(resource, namespace, name);
  if (found === undefined) return false;
  management.patch(resource, found, { metadata: { annotations: { [annotation]: value } } });
  return true;
}

import type { World } from '../../world.ts';
import { hooksOn } from '../blockers/hooks.ts';
import type { HookBlueprint, HookPoint } from '../blueprint.ts';
import type { MachinePlan } from '../model.ts';

type Hook = Pick<HookBlueprint, 'point' | 'name' | 'owner'>;

/** Its owner lets the Machine go on. */
export function takeHookOff(world: World, plan: MachinePlan, { point, name, owner }: Hook): void {
  const { resource, namespace } = plan;
  const machine = world.management.get(resource, namespace, plan.name);
  const left = machine === undefined ? [] : hooksOn(machine, plan, point);
  if (machine === undefined || left.every((hook) => hook.name !== name)) return;
  world.say(owner, `takes the ${point} hook ${name} off the Machine ${namespace}/${plan.name}`);
  world.management.patch(resource, machine, withoutHook(plan, point, name, left));
}

/** As a merge patch; a list is written whole. */
export function withoutHook(
  { api }: MachinePlan,
  point: HookPoint,
  name: string,
  hooks: readonly { name: string; owner: string }[],
): object {
  if (api === 'capi') return { metadata: { annotations: { [name]: null } } };
  const rest = hooks.filter((hook) => hook.name !== name);
  return listPatch(point, rest);
}

export const listPatch = (point: HookPoint, hooks: readonly object[]): object => ({
  spec: {
    lifecycleHooks: {
      [point === 'pre-drain' ? 'preDrain' : 'preTerminate']: hooks.length > 0 ? hooks : null,
    },
  },
});

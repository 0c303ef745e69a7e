import type { Fault } from '../../faults/fault.ts';
import { ourHook, ourName } from '../beside.ts';
import { annotationsOf } from '../blockers/case.ts';
import { hooksOn } from '../blockers/hooks.ts';
import type { HookBlueprint } from '../blueprint.ts';
import { aMachineOf, type DeedSetting, deed, later, nameOf, oneOf, stillThere, type Target } from './deed.ts';
import { takeHookOff } from './hooks.ts';

type Hook = Pick<HookBlueprint, 'point' | 'name' | 'owner'>;

const owner = 'somebody/slow';

/** Of Cluster API, whose hooks may come at any time. */
const hooksOf = ({ plan, machine }: Target): Hook[] =>
  plan.api !== 'capi'
    ? []
    : (['pre-drain', 'pre-terminate'] as const).flatMap((point) =>
        hooksOn(machine, plan, point).map(({ name }) => ({
          point,
          name,
          owner: name === ourHook ? ourName : owner,
        })),
      );

/** Two owners that do not agree, or one that restarts. A passed point does not excuse a hook that is there. */
export const hookPutBack: Fault = deed({
  name: 'hook-put-back',
  about: 'A hook that was taken off is put on again a moment later, for a while.',
  who: 'the owner of a hook',
  run(setting) {
    const { world, random } = setting;
    const target = aMachineOf(setting, (one) => hooksOf(one).length > 0);
    const hook = target && oneOf(random, hooksOf(target));
    if (target === undefined || hook === undefined) return undefined;
    const { plan, machine } = target;
    const stop = world.management.watch(plan.resource, ({ object }) => {
      if (object.metadata.uid !== machine.metadata.uid || hook.name in annotationsOf(object)) return;
      stop();
      const milliseconds = random.between(0, random.oneOf([100, 400, 2_000]));
      world.scheduler.after(milliseconds, () => putBack(setting, target, hook));
    });
    return `does not let go of the ${hook.point} hook ${hook.name} of the Machine ${nameOf(machine)}`;
  },
});

function putBack(setting: DeedSetting, target: Target, hook: Hook): void {
  const { world, random, until } = setting;
  const machine = stillThere(setting, target);
  if (machine === undefined || world.now() >= until) return;
  const { plan } = target;
  world.management.patch(plan.resource, machine, { metadata: { annotations: { [hook.name]: hook.owner } } });
  world.say('the owner of a hook', `puts the ${hook.point} hook ${hook.name} back on ${nameOf(machine)}`);
  world.hit('hook-put-back');
  later(setting, random.between(500, 10_000), () => takeHookOff(world, plan, hook));
}

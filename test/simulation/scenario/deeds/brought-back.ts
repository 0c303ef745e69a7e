import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { hasOurHook, ourHook, ourName } from '../beside.ts';
import { isAt, isGoing } from '../blockers/case.ts';
import type { MachinePlan } from '../model.ts';
import { isOf, nameOf, stillThere } from './deed.ts';
import { putPod } from './webhooks.ts';

const switchName = 'hook-brought-back';

/** What was let go stays so, whatever comes to its Node: two who drain it would be at it. */
export const hookBroughtBack: Fault = {
  name: switchName,
  about: 'Our hook comes back on a Machine that phaseout has let go, whose Node is needed again meanwhile.',
  often: 0.6,
  strike(setting) {
    const { world, random, scenario, lasts } = setting;
    const calm = world.now() + lasts;
    for (const plan of random.some(ofCapi(scenario.machines), 0.8)) {
      const stop = world.management.watch(plan.resource, ({ type, object }) => {
        if (type === 'DELETED' || !isOf(plan, object) || !isLetGo(object)) return;
        stop();
        const milliseconds = random.between(0, random.oneOf([50, 300, 1_000, 8_000]));
        if (world.now() + milliseconds < calm)
          world.scheduler.after(milliseconds, () => bringBack(setting, plan, object));
      });
    }
    return undefined;
  },
};

const ofCapi = (machines: readonly MachinePlan[]): MachinePlan[] =>
  machines.filter(({ api }) => api === 'capi');

const isLetGo = (machine: KubeObject): boolean =>
  isGoing(machine) && isAt(machine, 'hand-over') && !hasOurHook(machine);

function bringBack(setting: FaultSetting, plan: MachinePlan, seen: KubeObject): void {
  const { world, random } = setting;
  const machine = stillThere(setting, { plan, machine: seen });
  if (machine === undefined || hasOurHook(machine)) return;
  world.management.patch(plan.resource, machine, { metadata: { annotations: { [ourHook]: ourName } } });
  world.say('a backup', `brings our hook back on the Machine ${nameOf(machine)}`);
  world.hit(switchName);
  if (plan.node !== undefined && random.chance(0.9)) putPod(world, plan.host, plan.node);
}

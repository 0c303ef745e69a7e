import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { atMoments } from '../../faults/moments.ts';
import { isGoing } from '../blockers/case.ts';
import { aMachineOf, nameOf, stillThere, type Target } from './deed.ts';

const name = 'machine-torn-away';

/** Deletions are not all that is cut short: what is just being made belongs to nobody then. */
export const tornAway: Fault = {
  name,
  about:
    'A Machine is deleted and all its finalizers are taken off by hand, also while its server is being made.',
  strike(setting) {
    atMoments(setting, 1, () =>
      tear(
        setting,
        aMachineOf(setting, ({ machine }) => isGoing(machine)),
      ),
    );
    whileServersAreMade(setting);
    return undefined;
  },
};

function tear(setting: FaultSetting, target: Target | undefined): void {
  const { world } = setting;
  const machine = target && stillThere(setting, target);
  if (target === undefined || machine === undefined) return;
  const { resource } = target.plan;
  world.management.remove(resource, machine);
  if (stillThere(setting, target) !== undefined)
    world.management.patch(resource, machine, { metadata: { finalizers: null } });
  world.say('a user', `deletes the Machine ${nameOf(machine)} and takes all finalizers off it`);
  world.hit(name);
}

/** At some moment between the call and what comes of it. */
function whileServersAreMade(setting: FaultSetting): void {
  const { world, random, lasts } = setting;
  const calm = world.now() + lasts;
  let left = random.between(0, 2);
  world.meddlers.onProvider(({ operation, machine }) => {
    if (operation !== 'create' || left === 0) return undefined;
    left -= 1;
    const milliseconds = Math.min(random.between(0, random.oneOf([50, 2_000])), calm - 1 - world.now());
    world.scheduler.after(milliseconds, () => tear(setting, targetOf(setting, machine)));
    return undefined;
  });
}

function targetOf(setting: FaultSetting, { metadata }: KubeObject): Target | undefined {
  const plan = setting.scenario.machines.find((each) => each.api === 'v1alpha1' && isOf(each, metadata));
  const machine = plan && setting.world.management.get(plan.resource, plan.namespace, plan.name);
  return plan === undefined || machine === undefined ? undefined : { plan, machine };
}

const isOf = (one: { namespace: string; name: string }, other: KubeObject['metadata']): boolean =>
  one.namespace === other.namespace && one.name === other.name;

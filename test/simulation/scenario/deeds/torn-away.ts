import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { atMoments } from '../../faults/moments.ts';
import { isGoing, othersFinalizers } from '../blockers/case.ts';
import { aMachineOf, deed, nameOf, stillThere, type Target } from './deed.ts';

const isOnItsWay = ({ machine }: Target): boolean => isGoing(machine);

/** Where a provider keeps the server, the server of a Machine that is deleted right after would stay unknown. */
const isHeldByUs = ({ plan, machine }: Target): boolean =>
  plan.api === 'capi' &&
  !isGoing(machine) &&
  othersFinalizers(machine, plan).length < (machine.metadata.finalizers ?? []).length;

/** What somebody with enough permissions does to finalizers, of Machines that do not go fast enough for one. */
export const tornAway: readonly Fault[] = [
  deed({
    name: 'finalizer-removed',
    about: 'Our finalizer is taken by hand off a Machine that lives, and maybe that of somebody else put on.',
    run(setting) {
      const target = aMachineOf(setting, isHeldByUs);
      if (target === undefined) return undefined;
      const { plan, machine } = target;
      const theirs = setting.random.fork('whose else').chance(0.4) ? ['fleet.example/inventory'] : [];
      const others = [...othersFinalizers(machine, plan), ...theirs];
      const finalizers = others.length === 0 ? null : others;
      setting.world.management.patch(plan.resource, machine, { metadata: { finalizers } });
      return `takes our finalizer off the Machine ${nameOf(machine)}, which lives`;
    },
  }),
  {
    name: 'machine-torn-away',
    about: 'All finalizers are taken by hand off a Machine that is being deleted.',
    strike(setting) {
      atMoments(setting, 1, () => tear(setting, aMachineOf(setting, isOnItsWay), this.name));
      return undefined;
    },
  },
  {
    name: 'new-machine-torn-away',
    about:
      'A Machine is deleted, and all its finalizers are taken off by hand, while its server is being made.',
    often: 0.6,
    strike(setting) {
      whileServersAreMade(setting, this.name);
      return undefined;
    },
  },
];

function tear(setting: FaultSetting, target: Target | undefined, name: string): void {
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
function whileServersAreMade(setting: FaultSetting, name: string): void {
  const { world, random, lasts } = setting;
  const calm = world.now() + lasts;
  let left = random.between(1, 3);
  world.meddlers.onProvider(({ operation, machine }) => {
    if (operation !== 'create' || left === 0) return undefined;
    left -= 1;
    const milliseconds = Math.min(random.between(0, random.oneOf([50, 2_000])), calm - 1 - world.now());
    world.scheduler.after(milliseconds, () => tear(setting, targetOf(setting, machine), name));
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

import { textAt } from '../../../shared/dialects/fields.ts';
import { management } from '../platform/clusters.ts';
import type { Blocker, MachinePlan, Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting, isHeldBack, machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { witnessOf } from './sight/witness.ts';

const deletingIn = (world: World, scenario: Scenario): MachinePlan[] => {
  const { present } = witnessOf(world, scenario).past;
  return scenario.machines.filter((plan) => {
    const machine = machineIn(present, plan);
    return machine !== undefined && isDeleting(machine);
  });
};

const keyOf = ({ resource, namespace, name }: MachinePlan): string => `${resource} ${namespace}/${name}`;

export const everythingEnds: Invariant = {
  name: 'a Machine that nothing holds is gone in time, once nothing goes wrong any more',
  watch(world, scenario, violated) {
    let isOver = false;
    const stay = (held: readonly MachinePlan[]): void => {
      const free = deletingIn(world, scenario).filter(
        (plan) => !held.some((other) => keyOf(other) === keyOf(plan)),
      );
      if (free.length > 0) violated(`${free.map(({ name }) => name).join(', ')} is still there`);
    };
    return {
      stoodStill() {
        if (world.violations.length === 0) stay(scenario.blockers(world).map(({ machine }) => machine));
      },
      quiet() {
        isOver = true;
      },
      ended() {
        if (isOver && world.violations.length === 0) stay([]);
      },
    };
  },
};

export const whoIsHeldSaysWhy: Invariant = {
  name: 'a Machine that cannot move says exactly why',
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    const seen = new Set<string>();
    let isCalm = false;
    return {
      calm() {
        isCalm = true;
      },
      // One whose every event was lost is found by a list that comes minutes later.
      after({ verb, resource, namespace, name, instance }) {
        if (isCalm && verb === 'get' && instance.startsWith('instance'))
          seen.add(`${resource} ${namespace}/${name}`);
      },
      stoodStill() {
        const blockers = Map.groupBy(scenario.blockers(world), ({ machine }) => keyOf(machine));
        for (const [key, reasons] of blockers) {
          const machine = reasons[0]?.machine;
          const said = machine === undefined ? '' : saidOf(world, machine);
          // It stands before one obstacle at a time.
          const isSaid = reasons.some(({ says }) => says.test(said)) || saysAnother(present, machine, said);
          if (isSaid || !seen.has(key)) continue;
          violated(`${key} is held (${reasons.map(whatOf).join('; ')}) and says: ${said}`);
        }
      },
    };
  },
};

/** Beside what holds it for the scenario, this may do so too, and comes first. */
function saysAnother(present: View, plan: MachinePlan | undefined, said: string): boolean {
  const machine = plan && machineIn(present, plan);
  if (machine === undefined) return false;
  if (isHeldBack(present, machine)) return /"reason":"Paused"/.test(said);
  const rule = /invalid selectors in MachineDrainRule ([^:]+):/.exec(said)?.[1];
  const { namespace } = machine.metadata;
  return (
    rule !== undefined &&
    present.get(management, 'machinedrainrules.cluster.x-k8s.io', namespace, rule) !== undefined
  );
}

const whatOf = ({ kind, what }: Blocker): string => `${kind}: ${what}`;

/** Its status, and the Events about it. */
function saidOf(world: World, plan: MachinePlan): string {
  const machine = world.management.get(plan.resource, plan.namespace, plan.name);
  const events = world
    .cluster(management)
    .list('events')
    .filter(({ metadata, involvedObject }) => {
      const about = textAt(involvedObject, 'uid');
      return metadata.namespace === plan.namespace && about === machine?.metadata.uid;
    })
    .map(({ reason, message }) => `${String(reason)}: ${String(message)}`);
  return [JSON.stringify(machine?.['status'] ?? {}), ...events].join('\n');
}

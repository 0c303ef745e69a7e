import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { newsOf } from '../../stories/stage/told-machine.ts';
import { management } from '../platform/clusters.ts';
import type { Blocker, MachinePlan } from '../scenario/model.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { whyHeldBack } from './sight/held-back.ts';
import { keyOf, machineIn, titleOf } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { witnessOf } from './sight/witness.ts';

/** For two attempts to drain: one takes 20 s in some APIs, and says only then what has failed. */
const triedMilliseconds = 45_000;

export const whoIsHeldSaysWhy: Invariant = {
  name: 'a Machine that cannot move says exactly why',
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    /** Since when it has been in its phase, by the looks at it in the calm. */
    const seen = new Map<string, { phase: string | undefined; since: number }>();
    let isCalm = false;
    return {
      calm() {
        isCalm = true;
      },
      // If all its events were lost, a list or an instance that stood still finds it, minutes later.
      after({ resource, namespace, name, instance }) {
        if (!isCalm || !instance.startsWith('instance')) return;
        const key = `${resource} ${namespace}/${name}`;
        const plan = scenario.machines.find((each) => keyOf(each) === key);
        const machine = plan && found(world, plan);
        const phase = machine && standOf(machine)?.phase;
        if (machine !== undefined && (!seen.has(key) || seen.get(key)?.phase !== phase))
          seen.set(key, { phase, since: world.now() });
      },
      stoodStill() {
        const blockers = Map.groupBy(scenario.blockers(world), ({ machine }) => keyOf(machine));
        for (const [key, reasons] of blockers) {
          const [first] = reasons;
          const { since } = seen.get(key) ?? { since: Infinity };
          if (first === undefined || world.now() - since < triedMilliseconds) continue;
          const { machine } = first;
          const said = saidOf(world, machine);
          // It stands before one obstacle at a time.
          if (reasons.some(({ says }) => says.test(said)) || saysAnother(present, machine, said)) continue;
          const held = reasons.map(whatOf).join('; ');
          violated(`${titleOf(machine)} is held (${held}), and says only: ${toldOf(world, machine)}`);
        }
      },
    };
  },
};

/** Beside what holds it for the scenario, this may do so too, and comes first. */
function saysAnother(present: View, plan: MachinePlan, said: string): boolean {
  const machine = machineIn(present, plan);
  if (machine === undefined) return false;
  if (whyHeldBack(present, machine) !== undefined) return /"reason":"Paused"/.test(said);
  const rule = /invalid selectors in MachineDrainRule ([^:]+):/.exec(said)?.[1];
  const { namespace } = machine.metadata;
  return (
    rule !== undefined &&
    present.get(management, 'machinedrainrules.cluster.x-k8s.io', namespace, rule) !== undefined
  );
}

const whatOf = ({ kind, what }: Blocker): string => `${kind}: ${what}`;

/** Its status, and the Events about it. */
const saidOf = (world: World, plan: MachinePlan): string =>
  [JSON.stringify(found(world, plan)?.['status'] ?? {}), ...eventsOf(world, plan)].join('\n');

/** The same as people read it. */
function toldOf(world: World, plan: MachinePlan): string {
  const machine = found(world, plan);
  const news = machine === undefined ? [] : newsOf(machine).flatMap(([, text]) => text || []);
  return [...news, ...eventsOf(world, plan)].join('; ') || 'nothing';
}

const found = (world: World, plan: MachinePlan): KubeObject | undefined =>
  world.management.get(plan.resource, plan.namespace, plan.name);

function eventsOf(world: World, plan: MachinePlan): string[] {
  const uid = found(world, plan)?.metadata.uid;
  return world.management
    .list('events')
    .filter(({ metadata }) => metadata.namespace === plan.namespace)
    .filter(({ involvedObject }) => textAt(involvedObject, 'uid') === uid)
    .map(({ reason, message }) => `${String(reason)}: ${String(message)}`);
}

import { textAt } from '../../../shared/dialects/fields.ts';
import { hasOurHook, isBeside } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { whyHeldBack, whyTheirs } from './sight/held-back.ts';
import { clusterOf, isDeleting, keyOf, machineIn, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Somebody may put it back: then it goes again. */
export const releasedAreFree: Invariant = {
  name: 'no hook of ours stays on a Machine that phaseout has let go',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** UIDs that were without our hook once they were let go. */
    const free = new Set<string>();
    for (const resource of new Set(scenario.machines.map((plan) => plan.resource)))
      world.management.watch(resource, ({ object }) => {
        const { namespace = '', name, uid = '' } = object.metadata;
        const plan = scenario.machines.find((each) => keyOf(each) === keyOf({ resource, namespace, name }));
        if (plan === undefined || !isBeside(world, plan) || witness.isTampered(uid)) return;
        if (standOf(object)?.released === undefined) return;
        if (!hasOurHook(object)) free.add(uid);
        else if (!free.has(uid)) violated(`${titleOf(plan)} was let go, and has our hook still`);
      });
    return {
      stoodStill() {
        const { present } = witness.past;
        for (const plan of scenario.machines) {
          const machine = machineIn(present, plan);
          if (machine === undefined || !isBeside(world, plan) || !hasOurHook(machine)) continue;
          if (standOf(machine)?.released === undefined || !isDeleting(machine)) continue;
          if (whyHeldBack(present, machine) ?? whyTheirs(machine, world.config)) continue;
          // Without it nothing says whether it is paused.
          if (plan.api === 'capi' && clusterOf(present, machine) === undefined) continue;
          violated(`${titleOf(plan)} was let go at ${releasedAt(machine)}, and has our hook still`);
        }
      },
    };
  },
};

const releasedAt = (machine: Parameters<typeof standOf>[0]): string =>
  textAt(JSON.parse(machine.metadata.annotations?.['phaseout.dev/checkpoint'] ?? '{}'), 'released') ?? '';

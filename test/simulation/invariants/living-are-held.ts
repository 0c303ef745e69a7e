import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { hasOurHook, isBeside, releasedBy } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { whyHeldBack, whyTheirs } from './sight/held-back.ts';
import { finalizerOf, isDeleting, lacksItsCluster, machineIn, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Without it a Machine is gone the moment it is deleted, with its Pods on its server. */
export const livingAreHeld: Invariant = {
  name: "in the end each Machine that lives has our finalizer, or beside the API's own controllers our hook",
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    return atTheEnd(world, () => {
      for (const plan of scenario.machines) {
        const machine = machineIn(present, plan);
        if (machine === undefined || isDeleting(machine) || whyTheirs(machine, world.config)) continue;
        if (whyHeldBack(present, machine) !== undefined || lacksItsCluster(present, machine)) continue;
        // Beside the API's own controllers the finalizer is theirs.
        if (!isBeside(world, plan) && machine.metadata.finalizers?.includes(finalizerOf[plan.api]) !== true)
          violated(`${titleOf(plan)} lives without it`);
        const lack = isBeside(world, plan) ? lackOfHook(machine) : undefined;
        if (lack !== undefined) violated(`${titleOf(plan)} lives without our hook, ${lack}`);
      }
    });
  },
};

/** From OpenShift's API to another one: nothing of ours is to hold it any more. */
const isAboutToMove = (machine: KubeObject): boolean =>
  (textAt(machine, 'spec', 'authoritativeAPI') ?? 'MachineAPI') !== 'MachineAPI';

/** Others may have taken it off twice, and a person may want it to stay off. */
function lackOfHook(machine: KubeObject): string | undefined {
  const { annotations = {} } = machine.metadata;
  if (isAboutToMove(machine)) return undefined;
  const times = annotations['phaseout.dev/registered'] ?? '0';
  if (hasOurHook(machine) || times === '2' || releasedBy in annotations) return undefined;
  return `which was put on ${times} times`;
}

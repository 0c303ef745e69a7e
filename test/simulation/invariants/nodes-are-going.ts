import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { judgingPassed } from './sight/judging.ts';
import { isDeleting } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { nodeRead, witnessOf } from './sight/witness.ts';

/** Phaseout does not wait for the end of a Node that a finalizer holds. */
export const nodesAreGoing: Invariant = {
  name: 'the Node is passed as done only when it is gone, or on its way',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingPassed(
      witness,
      ({ plan, newlyPassed, machine }, { actor }) => {
        if (newlyPassed.get('node') !== 'done' || !isNamed(plan, machine)) return undefined;
        const isGoing = witness.wasSoLately(actor, [nodeRead(plan)], (view) =>
          isGoingIn(view, plan, machine),
        );
        return isGoing ? undefined : `Node ${plan.node} is there`;
      },
      violated,
    );
  },
};

/** One that the Machine does not name need not be found. */
const isNamed = ({ node }: MachinePlan, machine: KubeObject): boolean =>
  node !== undefined && textAt(machine, 'status', 'nodeRef', 'name') === node;

/** Another one of that name is not the one that was to go. */
function isGoingIn(view: View, { host, node = '' }: MachinePlan, machine: KubeObject): boolean {
  const found = view.get(host, 'nodes', undefined, node);
  const known = standOf(machine)?.node;
  return found === undefined || isDeleting(found) || (known !== undefined && found.metadata.uid !== known);
}

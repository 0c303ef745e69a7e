import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { lackOf, standOf } from './sight/checkpoint.ts';
import type { Effect } from './sight/effect.ts';
import { judging } from './sight/judging.ts';
import { machineIn, phasesOfObjects } from './sight/machine.ts';
import { machineRead, nodeRead, type Witness, witnessOf } from './sight/witness.ts';

export const nodeComesLast: Invariant = {
  name: "a Node is deleted only after the infrastructure is gone, and only the Machine's own",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['delete Node'],
      (effect) => tooEarly(effect, witness) ?? foreign(effect, witness),
      violated,
    );
  },
};

const lackOn = (machine: KubeObject): string | undefined => lackOf(machine, 'node', phasesOfObjects(machine));

function tooEarly({ plan, machine, actor }: Effect, witness: Witness): string | undefined {
  if (plan === undefined || machine === undefined) return undefined;
  const isTime = witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const seen = machineIn(view, plan);
    return seen === undefined || lackOn(seen) === undefined;
  });
  return isTime ? undefined : lackOn(machine);
}

/** What the checkpoint says of the Node counts; without a word there, what both say of their server. */
function foreign({ plan, machine, actor, object: node }: Effect, witness: Witness): string | undefined {
  if (plan === undefined || machine === undefined || node === undefined) return undefined;
  const known = standOf(machine)?.node;
  if (known !== undefined)
    return known === node.metadata.uid ? undefined : `the Machine had another Node of this name, ${known}`;
  const own = textAt(machine, 'spec', 'providerID');
  const isOwn = (other: KubeObject | undefined): boolean => {
    const id = textAt(other, 'spec', 'providerID');
    return own === undefined || id === undefined || id === own;
  };
  const { host, node: name = '' } = plan;
  const wasOwn = witness.wasSoLately(actor, [nodeRead(plan)], (view) =>
    isOwn(view.get(host, 'nodes', undefined, name)),
  );
  return wasOwn ? undefined : `it has the providerID ${textAt(node, 'spec', 'providerID')}`;
}

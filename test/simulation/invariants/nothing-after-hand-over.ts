import { isBeside } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { judging } from './sight/judging.ts';
import { machineIn } from './sight/machine.ts';
import type { Effect, EffectKind } from './sight/seen-effect.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const effects: readonly EffectKind[] = ['evict', 'cordon', 'write Machine'];

/** Somebody may put our hook back, as a backup does: it goes again, and Cluster API's own controller drains. */
export const nothingAfterHandOver: Invariant = {
  name: 'nothing but our hook is taken off a Machine that says that it was let go, and its Pods and its Node are left alone',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      effects,
      (effect) => (isLetGo(effect, witness) ? 'its checkpoint says that it was let go' : undefined),
      violated,
    );
  },
};

/** At every moment that the instance may have had before its eyes. */
const isLetGo = ({ plan, actor }: Effect, witness: Witness): boolean =>
  plan !== undefined &&
  isBeside(witness.world, plan) &&
  !witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const machine = machineIn(view, plan);
    return machine === undefined || standOf(machine)?.released === undefined;
  });

import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { isBeside } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { standOf, writtenStand } from './sight/checkpoint.ts';
import { judging } from './sight/judging.ts';
import { machineIn } from './sight/machine.ts';
import { type Effect, type EffectKind, sendsPodsAway } from './sight/seen-effect.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const effects: readonly EffectKind[] = [...sendsPodsAway, 'cordon', 'write Machine', 'mark drained'];

/** Somebody may put our hook back, as a backup does: it goes again, and the API's own controller drains. */
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
const isLetGo = ({ plan, machine, actor, exchange }: Effect, witness: Witness): boolean =>
  plan !== undefined &&
  machine !== undefined &&
  isBeside(witness.world, plan) &&
  !keepsToIt(exchange, machine) &&
  !witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const seen = machineIn(view, plan);
    return seen === undefined || standOf(seen)?.released === undefined;
  });

/** A checkpoint that says so again, such as one whose start lay ahead. */
function keepsToIt(exchange: Exchange, machine: KubeObject): boolean {
  const stand = writtenStand(exchange, machine);
  return typeof stand === 'object' && stand.released !== undefined && stand.phase === 'hand-over';
}

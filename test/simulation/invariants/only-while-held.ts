import { hasOurHook, isBeside } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { judging } from './sight/judging.ts';
import { isDeleting, machineIn } from './sight/machine.ts';
import { type Effect, type EffectKind, sendsPodsAway } from './sight/seen-effect.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const ours: readonly EffectKind[] = [
  ...sendsPodsAway,
  ...(['cordon', 'write Machine', 'write status', 'hand over', 'mark drained'] as const),
];
const peers: readonly EffectKind[] = [
  ...(['delete infrastructure', 'delete bootstrap', 'delete Node', 'take finalizer'] as const),
];

/** Without our hook the API's own controllers go on by themselves: two would be at it. */
export const onlyWhileHeld: Invariant = {
  name: "beside the API's own controllers nothing is done to a Machine, its Node or its Pods without our hook, nor what that one does",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const released = rememberReleased(witness);
    const judge = judging(
      witness,
      [...ours, ...peers],
      (effect) => {
        const { plan, machine, kind } = effect;
        if (plan === undefined || machine === undefined || !isBeside(world, plan)) return undefined;
        if (peers.includes(kind)) return "that is for the API's own controllers";
        const isHeld = isHeldFor(effect, witness);
        if (!isHeld) return 'our hook is not on its Machine';
        return released.isKnown(effect) ? 'this instance has handed the Machine over before' : undefined;
      },
      violated,
    );
    return {
      ...judge,
      heard: (exchange) => released.heard(exchange),
      asked({ instance, operation, machine }) {
        const plan = witness.machineWithUid(machine.metadata.uid ?? '');
        if (plan !== undefined && isBeside(world, plan))
          violated(`${instance} asks the provider to ${operation}: that is for the API's own controllers`);
      },
      after(exchange, answer) {
        if (answer.code < 300) released.taken(exchange);
        judge.after?.(exchange, answer);
      },
    };
  },
};

/** Or was, by what the instance may know. One that lives gets it. */
const isHeldFor = ({ plan, actor }: Effect, witness: Witness): boolean =>
  plan !== undefined &&
  witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const seen = machineIn(view, plan);
    return seen === undefined || !isDeleting(seen) || hasOurHook(seen);
  });

const keyOf = ({ actor }: Effect): string => `${actor.instance} ${actor.machineUid}`;

/** An instance knows that the hook is off once it has heard so. Somebody may put it back. */
function rememberReleased(witness: Witness) {
  const taken = new WeakSet<Exchange>();
  /** By instance and Machine: since when it knows. */
  const known = new Map<string, number>();
  return {
    taken(exchange: Exchange): void {
      if (effectOf(exchange, witness)?.kind === 'hand over') taken.add(exchange);
    },
    heard(exchange: Exchange): void {
      const effect = taken.has(exchange) ? effectOf(exchange, witness) : undefined;
      if (effect !== undefined) known.set(keyOf(effect), witness.world.now());
    },
    isKnown(effect: Effect): boolean {
      const { plan, exchange } = effect;
      const machine = plan && machineIn(witness.past.present, plan);
      const isLate = witness.reads.leftAt(exchange) > (known.get(keyOf(effect)) ?? Infinity);
      return isLate && machine !== undefined && !hasOurHook(machine);
    },
  };
}

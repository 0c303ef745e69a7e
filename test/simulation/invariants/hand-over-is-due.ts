import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import { isOpenShift } from '../../stories/stage/apis.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { type Stand, standOf, writtenStand } from './sight/checkpoint.ts';
import { longLeft } from './sight/drain-court.ts';
import { isNodeOfAnother, whyTooLate } from './sight/gate.ts';
import { takesFirstHook } from './sight/json-patch.ts';
import { type Case, judging } from './sight/judging.ts';
import { isDrainExcluded, isNodeForbidden, machineIn, saysDrained } from './sight/machine.ts';
import { isSoInAny, type View } from './sight/past.ts';
import type { Effect } from './sight/seen-effect.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** The Node is looked at right before, and a request may be late. */
const believedMilliseconds = 8_000;

/** From then on the API's own controllers carry the deletion on, whatever is on the Node. */
export const handOverIsDue: Invariant = {
  name: 'our hook goes only with drain and volumes passed, or where the API drains no more',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(witness, ['hand over'], (effect) => wrongWith(effect, witness), violated);
  },
};

function wrongWith({ plan, machine, actor, exchange }: Effect, witness: Witness): string | undefined {
  if (plan === undefined || machine === undefined) return undefined;
  const stand = writtenStand(exchange, machine);
  const of = { actor, plan, machine };
  // The drain is over by then, and the API's own controller carries the deletion on.
  if (!takesFirstHook(exchange.body)) return stand === undefined ? 'it saves no checkpoint' : undefined;
  if (isOthersForLong(witness, of)) return 'the Node that it names is not known to be its own';
  if (mayBeLetGo(witness, of)) return undefined;
  if (stand === undefined || stand === 'unusable') return 'it saves no checkpoint';
  const lack = lackOf(stand, plan.api === 'capi' ? ['drain', 'volume-detach'] : ['drain']);
  if (lack !== undefined) return lack;
  if (stand.passed.get('drain') !== 'done') return undefined;
  const left = longLeft(witness, of, believedMilliseconds, (court) => podsThatMustGo(court, plan));
  return left.length === 0 ? undefined : `these Pods are on its Node: ${left.join(', ')}`;
}

/** Longer than anything keeps an instance from reading the Node. */
const longMilliseconds = 600_000;

/** Its controller deletes the Node by its name, unless no Node goes, or our hook holds nothing. */
function isOthersForLong({ past, world }: Witness, { plan, machine }: Case): boolean {
  const isFree = (view: View): boolean => {
    const seen = machineIn(view, plan) ?? machine;
    const isPassedOver = isOpenShift(seen) && (isDrainExcluded(seen) || saysDrained(seen));
    return isPassedOver || isNodeForbidden(view, seen) || !isNodeOfAnother(view, seen, plan);
  };
  return !isSoInAny(past.since(world.now() - longMilliseconds), isFree);
}

/** The Node need not be prepared, by what the instance may know. */
export function mayBeLetGo(witness: Witness, of: Case): boolean {
  const { plan, machine } = of;
  const { config } = witness.world;
  const isFree = (view: View): boolean => isLetGo(view, machineIn(view, plan) ?? machine, { plan, config });
  return standOf(machine)?.released !== undefined || wasSoAround(witness, of, isFree, farGrace);
}

/** That the Node is none to be prepared for its end: nothing of ours is left to do. */
function isLetGo(
  view: View,
  machine: KubeObject,
  { plan, config }: { plan: MachinePlan; config: Config },
): boolean {
  const node = view.get(plan.host, 'nodes', undefined, plan.node ?? '');
  const isExcluded = (config.besideExcluded === 'leave' || isOpenShift(machine)) && isDrainExcluded(machine);
  return (
    isNodeForbidden(view, machine) ||
    whyTooLate(view, machine) !== undefined ||
    node === undefined ||
    isExcluded ||
    // Said already: OpenShift's Machine controller goes on, our hook or not.
    (isOpenShift(machine) && saysDrained(machine))
  );
}

function lackOf(stand: Stand, wanted: readonly string[]): string | undefined {
  // With a hook before the end of the server, the same write goes on to that.
  const isPast = stand.phase === 'pre-terminate' && stand.passed.has('hand-over');
  if (stand.phase !== 'hand-over' && !isPast) return `its checkpoint stands at ${stand.phase}`;
  const missing = wanted.filter((phase) => !stand.passed.has(phase));
  return missing.length === 0
    ? undefined
    : `its checkpoint does not say how these were passed: ${missing.join(', ')}`;
}

import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { type Stand, standOf } from './sight/checkpoint.ts';
import { longLeft } from './sight/drain-court.ts';
import { isDrainShut, isNodeOfAnother } from './sight/gate.ts';
import { judging } from './sight/judging.ts';
import { machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import type { Effect } from './sight/seen-effect.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/**
 * After their end, a look trusts a drain and a wait for volumes for five seconds. Its decision may take one more. The
 * requests that read the Machine again and delete come on top.
 */
const believedMilliseconds = 5_000 + 1_000;
const requestsAfterLook = 2;

/** What keeps the server from being deleted may last, and Pods come to the Node meanwhile. */
export const serversGoEmpty: Invariant = {
  name: 'a server of Cluster API goes only when no Pod that must go has come to its Node since the drain',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const believed = believedMilliseconds + requestsAfterLook * scenario.world.latencyMilliseconds;
    const wrong = (effect: Effect): string | undefined => wrongWith(effect, witness, believed);
    return judging(witness, ['delete infrastructure'], wrong, violated);
  },
};

function wrongWith({ plan, machine, actor }: Effect, witness: Witness, believed: number): string | undefined {
  const stand = machine && standOf(machine);
  if (plan === undefined || machine === undefined || stand === undefined) return undefined;
  const presents = witness.reads.presentsOf(actor.instance);
  // Whose clock is behind what the API server has dated goes by that.
  const served = Date.parse(machine.metadata.deletionTimestamp ?? '');
  if (presents.some((now) => Math.abs(Math.max(now, served) - stand.since) <= believed)) return undefined;
  // Its owners may count on the Node as they have left it.
  if (stand.passed.get('pre-terminate') === 'done') return undefined;
  const of = { actor, plan, machine };
  // An instance whose clock is behind does not take back that the time of the drain was over.
  const clocks = presents.map((now) => Math.max(now, stand.reached ?? stand.since));
  const isShut = (view: View): boolean =>
    isDrainShut(view, named(machineIn(view, plan) ?? machine, stand, plan, view), clocks) ||
    isNodeOfAnother(view, machine, plan);
  if (wasSoAround(witness, of, isShut, farGrace)) return undefined;
  const left = longLeft(witness, of, believed, (court) => podsThatMustGo(court, plan));
  return left.length === 0 ? undefined : `these Pods are on its Node: ${left.join(', ')}`;
}

/** A Machine that does not name its Node any more has that one which was drained and has its providerID. */
function named(machine: KubeObject, stand: Stand, { host, node: name }: MachinePlan, view: View): KubeObject {
  if (textAt(machine, 'status', 'nodeRef', 'name') !== undefined || stand.node === undefined) return machine;
  const own = textAt(machine, 'spec', 'providerID');
  const found = view.list(host, 'nodes').filter((node) => textAt(node, 'spec', 'providerID') === own);
  const isKnown = found.length === 1 && found[0]?.metadata.name === name;
  return isKnown ? { ...machine, status: { ...recordAt(machine, 'status'), nodeRef: { name } } } : machine;
}

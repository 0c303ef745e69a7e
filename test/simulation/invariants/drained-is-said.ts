import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { conditionIn, conditionsOf } from '../../stories/stage/told-machine.ts';
import { hasOurHook } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { nameOf } from '../story/news.ts';
import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { courtOf } from './sight/drain-court.ts';
import { judging } from './sight/judging.ts';
import { isDeleting } from './sight/machine.ts';
import { isSoInAny, type Part, type View } from './sight/past.ts';
import { type Court, podsOn, staysByWish } from './sight/pods.ts';
import type { Effect } from './sight/seen-effect.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** It rests on a look at most five seconds old when the request leaves. Rules may be ten seconds old. */
const believedMilliseconds = { look: 6_000, rules: 17_000 };

/** Its Machine controller goes on with that word at once, our hook or not: the word is the hand-over. */
export const drainedIsSaid: Invariant = {
  name: 'OpenShift is told that a drain is done only where it is, where Pods are left that it would evict, and where nothing else holds the Machine',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(witness, ['mark drained'], (effect) => wrongWith(effect, witness), violated);
  },
};

/** The version that the request names is that of the Machine as it is now, or the server refuses it. */
function wrongWith(effect: Effect, witness: Witness): string | undefined {
  const { plan, machine, actor } = effect;
  if (plan === undefined || machine === undefined) return undefined;
  const { past, reads, world } = witness;
  const of = { plan, machine };
  const presents = reads.presentsOf(actor.instance);
  const leftAt = reads.leftAt(effect.exchange) - reads.stillnessOf(actor.instance);
  const neverIn = (lack: (court: Court) => string[]): string | undefined => {
    const isNone = (view: View): boolean => presents.some((now) => lack(courtOf(view, of, now)).length === 0);
    if (isSoInAny(past.apart(partsOf(plan, leftAt)), isNone)) return undefined;
    return lack(courtOf(past.present, of, world.now())).join(', ') || undefined;
  };
  return (
    whyNotSaid(machine) ??
    neverIn((court) => podsThatMustGo(court, plan).map((pod) => `Pod ${pod} must go`)) ??
    neverIn(({ node }) =>
      recordAt(node, 'spec')['unschedulable'] === true ? [] : ['its Node takes Pods'],
    ) ??
    neverIn((court) => (leftOn(court, plan).length > 0 ? [] : ['no Pod is left that OpenShift would evict']))
  );
}

/** What is on the Node, and what that is judged by. */
const partsOf = ({ host }: MachinePlan, leftAt: number): Part[] => [
  {
    since: leftAt - believedMilliseconds.look,
    has: (place) => place.host === host && ['pods', 'nodes'].includes(place.resource),
  },
  { since: leftAt - believedMilliseconds.rules, has: () => true },
];

/** What of the Machine itself keeps that word from being said; undefined where nothing does. */
export function whyNotSaid(machine: KubeObject): string | undefined {
  const { preDrain } = recordAt(machine, 'spec', 'lifecycleHooks');
  const authorities = ['spec', 'status'].map((part) => textAt(machine, part, 'authoritativeAPI'));
  if (!isDeleting(machine)) return 'its Machine lives';
  if (!Array.isArray(preDrain) || preDrain.length !== 1 || !hasOurHook(machine))
    return `its pre-drain hooks are ${JSON.stringify(preDrain)}`;
  const other = authorities.find((each) => each !== undefined && each !== '' && each !== 'MachineAPI');
  if (other !== undefined) return `its authority is, or will be, ${other}`;
  if (textAt(conditionIn(conditionsOf(machine), 'Paused'), 'status') === 'True')
    return 'it says that it is paused';
  // How the drain was passed is saved later, as our hook goes.
  return standOf(machine)?.released === undefined ? undefined : 'its checkpoint says that it was let go';
}

/** By rules or labels, which OpenShift's own controllers do not know, or completed. */
export function leftOn(court: Court, { node = '' }: MachinePlan): string[] {
  const pods = court.node === undefined ? [] : podsOn(court.view, court.host, node);
  return pods.filter((pod) => staysByWish(pod, court)).map(nameOf);
}

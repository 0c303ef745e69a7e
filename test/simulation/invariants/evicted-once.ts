import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isOpenShift } from '../../stories/stage/apis.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { judging } from './sight/judging.ts';
import { isUnreachable } from './sight/pods.ts';
import type { Effect } from './sight/seen-effect.ts';
import { nodeRead, podsRead, type Witness, witnessOf } from './sight/witness.ts';

export const evictedOnce: Invariant = {
  name: 'a Pod is evicted once by an instance, and not at all once it is on its way',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const accepted = new Map<string, string>();
    let asked: Exchange | undefined;
    const judge = judging(
      witness,
      ['evict'],
      (effect) => {
        if (isHurried(effect, witness)) return undefined;
        return isOnItsWay(effect, witness) ? 'it is on its way already' : undefined;
      },
      violated,
    );
    return {
      before(exchange) {
        asked = exchange;
        judge.before?.(exchange);
      },
      after(exchange, answer) {
        judge.after?.(exchange, answer);
        if (exchange.resource !== 'pods/eviction' || answer.code >= 300 || asked !== exchange) return;
        const effect = effectOf(exchange, witness);
        if (effect === undefined || isHurried(effect, witness)) return;
        const who = `${exchange.instance} ${textAt(exchange.body, 'deleteOptions', 'preconditions', 'uid')}`;
        if (accepted.has(who))
          violated(`${effect.label}: it had been accepted before (${accepted.get(who)})`);
        accepted.set(who, new Date(world.now()).toISOString());
      },
    };
  },
};

/** Two instances may meet: who has seen the Pod before the other's eviction asks in good faith. */
function isOnItsWay({ actor, plan, object: pod }: Effect, witness: Witness): boolean {
  if (plan === undefined || pod === undefined) return false;
  const { namespace, name, uid } = pod.metadata;
  return !witness.wasSoLately(actor, [podsRead(plan)], (view) => {
    const seen = view.get(plan.host, 'pods', namespace, name);
    return seen?.metadata.uid === uid && seen?.metadata.deletionTimestamp === undefined;
  });
}

/** OpenShift leaves Pods that are on their way no more time on a Node that nobody hears from. */
function isHurried({ actor, plan, machine, exchange }: Effect, witness: Witness): boolean {
  if (plan === undefined || machine === undefined || !isOpenShift(machine)) return false;
  if (recordAt(exchange.body, 'deleteOptions')['gracePeriodSeconds'] !== 1) return false;
  return witness.wasSoLately(actor, [nodeRead(plan), podsRead(plan)], (view) => {
    const node = view.get(plan.host, 'nodes', undefined, plan.node ?? '');
    return node !== undefined && isUnreachable(node);
  });
}

import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { claimMilliseconds } from '../../../shared/store/claim.ts';
import { isOpenShift } from '../../stories/stage/apis.ts';
import type { Observer } from '../observer.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { judging } from './sight/judging.ts';
import { watchStore } from './sight/on-record.ts';
import { isUnreachable } from './sight/pods.ts';
import type { Effect } from './sight/seen-effect.ts';
import { nodeRead, podsRead, type Witness, witnessOf } from './sight/witness.ts';

export const evictedOnce: Invariant = {
  name: 'a Pod is evicted once, and not at all once it is on its way',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const accepted = new Map<string, string>();
    const claims = watchClaims();
    const latest = new Map<string, { by: string; at: number }>();
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
      ...claims,
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
        const by = exchange.instance;
        const uid = who.slice(by.length + 1);
        const other = latest.get(uid);
        latest.set(uid, { by, at: world.now() });
        if (other === undefined || other.by === by || claims.mayFail()) return;
        if (world.now() - other.at < claimMilliseconds)
          violated(`${effect.label}: ${other.by} has evicted it just now, and a step is one instance's`);
      },
    };
  },
};

/** Whether anything was ever wrong with what keeps instances from looking at one Machine at once. */
function watchClaims(): Observer & { mayFail: () => boolean } {
  const store = watchStore();
  let hasLapsed = false;
  return {
    ...store,
    hit(fault, phases, instance) {
      store.hit?.(fault, phases, instance);
      hasLapsed ||= fault === 'clock-jumps' || fault.startsWith('paused-instance');
    },
    mayFail: () => hasLapsed || store.isTroubled(),
  };
}

/** Two instances may meet: who has seen the Pod before the other's eviction asks in good faith. */
function isOnItsWay({ actor, plan, object: pod }: Effect, witness: Witness): boolean {
  if (plan === undefined || pod === undefined) return false;
  const { namespace, name, uid } = pod.metadata;
  return !witness.wasSoLately(actor, [podsRead(plan)], (view) => {
    const seen = view.get(plan.host, 'pods', namespace, name);
    return seen?.metadata.uid === uid && seen?.metadata.deletionTimestamp === undefined;
  });
}

/** OpenShift leaves Pods that are on their way no more time on a silent Node. */
function isHurried({ actor, plan, machine, exchange }: Effect, witness: Witness): boolean {
  if (plan === undefined || machine === undefined || !isOpenShift(machine)) return false;
  if (recordAt(exchange.body, 'deleteOptions')['gracePeriodSeconds'] !== 1) return false;
  return witness.wasSoLately(actor, [nodeRead(plan), podsRead(plan)], (view) => {
    const node = view.get(plan.host, 'nodes', undefined, plan.node ?? '');
    return node !== undefined && isUnreachable(node);
  });
}

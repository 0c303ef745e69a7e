import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Observer } from '../../observer.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import { nameOf } from '../../story/news.ts';
import type { Actor } from './actor.ts';
import { effectOf, namesAnother } from './effect.ts';
import type { Effect, EffectKind } from './seen-effect.ts';
import { lastTransitionOf, type Transition, transitionOf } from './transition.ts';
import type { Witness } from './witness.ts';

/** The server has refused it, because the object is gone or has changed. The instance asked in good faith. */
const isPrevented = (code: number): boolean => [404, 409, 422].includes(code);

type Violated = (what: string) => void;

/**
 * Judges effects right before they happen; a violation is reported once the server has not prevented it. The judge
 * answers with what is wrong, or with undefined.
 */
export function judging(
  witness: Witness,
  kinds: readonly EffectKind[],
  judge: (effect: Effect) => string | undefined,
  violated: Violated,
): Observer {
  let wrong: string | undefined;
  return {
    before(exchange) {
      wrong = undefined;
      const effect = effectOf(exchange, witness);
      if (effect === undefined || !kinds.includes(effect.kind)) return;
      const why = namesAnother(effect) ? undefined : judge(effect);
      wrong = why === undefined ? undefined : `${effect.label}: ${why}`;
    },
    after(_exchange, { code }) {
      if (wrong !== undefined && !isPrevented(code)) violated(wrong);
      wrong = undefined;
    },
  };
}

/** Judges each checkpoint beside the one that it takes the place of. */
export const judgingCheckpoints = (
  witness: Witness,
  judge: (transition: Transition, effect: Effect) => string | undefined,
  violated: Violated,
): Observer =>
  judging(
    witness,
    ['write Machine', 'hand over'],
    (effect) => {
      const transition = transitionOf(effect);
      return transition && judge(transition, effect);
    },
    violated,
  );

/** The same, and what is passed without a checkpoint that says so as the finalizer goes. */
export const judgingPassed = (
  witness: Witness,
  judge: (transition: Transition, effect: Effect) => string | undefined,
  violated: Violated,
): Observer =>
  judging(
    witness,
    ['write Machine', 'hand over', 'take finalizer'],
    (effect) => {
      const transition = effect.kind === 'take finalizer' ? lastTransitionOf(effect) : transitionOf(effect);
      return transition && judge(transition, effect);
    },
    violated,
  );

/** Who does something, and for which Machine. */
export interface Case {
  actor: Actor;
  plan: MachinePlan;
  machine: KubeObject;
}

interface Eviction extends Case {
  pod: KubeObject;
}

/** Judges each eviction of a Pod that is there, from the Node of a Machine. */
export const judgingEvictions = (
  witness: Witness,
  judge: (eviction: Eviction) => string | undefined,
  violated: Violated,
): Observer =>
  judging(
    witness,
    ['evict', 'delete Pod'],
    ({ actor, plan, machine, object: pod }) => plan && machine && pod && judge({ actor, plan, machine, pod }),
    violated,
  );

/** Judges each end of a server that a provider is asked for. */
export const judgingServers = (
  witness: Witness,
  judge: (about: Case) => string | undefined,
  violated: Violated,
): Pick<Observer, 'provider'> => ({
  provider({ instance, operation, machine }) {
    const { uid: machineUid = '' } = machine.metadata;
    const plan = witness.machineWithUid(machineUid);
    if (operation !== 'delete' || plan === undefined) return;
    const why = judge({ actor: { instance, machineUid }, plan, machine });
    if (why !== undefined)
      violated(`${instance} has the provider delete the server of Machine ${nameOf(machine)}: ${why}`);
  },
});

/** Judges whatever is asked for, also what a server would refuse. */
export const judgingRequests = (
  witness: Witness,
  judge: (effect: Effect) => string | undefined,
  violated: Violated,
): Observer => ({
  before(exchange) {
    const effect = effectOf(exchange, witness);
    const why = effect && judge(effect);
    if (effect !== undefined && why !== undefined) violated(`${effect.label}: ${why}`);
  },
});

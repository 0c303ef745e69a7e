import { textAt } from '../../../shared/dialects/fields.ts';
import { management } from '../platform/clusters.ts';
import { isBeside } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { phaseOrder } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { saysDrained } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { transitionOf } from './sight/transition.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/** The reason of the Event that a Machine API has for the way in which a phase was passed. */
const reasons: Readonly<Record<string, string>> = {
  'capi drain done': 'SuccessfulDrainNode',
  'capi volume-detach done': 'NodeVolumesDetached',
  'openshift drain done': 'DrainSucceeded',
  'openshift drain excluded': 'DrainSkipped',
  'openshift drain not-applicable': 'DrainSkipped',
};

/** It is written when the step ends that passes the phase. */
const longestMilliseconds = 120_000;

/**
 * A user of `kubectl describe` sees Events, and no facts. An Event may be lost only if something goes wrong on the way.
 */
export const drainsAreSeen: Invariant = {
  name: 'an Event tells what came of a drain, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** By reason and Machine. */
    const unseen = new Map<string, { at: number; deed: string }>();
    const trouble = watchTrouble(world, () => unseen.clear());
    const owed = new WeakMap<Exchange, { events: string[]; deed: string }>();
    const isEnding = (namespace: string): boolean =>
      witness.past.present.get(management, 'namespaces', undefined, namespace)?.metadata.deletionTimestamp !==
      undefined;
    const complain = (): void => {
      for (const [event, { at, deed }] of unseen) {
        if (world.now() - at < longestMilliseconds) continue;
        unseen.delete(event);
        violated(`${deed}: no ${event.replace(/ of .*/, '')} is written`);
      }
    };
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      // An instance that runs on a Machine ends then, in the middle of its work.
      stoodStill: () => unseen.clear(),
      before(exchange) {
        const effect = effectOf(exchange, witness);
        if (effect === undefined || isEnding(exchange.namespace)) return;
        owed.set(exchange, { events: eventsOwed(effect, world), deed: effect.label });
      },
      after(exchange, { code }) {
        const { events = [], deed = '' } = owed.get(exchange) ?? {};
        if (code < 300 && trouble.isOver())
          for (const event of events) unseen.set(event, { at: world.now(), deed });
        const { verb, resource, body } = exchange;
        if (verb !== 'create' || resource !== 'events') return;
        unseen.delete(`${textAt(body, 'reason')} of ${textAt(body, 'involvedObject', 'uid')}`);
        complain();
      },
      ended: complain,
    };
  },
};

/** What stood on the Machine as done before is no news. */
function eventsOwed(effect: Effect, world: World): string[] {
  const transition = effect.kind === 'write Machine' ? transitionOf(effect) : undefined;
  if (transition === undefined || saysDrained(transition.machine)) return [];
  const { newlyPassed, plan, before, after } = transition;
  // Cluster API's own controller drains and waits for volumes once more, and tells of both.
  if (plan.api === 'capi' && isBeside(world, plan)) return [];
  const isTheirs = plan.api === 'openshift' && isBeside(world, plan);
  // Back again: what is kept of the wait for volumes is when it began.
  if (before !== undefined && phaseOrder.indexOf(after.phase) < phaseOrder.indexOf(before.phase)) return [];
  // Of a drain that is skipped OpenShift's own controller tells.
  const passed = [...newlyPassed].filter(([, how]) => !isTheirs || how === 'done');
  const owed = passed.map(([phase, how]) => reasons[`${plan.api} ${phase} ${how}`]);
  return owed
    .filter((reason) => reason !== undefined)
    .map((reason) => `${reason} of ${effect.actor.machineUid}`);
}

import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { SeenAnswer } from '../wire/line.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { type Fact, factOf } from './sight/fact.ts';
import { hooksKey } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { transitionOf } from './sight/transition.ts';
import { watchTrouble } from './sight/trouble.ts';
import { turnsIn, turnsOf } from './sight/turns.ts';
import { witnessOf } from './sight/witness.ts';
import { writtenText } from './sight/written.ts';

/** A step publishes its facts at its end; a drain of many Pods takes a while. */
const longestMilliseconds = 120_000;

/** A listener may build on it: only a fault on the way may lose a fact. */
export const factsAreTold: Invariant = {
  name: 'what was done is told, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** By the names of facts. */
    const untold = new Map<string, { at: number; deed: string }>();
    const told = new Set<string>();
    const trouble = watchTrouble(world, () => untold.clear());
    const done = new WeakMap<Exchange, { facts: readonly string[]; deed: string }>();
    const complain = (): void => {
      for (const [fact, { at, deed }] of untold) {
        if (world.now() - at < longestMilliseconds) continue;
        untold.delete(fact);
        violated(`${deed}: no ${fact.replace(/ of .*/, '')} tells of it`);
      }
    };
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      // An instance that runs on a Machine ends then, in the middle of its work.
      stoodStill: () => untold.clear(),
      before(exchange) {
        const effect = effectOf(exchange, witness);
        const facts = effect === undefined ? [] : factsMadeBy(effect);
        if (facts.length > 0) done.set(exchange, { facts, deed: effect?.label ?? '' });
      },
      after(exchange, answer) {
        const { facts = [], deed = '' } = done.get(exchange) ?? {};
        for (const hoped of facts) {
          // Somebody may have died with a refusal that is on record, and so is no news any more.
          const refusal = trouble.hasBeen() ? '' : refused(hoped, answer);
          const fact = answer.code < 300 ? hoped : refusal;
          if (fact !== '' && trouble.isOver() && !told.has(fact)) untold.set(fact, { at: world.now(), deed });
        }
      },
      event(event) {
        const fact = factOf(event);
        if (fact === undefined) return complain();
        const { kind, uid, data } = fact;
        const about = aboutWhat(kind, uid, data);
        const name = nameOf(kind, about, kind === 'deletion.advanced' ? Number(data['seq']) : undefined);
        told.add(name);
        untold.delete(name);
        // After a refusal and a success, an instance may publish the success alone.
        if (kind === 'pod.evicted') untold.delete(nameOf('pod.refused', about));
      },
      ended: complain,
    };
  },
};

const nameOf = (kind: string, about: string, seq?: number): string =>
  `${kind}${seq === undefined ? '' : ` ${seq}`} of ${about}`;

/** The Machine, the Pod that was sent away, the Deployment that was restarted, or the turn of a function. */
function aboutWhat(kind: string, uid: string, data: Fact['data']): string {
  const deployment = textAt(data, 'deployment');
  if (deployment !== undefined) return `${uid} ${deployment}`;
  if (kind.startsWith('pod.')) return textAt(data, 'pod', 'uid') ?? '';
  return kind === 'hook.ended' ? `${uid} ${textAt(data, 'hook')}` : uid;
}

function factsMadeBy(effect: Effect): string[] {
  const { machineUid } = effect.actor;
  if (effect.kind === 'take finalizer') return [nameOf('deletion.completed', machineUid)];
  if (effect.kind === 'evict') return [nameOf('pod.evicted', effect.uid ?? '')];
  if (effect.kind === 'delete Pod') return [nameOf('pod.unblocked', effect.uid ?? '')];
  if (effect.kind === 'restart') return [nameOf('pod.unblocked', `${machineUid} ${effect.exchange.name}`)];
  if (effect.kind !== 'write Machine' && effect.kind !== 'hand over') return [];
  const transition = transitionOf(effect);
  if (transition === undefined) return turnsEndedBy(effect);
  const { before, after } = transition;
  if (before === undefined) return [nameOf('deletion.started', machineUid)];
  return before.phase === after.phase && effect.kind !== 'hand over'
    ? []
    : [nameOf('deletion.advanced', machineUid, after.seq)];
}

/** What a person has passed is told by who notes it, and stands there already. */
function turnsEndedBy({ exchange, machine, actor: { machineUid } }: Effect): string[] {
  const open = (machine === undefined ? [] : turnsOf(machine)).filter(({ end }) => end === undefined);
  return turnsIn(writtenText(exchange, hooksKey), machineUid)
    .filter(({ name, end }) => end !== undefined && open.some((turn) => turn.name === name))
    .map(({ name }) => nameOf('hook.ended', `${machineUid} ${machine?.metadata.namespace}/${name}`));
}

/** Of an eviction that a budget does not allow; empty for what else the server says. */
function refused(hoped: string, { code, body }: SeenAnswer): string {
  const { causes } = recordAt(body, 'details');
  const isByBudget = (Array.isArray(causes) ? causes : []).some(
    (cause) => textAt(cause, 'reason') === 'DisruptionBudget',
  );
  return code === 429 && isByBudget ? hoped.replace('pod.evicted', 'pod.refused') : '';
}

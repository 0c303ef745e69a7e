import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { aboutWhom } from './requests-for-one.ts';
import { parsed } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { titleOf } from './sight/machine.ts';
import { transitionOf } from './sight/transition.ts';
import { watchTrouble } from './sight/trouble.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** Events and the history are written before a step answers. */
const answerMilliseconds = 8_000;
const requestsOfAnswer = 40;

interface Reached {
  at: number;
  uid: string;
  seq: number;
  what: string;
  instance: string;
  plan: MachinePlan;
}

/** Otherwise each phase would begin with the sweep, up to half a minute late, and nothing would have failed. */
export const handedOnAtOnce: Invariant = {
  name: 'whoever has passed a phase asks for the next one at once, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const allowed = answerMilliseconds + requestsOfAnswer * scenario.world.latencyMilliseconds;
    /** By UID: the phase that is due, until a request asks for it. */
    const awaited = new Map<string, Reached>();
    const trouble = watchTrouble(world, () => awaited.clear());
    let asked: Reached | undefined;
    const askedFor = (uid: string): void => {
      const { at = world.now(), what = '' } = awaited.get(uid) ?? {};
      awaited.delete(uid);
      const late = world.now() - at;
      if (late > allowed) violated(`${what}, and is asked for after ${Math.round(late / 1_000)} s`);
    };
    /** The same step may look at the next phase; who hands on writes Events alone after that. */
    const isGoneOnWith = (exchange: Exchange): string | undefined => {
      if (exchange.resource === 'events') return undefined;
      const plan = aboutWhom(exchange, witness);
      return [...awaited.values()].find((each) => each.instance === exchange.instance && each.plan === plan)
        ?.uid;
    };
    const note = ({ attributes: { type, partitionkey: uid = '' }, data }: CloudEvent): void => {
      if (type !== 'dev.phaseout.deletion.advance.v1') return;
      const { seq } = recordAt(parsed(Buffer.from(data).toString()));
      if (Number(seq) >= (awaited.get(uid)?.seq ?? Infinity)) askedFor(uid);
    };
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      // An instance that runs on a Machine ends then, in the middle of its work.
      stoodStill: () => awaited.clear(),
      before(exchange) {
        asked = reachedBy(exchange, witness);
        const uid = asked === undefined ? isGoneOnWith(exchange) : undefined;
        if (uid !== undefined) askedFor(uid);
      },
      provider: ({ instance, machine: { metadata } }) => {
        if (awaited.get(metadata.uid ?? '')?.instance === instance) askedFor(metadata.uid ?? '');
      },
      after(_exchange, { code }) {
        if (asked === undefined || code >= 300 || !trouble.isOver()) return;
        askedFor(asked.uid);
        awaited.set(asked.uid, asked);
      },
      event: note,
      replied: note,
    };
  },
};

/** What a write of a checkpoint hands on, as soon as it is taken. */
function reachedBy(exchange: Exchange, witness: Witness): Reached | undefined {
  const effect = effectOf(exchange, witness);
  if (effect?.kind !== 'write Machine') return undefined;
  const transition = transitionOf(effect);
  const { uid = '' } = transition?.machine.metadata ?? {};
  const steps = witness.reads.stepsOf(exchange.instance) ?? [];
  // A deletion that begins in another phase than the one that was asked for is handed on, too.
  const from = transition?.before?.phase ?? steps.find((step) => step.machine.uid === uid)?.phase;
  if (transition === undefined || from === undefined || from === transition.after.phase) return undefined;
  const { phase, seq } = transition.after;
  const { plan } = transition;
  const what = `${titleOf(plan)} comes to ${phase}`;
  return { at: witness.world.now(), uid, seq, what, instance: exchange.instance, plan };
}

import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { SeenAnswer } from '../wire/line.ts';
import type { Invariant } from './invariant.ts';
import { lackOf, standOf } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { judging } from './sight/judging.ts';
import { isForeign, machineIn, phasesOfObjects } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { transitionOf } from './sight/transition.ts';
import { machineRead, nodeRead, type Witness, witnessOf } from './sight/witness.ts';

/** For how long an instance may know a Node to be cordoned without looking at it. */
const knownCordonMilliseconds = 61_000;

export const nodeComesLast: Invariant = {
  name: "a Node is deleted only after the infrastructure is gone, and only the Machine's own",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const drained = rememberDrained(witness);
    const judge = judging(
      witness,
      ['delete Node'],
      (effect) => tooEarly(effect, witness) ?? foreign(effect, witness) ?? drained.another(effect),
      violated,
    );
    return {
      ...judge,
      before(exchange) {
        drained.before(exchange);
        judge.before?.(exchange);
      },
      after(exchange, answer) {
        drained.after(exchange, answer);
        judge.after?.(exchange, answer);
      },
      hit: (fault) => drained.hit(fault),
    };
  },
};

const lackOn = (machine: KubeObject): string | undefined => lackOf(machine, 'node', phasesOfObjects(machine));

function tooEarly({ plan, machine, actor }: Effect, witness: Witness): string | undefined {
  if (plan === undefined || machine === undefined) return undefined;
  const isTime = witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const seen = machineIn(view, plan);
    return seen === undefined || lackOn(seen) === undefined;
  });
  return isTime ? undefined : lackOn(machine);
}

/** What both say of their server counts: that a Node was drained does not make it the Machine's own. */
function foreign({ plan, machine, actor, object: node }: Effect, witness: Witness): string | undefined {
  if (plan === undefined || machine === undefined || node === undefined) return undefined;
  const uid = node.metadata.uid;
  const known = standOf(machine)?.node;
  if (known !== undefined && known !== uid) return `the Machine had another Node of this name, ${known}`;
  const { host, node: name = '' } = plan;
  const wasOwn = witness.wasSoLately(actor, [nodeRead(plan)], (view) => {
    const seen = view.get(host, 'nodes', undefined, name);
    return seen === undefined || !isForeign(machine, seen);
  });
  const itsId = textAt(node, 'spec', 'providerID');
  return wasOwn
    ? undefined
    : `it has ${itsId ? `the providerID ${itsId}` : `another UID than the nodeRef, ${uid}`}`;
}

/** Which Node each Machine had when its drain ended, unless somebody else takes the checkpoint that says so. */
function rememberDrained(witness: Witness) {
  const uids = new Map<string, string>();
  /** Of writes whose fate is open. */
  const drained = new WeakMap<Exchange, { how: string; uid: string | undefined }>();
  return {
    before(exchange: Exchange): void {
      const effect = effectOf(exchange, witness);
      const transition = effect?.kind === 'write Machine' ? transitionOf(effect) : undefined;
      const how = transition?.newlyPassed.get('drain');
      if (effect === undefined || how === undefined) return;
      const uid = how === 'done' ? nodeSeen(effect, witness) : undefined;
      drained.set(exchange, { how, uid });
    },
    after(exchange: Exchange, { code }: SeenAnswer): void {
      const written = drained.get(exchange);
      if (code >= 300 || written === undefined) return;
      const machineUid = effectOf(exchange, witness)?.actor.machineUid ?? '';
      if (written.uid !== undefined) uids.set(machineUid, written.uid);
      else if (written.how === 'done') uids.delete(machineUid);
    },
    hit(fault: string): void {
      if (!fault.startsWith('checkpoint-')) return;
      uids.clear();
    },
    another({ actor, object: node }: Effect): string | undefined {
      const own = uids.get(actor.machineUid);
      if (own === undefined || node === undefined || own === node.metadata.uid) return undefined;
      return 'another Node of this name was drained';
    },
  };
}

/** The UID of the Node that is there, unless another one was while the instance may have looked. */
function nodeSeen({ plan, actor }: Effect, witness: Witness): string | undefined {
  if (plan === undefined) return undefined;
  const { host, node: name = '' } = plan;
  const uid = witness.past.present.get(host, 'nodes', undefined, name)?.metadata.uid;
  const wasAnother = witness.wasSoLately(
    actor,
    [nodeRead(plan)],
    (view) => view.get(host, 'nodes', undefined, name)?.metadata.uid !== uid,
    knownCordonMilliseconds,
  );
  return wasAnother ? undefined : uid;
}

import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf } from '../../../infra/local/kubernetes/server/json.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isOriginal } from '../../stories/stage/apis.ts';
import { hasOurHook, isBeside } from '../scenario/beside.ts';
import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { type Fact, factOf } from './sight/fact.ts';
import { isFollowed } from './sight/followed.ts';
import { addedIn, takesFinalizer, testedIn } from './sight/json-patch.ts';
import { checkpointKey, finalizerOf, isDeleting, machineIn } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** What the one says otherwise than the other. */
const changes = (one: Fact['data'], other: Fact['data']): string =>
  Object.entries(one)
    .filter(([field, value]) => !isDeepStrictEqual(value, other[field]))
    .map(([field, value]) => `${field} ${JSON.stringify(value)}`)
    .join(', ') || 'nothing more';

const once = ['deletion.started', 'deletion.advanced', 'deletion.completed'];

export const oneIdForAFact: Invariant = {
  name: 'a fact is told under one id, and one id tells one fact',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const told = new Map<string, { text: string; data: Fact['data'] }>();
    const ids = new Map<string, string>();
    return {
      event(event) {
        const fact = factOf(event);
        if (fact === undefined || witness.isTampered(fact.uid)) return;
        const { id, kind, uid, data } = fact;
        const text = JSON.stringify(data);
        const before = told.get(id);
        if (before !== undefined && before.text !== text)
          violated(
            `${id} was told with ${changes(before.data, data)}, and is told with ${changes(data, before.data)}`,
          );
        told.set(id, { text, data });
        if (!once.includes(kind) || isFollowed(fact) || isFalseEnd(fact, witness)) return;
        const transition =
          kind === 'deletion.completed' ? `${uid} ${kind}` : `${uid} ${kind} ${String(data['seq'])}`;
        const known = ids.get(transition);
        if (known !== undefined && known !== id)
          violated(`${kind} is told as ${id}, and was told as ${known}`);
        ids.set(transition, id);
      },
    };
  },
};

/**
 * Where the API's own controllers carry on, only an event shows the end of a deletion. That fact is false while the
 * Machine exists. The true one may come later, if its hook went and came once more.
 */
function isFalseEnd({ kind, uid }: Fact, { world, past, ...witness }: Witness): boolean {
  const plan = witness.machineWithUid(uid);
  if (kind !== 'deletion.completed' || plan === undefined || !isBeside(world, plan)) return false;
  return machineIn(past.present, plan)?.metadata.uid === uid;
}

export const savedBeforeTold: Invariant = {
  name: 'what is told was saved or done before',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** By UID of the Machine: the highest seq that was saved. A fact may be late, and a checkpoint spoilt meanwhile. */
    const saved = new Map<string, number>();
    /** UIDs of Machines whose finalizer is off. */
    const ended = new Set<string>();
    const evicted = new Set<string>();
    return {
      after({ resource, verb, body }, { code }) {
        // Torn away meanwhile: there is nothing to save it on.
        if (code === 404 && takesFinalizer(body)) ended.add(testedIn(body, '/metadata/uid') ?? '');
        if (code >= 300) return;
        if (resource === 'pods/eviction')
          evicted.add(textAt(body, 'deleteOptions', 'preconditions', 'uid') ?? '');
        if (verb !== 'patch' || !resource.startsWith('machines.')) return;
        if (takesFinalizer(body)) ended.add(testedIn(body, '/metadata/uid') ?? '');
        const letGo = addedIn(body, checkpointKey);
        const text = letGo ?? textAt(body, 'metadata', 'annotations', checkpointKey);
        if (text === undefined) return;
        const stand = recordAt(JSON.parse(text));
        const uid = String(stand['uid']);
        saved.set(uid, Math.max(saved.get(uid) ?? -1, Number(stand['seq'])));
      },
      event(event) {
        const fact = factOf(event);
        if (fact === undefined) return;
        const { id, kind, uid, data } = fact;
        const isSaved = Number(data['seq']) <= (saved.get(uid) ?? -1) || ended.has(uid);
        if (kind === 'deletion.advanced' && !isSaved && !isFollowed(fact))
          violated(`${id} is told and was not saved`);
        const pod = textAt(data, 'pod', 'uid') ?? '';
        if (kind === 'pod.evicted' && !evicted.has(pod) && !isEvictedByPeer(witness, uid, pod))
          violated(`${id} is told, and no eviction of this Pod was accepted`);
        if (kind === 'deletion.completed' && isHeldStill(uid, witness))
          violated(`${id} is told, and our finalizer is still on the Machine`);
      },
    };
  },
};

/**
 * The API server marks the evictions of the API's own controllers like ours. A step may not have heard yet that our
 * hook is off. It takes such an eviction for one of a killed instance.
 */
function isEvictedByPeer(witness: Witness, machineUid: string, podUid: string): boolean {
  const { world } = witness;
  const plan = witness.machineWithUid(machineUid);
  if (plan === undefined || !isBeside(world, plan)) return false;
  const pod = world
    .cluster(plan.host)
    .list('pods')
    .find(({ metadata }) => metadata.uid === podUid);
  return pod !== undefined && isMarkedAsEvicted(pod);
}

const isMarkedAsEvicted = ({ status }: KubeObject): boolean =>
  listOf(at(status, 'conditions')).some(
    (condition) =>
      textAt(condition, 'type') === 'DisruptionTarget' &&
      textAt(condition, 'reason') === 'EvictionByEvictionAPI',
  );

/** What the API's own controllers bring to its end is told by the event alone, which may be false. */
function isHeldStill(uid: string, witness: Witness): boolean {
  const { world, past } = witness;
  const plan = witness.machineWithUid(uid);
  const machine = plan && machineIn(past.present, plan);
  if (plan === undefined || machine?.metadata.uid !== uid) return false;
  const isTheirs = !hasOurHook(machine) || standOf(machine)?.released !== undefined;
  if (isBeside(world, plan) && isTheirs) return false;
  return machine.metadata.finalizers?.includes(finalizerOf[plan.api]) === true;
}

/** The Machine that it is about. */
export const factsAreOfDeletions: Invariant = {
  name: 'facts are told of Machines that are being deleted',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      event(event) {
        const fact = factOf(event);
        if (fact === undefined) return;
        const plan = witness.machineWithUid(fact.uid);
        const living = plan && machineIn(witness.past.present, plan);
        if (living !== undefined && !isDeleting(living) && !isOriginal(living))
          violated(`${fact.id} is told of Machine ${nameOf(living)}, which lives`);
      },
    };
  },
};

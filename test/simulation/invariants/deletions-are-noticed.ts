import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { whyTheirs } from './sight/held-back.ts';
import { finalizerOf, isDeleting, keyOf, titleOf } from './sight/machine.ts';
import { watchTrouble } from './sight/trouble.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** An event comes by way of a source, the Broker and the intake. */
const noticeMilliseconds = 8_000;
const requestsOfNotice = 40;
/** What was begun about that Machine comes first, and so do calls of a provider that takes its time. */
const callsBefore = 2;

/** Otherwise the sweep of all, which finds what no event announced, would hide for ever that no source listens. */
export const deletionsAreNoticed: Invariant = {
  name: 'a Machine is looked at as soon as it is deleted, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const trouble = watchTrouble(world);
    const shortest = noticeMilliseconds + requestsOfNotice * scenario.world.latencyMilliseconds;
    const callMilliseconds = 1_000 * world.config.actuatorTimeoutSeconds;
    /** By UID of a Machine: when the provider was asked about it last, as long as it has not answered. */
    const calls = new Map<string, number>();
    const isCalled = (uid: string): boolean =>
      world.now() - (calls.get(uid) ?? -Infinity) <= callMilliseconds;
    /** Resources that sources watch. */
    const watched = new Set<string>();
    /** By key, until an instance looks at it: the time of its deletion, and the time allowed for a look. */
    const unseen = new Map<string, { uid: string; at: number; allowed: number }>();
    followDeletions(witness, (plan, machine) => {
      // Sources have to list before they watch, and send nothing about earlier objects.
      const { uid = '' } = machine.metadata;
      const allowed = shortest + (isCalled(uid) ? callsBefore * callMilliseconds : 0);
      if (watched.has(plan.resource) && whyTheirs(machine, world.config) === undefined)
        unseen.set(keyOf(plan), { uid, at: world.now(), allowed });
      else unseen.delete(keyOf(plan));
    });
    return {
      hit: trouble.hit,
      // An instance that runs on a Machine ends then, in the middle of its work.
      stoodStill: trouble.hit,
      asked({ machine: { metadata } }) {
        const { uid = '' } = metadata;
        calls.set(uid, world.now());
        for (const one of unseen.values())
          if (one.uid === uid) one.allowed = shortest + callsBefore * callMilliseconds;
      },
      providerHeard: ({ machine }) => void calls.delete(machine.metadata.uid ?? ''),
      after({ instance, verb, resource }, { code }) {
        if (verb === 'watch' && code === 200 && instance.startsWith('source')) watched.add(resource);
      },
      before({ instance, resource, namespace, name }) {
        const plan = name === undefined ? undefined : witness.machineNamed(resource, namespace, name);
        if (plan === undefined || !instance.startsWith('instance')) return;
        const { at = Infinity, allowed = 0 } = unseen.get(keyOf(plan)) ?? {};
        const late = world.now() - at;
        unseen.delete(keyOf(plan));
        if (late > allowed && !trouble.hasBeen())
          violated(`${titleOf(plan)} is looked at ${Math.round(late / 1_000)} s after it was deleted`);
      },
    };
  },
};

/** Called once for each Machine that has our finalizer when it is deleted. */
function followDeletions(witness: Witness, deleted: (plan: MachinePlan, machine: KubeObject) => void): void {
  const { world, machines } = witness;
  const told = new Set<string>();
  for (const resource of new Set(machines.map((plan) => plan.resource)))
    world.management.watch(resource, ({ object }) => {
      const { namespace = '', name, uid = '', finalizers = [] } = object.metadata;
      const plan = witness.machineNamed(resource, namespace, name);
      if (plan === undefined || !isDeleting(object) || told.has(uid)) return;
      told.add(uid);
      if (finalizers.includes(finalizerOf[plan.api])) deleted(plan, object);
    });
}

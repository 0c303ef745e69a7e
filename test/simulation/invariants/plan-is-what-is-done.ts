import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { Invariant } from './invariant.ts';
import { farGrace } from './sight/apart.ts';
import { standOf } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { isDeleting, titleOf } from './sight/machine.ts';
import { plannerOf } from './sight/planner.ts';
import type { Effect, EffectKind } from './sight/seen-effect.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** A plan, and what has been done since. */
interface Followed {
  plan: DeletionPlan;
  /** UIDs of the Pods that were there: others come later, in the place of evicted ones for instance. */
  there: ReadonlySet<string | undefined>;
  done: Effect[];
  /** A Machine had gone right before: who remembers it may take the control plane for one that is still there. */
  isAfterAnother: boolean;
}

/** `share`: in how many of all worlds plans are made. */
export const plansAreDone = (share: number): Invariant => ({
  name: 'a plan is what is then done, if nothing changes in between',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    if (!world.random.fork('plans').chance(share)) return {};
    const followed = planEach(witness);
    return {
      said: () => followed.clear(),
      hit: () => followed.clear(),
      after(exchange, { code }) {
        if (followed.size === 0 || code >= 300) return;
        const effect = effectOf(exchange, witness);
        const known = followed.get(effect?.actor.machineUid ?? '');
        if (effect === undefined || known === undefined) return;
        known.done.push(effect);
        if (effect.kind !== 'take finalizer' && effect.kind !== 'hand over') return;
        for (const what of differences(known, effect.machine, witness))
          violated(`${titleOf(known.plan.machine)}: ${what}`);
        followed.delete(effect.actor.machineUid);
      },
    };
  },
});

/** A plan costs a dozen requests. */
export const planIsWhatIsDone = plansAreDone(0.2);

/** Plans each deletion as it begins, before anybody can have done anything. */
function planEach(witness: Witness): Map<string, Followed> {
  const { world, machines } = witness;
  const followed = new Map<string, Followed>();
  const begun = new Set<string>();
  let goneAt = -Infinity;
  let clusterEndsAt = -Infinity;
  /** By UID: when members of control planes were seen to go last, or to be gone. */
  const membersEnd = new Map<string, number>();
  const isAfterMember = (own: string): boolean =>
    [...membersEnd].some(([uid, at]) => uid !== own && world.now() - at <= farGrace);
  const planner = plannerOf(world);
  const follow = async (apiVersion: string, { metadata }: KubeObject): Promise<void> => {
    const { namespace = '', name, uid = '' } = metadata;
    const plan = await planner({ apiVersion, namespace, name });
    if (plan?.machine.uid !== uid || plan.held.length > 0) return;
    // An instance may remember a Cluster or a control plane that lived a moment ago. It then does more than the plan.
    if (world.now() - clusterEndsAt <= farGrace || isAfterMember(uid)) return;
    const hosts = [...world.clusters.values()];
    const pods = hosts.flatMap(({ cluster }) => cluster.list('pods'));
    const there = new Set(pods.map((pod) => pod.metadata.uid));
    followed.set(uid, { plan, there, done: [], isAfterAnother: world.now() - goneAt <= farGrace });
  };
  for (const resource of ['clusters.cluster.x-k8s.io', 'clusters.cluster.k8s.io']) {
    world.management.watch(resource, ({ object }) => {
      if (isDeleting(object)) clusterEndsAt = world.now();
    });
  }
  for (const resource of new Set(machines.map((one) => one.resource))) {
    const apiVersion = `${resource.slice('machines.'.length)}/${world.management.versions(resource)[0]}`;
    world.management.watch(resource, ({ object, type }) => {
      const { uid = '' } = object.metadata;
      if (type === 'DELETED') goneAt = world.now();
      const isNews = type === 'DELETED' || (isDeleting(object) && !begun.has(uid));
      if (isNews && isMember(object)) membersEnd.set(uid, world.now());
      if (type === 'DELETED' || !isDeleting(object) || begun.has(uid)) return;
      begun.add(uid);
      if (standOf(object) === undefined) void follow(apiVersion, object);
    });
  }
  return followed;
}

/** In Cluster API, where nothing is drained without one that stays. */
const isMember = ({ metadata: { labels = {} } }: KubeObject): boolean =>
  labels['cluster.x-k8s.io/control-plane'] !== undefined;

const deeds: Readonly<Record<string, EffectKind>> = {
  drain: 'cordon',
  infrastructure: 'delete infrastructure',
  bootstrap: 'delete bootstrap',
  node: 'delete Node',
};

const keyOf = ({ namespace, name }: { namespace?: string | undefined; name: string }): string =>
  `${namespace}/${name}`;

/** Pods that were on their way by then are in a batch and need not be evicted any more. */
function differences(
  { plan, there, done, isAfterAnother }: Followed,
  machine: KubeObject | undefined,
  { past }: Witness,
): string[] {
  const planned = new Set(plan.batches.flatMap(({ pods }) => pods));
  const evictions = done.flatMap(({ kind, object }) => (kind === 'evict' && object ? [object.metadata] : []));
  const evicted = new Set(evictions.map(keyOf));
  const foreseeable = new Set(evictions.filter(({ uid }) => there.has(uid)).map(keyOf));
  const others = [...foreseeable].filter((pod) => !planned.has(pod));
  const isDrained = machine !== undefined && standOf(machine)?.passed.get('drain') === 'done';
  const behaviors = new Map(plan.pods.map((pod) => [keyOf(pod), pod.behavior]));
  const left = [...planned].filter((pod) => behaviors.get(pod) === 'Drain' && !evicted.has(pod));
  const running = left.filter((pod) => !wasOnItsWay(pod, done, past));
  const skipped = plan.phases.filter(
    ({ phase, does }) =>
      does === 'skip' &&
      !(phase === 'node' && isAfterAnother) &&
      done.some(({ kind }) => kind === deeds[phase]),
  );
  return [
    ...others.map((pod) => `${pod} was evicted, and that was not planned`),
    ...(isDrained ? running.map((pod) => `${pod} was not evicted, and that was planned`) : []),
    ...skipped.map(({ phase }) => `${phase} was to be skipped, and was done`),
  ];
}

/** It ended by itself. */
const wasOnItsWay = (key: string, [first]: readonly Effect[], past: Witness['past']): boolean => {
  const [namespace, name = ''] = key.split('/');
  const host = first?.plan?.host ?? '';
  for (const view of past.since(0)) {
    const pod = view.get(host, 'pods', namespace, name);
    if (pod !== undefined) return pod.metadata.deletionTimestamp !== undefined;
  }
  return false;
};

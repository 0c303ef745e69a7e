import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { machines as openShift } from '../../stories/stage/openshift.ts';
import { machines as originals } from '../../stories/stage/v1alpha1.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { effectOf } from './sight/effect.ts';
import { finalizerOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Said of a server that could not be removed, or perhaps had to be, after some tries. */
const givenUp = [
  'An instance may be left of a Machine that is gone',
  'It is not known whether a Machine is gone whose instance was created',
];

export const noServerIsLeft: Invariant = {
  name: 'no server is left of a Machine that is gone',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const gone = watchEnds(world);
    /** Those that had a server made, by its Machine's UID. */
    const makers = new Map<string, string[]>();
    const letGo = new Set<string>();
    const madeLate = new Set<string>();
    let isGivenUp = false;

    const isThere = (name: string): boolean => world.instances().some((instance) => instance.name === name);
    /** A server is excused if somebody took our finalizer off by hand, or if the instance that made it died. */
    const isExcused = (uid: string): boolean =>
      isGivenUp ||
      (gone.get(uid) === 'with our finalizer' && !letGo.has(uid) && !madeLate.has(uid)) ||
      (makers.get(uid) ?? []).some((name) => !isThere(name));

    return {
      asked({ instance, operation, machine: { metadata } }) {
        const { uid = '' } = metadata;
        if (operation === 'create') makers.set(uid, [...(makers.get(uid) ?? []), instance]);
      },
      provider({ operation, machine: { metadata } }, answer) {
        const { uid = '' } = metadata;
        if (operation === 'create' && answer?.kind === 'done' && gone.has(uid)) madeLate.add(uid);
      },
      after(exchange, { code }) {
        const effect = code < 300 ? effectOf(exchange, witness) : undefined;
        if (effect?.kind === 'take finalizer') letGo.add(effect.actor.machineUid);
      },
      logged(_instance, _level, message) {
        isGivenUp ||= givenUp.includes(message);
      },
      ...atTheEnd(world, () => {
        for (const { machine } of world.cloud.servers())
          if (gone.has(machine.uid) && !isExcused(machine.uid))
            violated(`the server of Machine ${machine.namespace}/${machine.name}, ${machine.uid}, is there`);
      }),
    };
  },
};

type End = 'with our finalizer' | 'without it';

const ours: readonly string[] = Object.values(finalizerOf);

/** How Machines whose servers a provider keeps were right before they were gone, by UID. */
function watchEnds({ management }: World): ReadonlyMap<string, End> {
  const [last, gone] = [new Map<string, End>(), new Map<string, End>()];
  const note = ({ metadata: { uid = '', finalizers = [] } }: KubeObject): void => {
    const isHeld = finalizers.some((finalizer) => ours.includes(finalizer));
    last.set(uid, isHeld ? 'with our finalizer' : 'without it');
  };
  for (const resource of [openShift, originals]) {
    for (const machine of management.list(resource)) note(machine);
    management.watch(resource, ({ type, object }) => {
      const { uid = '' } = object.metadata;
      if (type === 'DELETED') gone.set(uid, last.get(uid) ?? 'without it');
      else note(object);
    });
  }
  return gone;
}

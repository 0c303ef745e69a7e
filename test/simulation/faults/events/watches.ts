import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { SimulatedWatch } from '../../wire/watch.ts';
import type { World } from '../../world.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { atMoments } from '../moments.ts';

interface WatchFault {
  name: string;
  about: string;
  /** What becomes of a watch: `goes silent`. */
  becomes: string;
  /** Every watch unless given. */
  fits?: (watch: SimulatedWatch, world: World) => boolean;
  does: (watch: SimulatedWatch, setting: FaultSetting) => void;
  /** What happens beside, before the first of them. */
  first?: (setting: FaultSetting) => void;
}

/** Something that happens to watches in mid-life, those of the sources and those that instances keep to be woken. */
const watchFault = ({ name, about, becomes, fits = () => true, does, first }: WatchFault): Fault => ({
  name,
  about,
  strike(setting) {
    const { world, random } = setting;
    const share = random.oneOf([0.3, 1]);
    atMoments(setting, 6, () => {
      const struck = random.some(watchesOf(world), share).filter((watch) => fits(watch, world));
      if (struck.length > 0) first?.(setting);
      for (const watch of struck) {
        const { resource, host, instance } = watch.exchange;
        world.say('the API', `a watch of ${resource} in ${host} ${becomes}`);
        world.hit(name, instance);
        does(watch, setting);
      }
    });
    return undefined;
  },
});

/** All that are open. */
export const watchesOf = ({ wires }: World): SimulatedWatch[] =>
  [...wires.values()].flatMap((wire) => wire.watches());

/** Objects that the watch is about and that are still there. */
function watched(world: World, { exchange }: SimulatedWatch): KubeObject[] {
  const { host, resource, namespace, query } = exchange;
  const { fieldSelector, labelSelector } = query;
  return world.cluster(host).list(resource, {
    ...(namespace !== '' && { namespace }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(labelSelector !== undefined && { labelSelector }),
  });
}

/** Watches that do not do what they are for. */
export const watches: readonly Fault[] = [
  watchFault({
    name: 'watch-silent',
    about: 'A watch goes silent: nothing comes any more, and it does not end.',
    becomes: 'goes silent',
    does: (watch) => watch.silence(),
  }),
  watchFault({
    name: 'watch-cut',
    about: 'The connection of a watch ends.',
    becomes: 'is cut',
    does: (watch) => watch.cut(),
  }),
  watchFault({
    name: 'watch-expired',
    about: 'The API forgets what has changed: watches end by 410, and who had them must list again.',
    becomes: 'ends by 410',
    does: (watch) => watch.expire(),
    first: ({ world }) => {
      for (const { server } of world.clusters.values()) server.compact();
    },
  }),
  watchFault({
    name: 'false-delete-in-watch',
    about: 'A watch tells that an object is gone which is still there, as when it leaves a selector.',
    becomes: 'tells of the end of something that is there',
    fits: (watch, world) => watched(world, watch).length > 0,
    does(watch, { world, random }) {
      const object = random.oneOf(watched(world, watch));
      watch.claim(`${JSON.stringify({ type: 'DELETED', object })}\n`);
    },
  }),
];

import type { Invariant } from './invariant.ts';

/** Whatever names a version, and be it 0, may be answered from a cache that is behind: what it lacks would pass for gone. */
export const readsAreOfNow: Invariant = {
  name: 'what is read is asked for as it is now, and not as a cache has it',
  watch: (_world, _scenario, violated) => ({
    leaves({ instance, verb, resource, query: { resourceVersion } }) {
      if (!instance.startsWith('instance') || (verb !== 'get' && verb !== 'list')) return;
      if (resourceVersion !== undefined)
        violated(`${instance} asks to ${verb} ${resource} as of version ${resourceVersion}`);
    },
  }),
};

import type { Invariant } from './invariant.ts';

/** A read with a version, even 0, may come from a stale cache. What that lacks would pass for gone. */
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

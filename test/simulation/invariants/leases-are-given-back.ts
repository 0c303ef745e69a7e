import { management } from '../platform/clusters.ts';
import { ownLease } from '../platform/hook-watchdog.ts';
import type { Invariant } from './invariant.ts';
import { watchTrouble } from './sight/trouble.ts';

/** Longer than a cordon takes with all that is asked for it, and much shorter than a Lease lasts. */
const longestMilliseconds = 10_000;

const leases = 'leases.coordination.k8s.io';

interface Taken {
  name: string;
  at: number;
}

/** Others must not have to wait until it expires. Where something went wrong they may have to, for safety. */
export const leasesAreGivenBack: Invariant = {
  name: 'a Lease is given back as soon as what it is for is done',
  watch(world, _scenario, violated) {
    const held = new Map<string, Taken>();
    const trouble = watchTrouble(world, () => held.clear());
    for (const [host, { cluster }] of world.clusters)
      cluster.watch(leases, ({ type, object: { metadata } }) => {
        const { uid = '', namespace, name } = metadata;
        const where = host === management ? '' : ` of ${host}`;
        if (type === 'DELETED') held.delete(uid);
        else if (type === 'ADDED' && name !== ownLease.name && trouble.isOver())
          held.set(uid, { name: `${namespace}/${name}${where}`, at: world.now() });
      });
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      before() {
        for (const [uid, { name, at }] of held) {
          const milliseconds = world.now() - at;
          if (milliseconds < longestMilliseconds) continue;
          held.delete(uid);
          violated(`Lease ${name} is still held after ${Math.round(milliseconds / 1_000)} s`);
        }
      },
    };
  },
};

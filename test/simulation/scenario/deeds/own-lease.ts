import type { Fault } from '../../faults/fault.ts';
import { leases, ownLease } from '../../platform/hook-watchdog.ts';
import { buildOwnLease } from '../build/own-lease.ts';
import type { Deed } from '../model.ts';
import { deed, later } from './deed.ts';

/** For longer than the hook watchdog waits, with the time between two of its looks. */
export const longMilliseconds = 37 * 60_000;

/** What goes wrong then, by the name of its switch. */
const struck = 'all-instances-gone';

/** The hook watchdog takes our hooks off meanwhile. */
export const goneForLong = (at: number): Deed => ({
  at,
  run(world) {
    world.say('the instances', 'are all gone, for more than half an hour');
    world.hit(struck);
    for (const instance of world.instances()) world.kill(instance);
    const back = world.meddlers.keepInstancesAway();
    world.scheduler.after(longMilliseconds, () => {
      world.hit(struck);
      back();
    });
  },
});

/** The hook watchdog takes that for the end of the installation, which is in the midst of its deletions. */
export const ownLeaseRemoved: Fault = deed({
  name: 'own-lease-removed',
  about: 'Somebody deletes the Lease that says that phaseout lives, and makes it again later.',
  most: 1,
  run(setting) {
    const { world, random } = setting;
    if (world.management.get(leases, ownLease.namespace, ownLease.name) === undefined) return undefined;
    world.management.remove(leases, { metadata: ownLease });
    later(setting, random.between(1, 60_000), () => buildOwnLease(world));
    return 'deletes the Lease of phaseout';
  },
});

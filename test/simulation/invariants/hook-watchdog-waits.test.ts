import { leases, ownLease } from '../platform/hook-watchdog.ts';
import { buildOwnLease } from '../scenario/build/own-lease.ts';
import { beside, register } from './asked-beside.ts';
import { testsOf } from './cases.ts';
import { deadManWaits } from './hook-watchdog-waits.ts';
import type { Stage } from './stage.ts';

const instance = 'dead-man-1';

/** It reads the Lease, and takes the hook off so much later. */
async function takesOff(stage: Stage, { name = 'm1', laterBy = 0 } = {}): Promise<void> {
  stage.ask({ instance, verb: 'get', resource: leases, ...ownLease });
  await stage.pass(laterBy);
  stage.ask({ ...register(name), instance, body: [] });
}

const renew = ({ world: { management } }: Stage): void =>
  void management.patch(leases, { metadata: ownLease }, { spec: { holderIdentity: 'instance-1' } });

async function leaveAlone(stage: Stage, minutes: number): Promise<void> {
  buildOwnLease(stage.world);
  beside(stage);
  await stage.pass(minutes * 60_000);
}

testsOf([
  {
    about: 'nobody has renewed the Lease for half an hour',
    invariant: deadManWaits,
    before: (stage) => leaveAlone(stage, 31),
    act: (stage) => takesOff(stage),
  },
  {
    about: 'the Lease is a minute younger than that',
    invariant: deadManWaits,
    before: (stage) => leaveAlone(stage, 29),
    act: (stage) => takesOff(stage),
    cries: 'dead-man-1 takes our hook off Machine fleet/m1: the Lease was fresh when it looked',
  },
  {
    about: 'the Lease was renewed in time',
    invariant: deadManWaits,
    async before(stage) {
      await leaveAlone(stage, 31);
      renew(stage);
      await stage.pass();
    },
    act: (stage) => takesOff(stage),
    cries: 'dead-man-1 takes our hook off Machine fleet/m1: the Lease was fresh when it looked',
  },
  {
    about: 'there is no Lease',
    invariant: deadManWaits,
    before: (stage) => beside(stage),
    act: (stage) => takesOff(stage),
  },
  {
    about: 'the Machine lives',
    invariant: deadManWaits,
    async before(stage) {
      beside(stage);
      const annotations = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': 'phaseout.dev' };
      const key = { namespace: 'fleet', name: 'm2' };
      stage.world.management.patch(
        'machines.cluster.x-k8s.io',
        { metadata: key },
        { metadata: { annotations } },
      );
      await stage.pass();
    },
    act: (stage) => takesOff(stage, { name: 'm2' }),
    cries: 'dead-man-1 takes our hook off Machine fleet/m2: it lives',
  },
]);

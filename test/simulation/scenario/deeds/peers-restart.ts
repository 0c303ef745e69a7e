import type { Fault } from '../../faults/fault.ts';
import { management } from '../../platform/clusters.ts';
import { deed, later } from './deed.ts';

/** They begin again, without what they had begun. */
export const peersRestart: Fault = deed({
  name: 'peers-restart',
  about: "OpenShift's own two controllers stop, and begin again later.",
  who: 'OpenShift',
  run(setting) {
    const { world, random } = setting;
    const peers = world.clusters.get(management)?.peers;
    if (peers?.stop() !== true) return undefined;
    later(setting, random.between(1, random.oneOf([1_000, 60_000])), () => {
      world.say('OpenShift', 'has its own two controllers run again');
      peers.start();
    });
    return 'stops its own two controllers';
  },
});

import { management } from '../../platform/clusters.ts';
import { watchesOf } from '../events/watches.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { atMoments } from '../moments.ts';

interface Outage {
  name: string;
  host: string;
  milliseconds: number;
}

/** A host does not answer: connections are refused or lead nowhere. Open watches end or fall silent. */
function cutOff({ world, random }: FaultSetting, { name, host, milliseconds }: Outage): void {
  const [isSilent, keepsWatches] = [random.chance(0.4), random.chance(0.5)];
  const howLong = `for ${milliseconds / 1_000} s${isSilent ? ': requests to it are not answered' : ''}`;
  world.say('the network', `${host} cannot be reached ${howLong}`);
  world.hit(name);
  for (const watch of watchesOf(world).filter(({ exchange }) => exchange.host === host))
    if (keepsWatches) watch.silence();
    else watch.cut();
  const restore = world.meddlers.onRequest((exchange) => {
    if (exchange.host !== host) return undefined;
    world.hit(name, exchange.instance);
    return isSilent ? { silent: 'before' } : 'refused';
  });
  world.scheduler.after(milliseconds, restore);
}

const workloadsOf = ({ world }: FaultSetting): string[] =>
  [...world.clusters.keys()].filter((host) => host !== management);

/** Now and then, each time for so long at most. */
const forAWhile = (setting: FaultSetting, name: string, host: string, maxMilliseconds: number): void =>
  atMoments(setting, 3, () => {
    cutOff(setting, { name, host, milliseconds: setting.random.between(1_000, maxMilliseconds) });
  });

const workloadUnreachable: Fault = {
  name: 'workload-unreachable',
  about: 'The API of a workload cluster cannot be reached for a while.',
  strike(setting) {
    const hosts = workloadsOf(setting);
    if (hosts.length > 0) forAWhile(setting, this.name, setting.random.oneOf(hosts), 90_000);
    return undefined;
  },
};

const workloadUnreachableForGood: Fault = {
  name: 'workload-unreachable-for-good',
  about: 'The API of a workload cluster cannot be reached from some time on, until the calm.',
  strike(setting) {
    const { random, lasts } = setting;
    const hosts = workloadsOf(setting);
    if (hosts.length === 0) return undefined;
    const host = random.oneOf(hosts);
    atMoments(setting, 1, () => cutOff(setting, { name: this.name, host, milliseconds: lasts }));
    return undefined;
  },
};

const managementUnreachable: Fault = {
  name: 'management-unreachable',
  about: 'The API that has the Machines cannot be reached for a while.',
  strike(setting) {
    forAWhile(setting, this.name, management, 30_000);
    return undefined;
  },
};

/** API servers that are not there. */
export const outages: readonly Fault[] = [
  workloadUnreachable,
  workloadUnreachableForGood,
  managementUnreachable,
];

import type { Fault, FaultSetting } from '../../faults/fault.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { putsOurHookOn } from '../beside.ts';
import { isGoing } from '../blockers/case.ts';
import type { MachinePlan } from '../model.ts';
import { nameOf } from './deed.ts';

const switchName = 'machine-deleted-as-registered';

/** A hook that comes late would stop the API's own controllers somewhere in its deletion. */
export const deletedAsRegistered: Fault = {
  name: switchName,
  about: 'A worker is deleted right before our hook arrives, or a moment after.',
  often: 0.4,
  strike(setting) {
    const { world, random, scenario, lasts } = setting;
    const calm = world.now() + lasts;
    let left = random.between(1, 3);
    world.meddlers.onRequest((exchange) => {
      const plan = isRegistration(exchange) ? scenario.machines.find(isMeant(exchange)) : undefined;
      if (plan === undefined || left === 0 || random.chance(0.5)) return undefined;
      left -= 1;
      const after = random.chance(0.7) ? 0 : Math.min(random.between(1, 100), calm - 1 - world.now());
      if (after === 0) deleteWorker(setting, plan);
      else world.scheduler.after(after, () => deleteWorker(setting, plan));
      return undefined;
    });
    return undefined;
  },
};

const isRegistration = ({ verb, body }: Exchange): boolean => verb === 'patch' && putsOurHookOn(body);

const roleLabel = 'machine.openshift.io/cluster-api-machine-role';

const isMeant =
  ({ resource, namespace, name }: Exchange) =>
  (plan: MachinePlan): boolean =>
    plan.resource === resource && plan.namespace === namespace && plan.name === name;

function deleteWorker({ world }: FaultSetting, { resource, namespace, name }: MachinePlan): void {
  const machine = world.management.get(resource, namespace, name);
  if (machine === undefined || isGoing(machine)) return;
  const { labels = {} } = machine.metadata;
  if ('cluster.x-k8s.io/control-plane' in labels || labels[roleLabel] === 'master') return;
  world.management.remove(resource, machine);
  world.say('a user', `deletes the Machine ${nameOf(machine)} as our hook is put on it`);
  world.hit(switchName);
}

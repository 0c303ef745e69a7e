import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { conditionIn, conditionsOf } from '../../../stories/stage/told-machine.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { hasOurHook } from '../beside.ts';
import { isGoing } from '../blockers/case.ts';
import { isOf, nameOf, stillThere, type Target } from './deed.ts';
import { putPod } from './webhooks.ts';

const switchName = 'changed-at-hand-over';

/** For longer than anybody takes a look at a Node at its word. */
const longMilliseconds = 12_000;

/**
 * Phaseout announces the end of its hook, then takes it off, in two or three writes. OpenShift goes on with the second.
 */
export const changedAtHandOver: Fault = {
  name: switchName,
  about: 'A Machine of OpenShift, or its Node, changes right as phaseout says that its hook is to go.',
  often: 0.6,
  strike(setting) {
    const { world, random, scenario, lasts } = setting;
    const last = world.now() + lasts - longMilliseconds;
    const machines = scenario.machines.filter(({ api }) => api === 'openshift');
    for (const plan of random.some(machines, 0.8)) {
      const stop = world.management.watch(plan.resource, ({ type, object }) => {
        if (type === 'DELETED' || !isOf(plan, object) || !isHandingOver(object)) return;
        stop();
        if (world.now() >= last) return;
        world.hit(switchName);
        const course = random.oneOf(courses);
        // Where no Pod is left its own controller looks once more.
        (isSaid(object) ? course : moved)(setting, { plan, machine: object });
      });
    }
    return undefined;
  },
};

const isHandingOver = (machine: KubeObject): boolean =>
  isGoing(machine) && hasOurHook(machine) && drainingOf(machine, 'reason') === 'HandingOver';

const drainingOf = (machine: KubeObject, field: 'reason' | 'message'): string =>
  textAt(conditionIn(conditionsOf(machine), 'phaseout.dev/Draining'), field);

/** Phaseout marks the drain as done for OpenShift. */
const isSaid = (machine: KubeObject): boolean =>
  drainingOf(machine, 'message').includes('not repeated: drain');

type Course = (setting: FaultSetting, target: Target) => void;

/** What is read before each write is of another version then. */
const moved: Course = (setting, target) => {
  const { world } = setting;
  const ask = (authoritativeAPI: string): void => {
    const found = stillThere(setting, target);
    if (found === undefined) return;
    world.management.patch(target.plan.resource, found, { spec: { authoritativeAPI } });
    world.say('an operator', `asks for ${authoritativeAPI} to rule the Machine ${nameOf(found)}`);
  };
  world.scheduler.after(0, () => {
    const found = stillThere(setting, target);
    if (found !== undefined)
      world.management.patch(
        target.plan.resource,
        found,
        { status: { authoritativeAPI: 'MachineAPI' } },
        'status',
      );
    ask('ClusterAPI');
  });
  world.scheduler.after(longMilliseconds, () => ask('MachineAPI'));
};

const slow =
  (change: (setting: FaultSetting, place: { host: string; node: string }) => void): Course =>
  (setting, { plan: { resource, namespace, name, host, node } }) => {
    const { world } = setting;
    if (node === undefined) return;
    world.say('the API', `is about to take its time for the status of ${namespace}/${name}`);
    let isSlow = true;
    const slowed = `answer to patch ${resource}/status ${namespace}/${name} of`;
    const stop = world.meddlers.onStep(({ label }) => {
      if (!isSlow || !label.startsWith(slowed)) return undefined;
      isSlow = false;
      stop();
      world.scheduler.after(1, () => change(setting, { host, node }));
      return longMilliseconds;
    });
  };

const needed = slow(({ world }, { host, node }) => putPod(world, host, node));

const uncordoned = slow(({ world }, { host, node }) => {
  const cluster = world.cluster(host);
  const found = cluster.get('nodes', undefined, node);
  if (found === undefined) return;
  cluster.patch('nodes', found, { spec: { unschedulable: null } });
  world.say('a user', `uncordons the Node ${node} of ${host}`);
});

const courses: readonly Course[] = [moved, needed, uncordoned];

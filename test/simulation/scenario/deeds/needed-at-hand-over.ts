import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { hasOurHook } from '../beside.ts';
import { isAt, isGoing } from '../blockers/case.ts';
import { timeoutsV1beta1, timeoutsV1beta2 } from '../build/capi-machine.ts';
import { buildPod } from '../build/workloads.ts';
import { aPod } from '../draw/draft.ts';
import type { MachinePlan } from '../model.ts';
import { isOf, nameOf, stillThere, type Target } from './deed.ts';
import { putPod } from './webhooks.ts';

const switchName = 'needed-at-hand-over';
const paused = 'cluster.x-k8s.io/paused';

/** For longer than anybody takes a drain, or a look at a Node, at its word. */
const longMilliseconds = 12_000;

/** The instance that takes the hook off must look at the Node again, right before. */
export const neededAtHandOver: Fault = {
  name: switchName,
  about: 'The Node of a drained Machine is needed again right before our hook goes.',
  often: 0.7,
  strike(setting) {
    const { world, random, scenario, lasts } = setting;
    const last = world.now() + lasts - longMilliseconds;
    const machines = scenario.machines.filter(({ api }) => api === 'capi');
    for (const plan of random.some(machines, 0.8)) {
      const stop = world.management.watch(plan.resource, ({ type, object }) => {
        if (type === 'DELETED' || !isOf(plan, object) || !isReady(object)) return;
        stop();
        const course = courses[random.oneOf(['at once', 'paused', 'paused', 'slow', 'slow'] as const)];
        if (world.now() < last)
          world.scheduler.after(0, () => need(setting, { plan, machine: object }, course));
      });
    }
    return undefined;
  },
};

const isReady = (machine: KubeObject): boolean =>
  isGoing(machine) && isAt(machine, 'hand-over') && hasOurHook(machine);

type Course = (setting: FaultSetting, target: Target) => void;

const courses = {
  'at once'(setting, { plan }) {
    usePod(setting, plan);
    if (setting.random.chance(0.5)) leaveCompleted(setting, plan);
  },
  /** No instance looks during a pause. After it, the Machine gets more time than it had. */
  paused(setting, target) {
    const { world, random } = setting;
    change(setting, target, { metadata: { annotations: { [paused]: '' } } });
    world.say('a user', `pauses the Machine ${nameOf(target.machine)}`);
    usePod(setting, target.plan);
    if (random.chance(0.5)) leaveCompleted(setting, target.plan);
    if (random.chance(0.7)) giveTime(setting, target);
    world.scheduler.after(longMilliseconds, () => {
      if (change(setting, target, { metadata: { annotations: { [paused]: null } } }))
        world.say('a user', `lets the Machine ${nameOf(target.machine)} go on`);
    });
  },
  /** Between the look and what follows from it. */
  slow(setting, target) {
    const { world } = setting;
    const { resource, namespace, name } = target.plan;
    leaveCompleted(setting, target.plan);
    let isSlow = true;
    const stop = world.meddlers.onStep(({ label }) => {
      if (!isSlow || !label.startsWith(`patch ${resource}/status ${namespace}/${name} of`)) return undefined;
      isSlow = false;
      stop();
      world.say('the API', `takes its time for the status of ${namespace}/${name}`);
      world.scheduler.after(1, () => usePod(setting, target.plan));
      return longMilliseconds;
    });
  },
} satisfies Record<string, Course>;

function need(setting: FaultSetting, target: Target, course: Course): void {
  const found = stillThere(setting, target);
  if (found === undefined || !isReady(found) || paused in (found.metadata.annotations ?? {})) return;
  setting.world.hit(switchName);
  course(setting, target);
}

function usePod({ world }: FaultSetting, { host, node }: MachinePlan): void {
  if (node !== undefined) putPod(world, host, node);
}

/** Cluster API's own controller would wait for it. */
function leaveCompleted({ world }: FaultSetting, { host, node }: MachinePlan): void {
  const cluster = world.cluster(host);
  const namespace = cluster.get('namespaces', undefined, 'shop');
  const name = `${node}-completed`;
  if (node === undefined || cluster.get('nodes', undefined, node) === undefined) return;
  if (namespace === undefined || isGoing(namespace) || cluster.get('pods', 'shop', name) !== undefined)
    return;
  const labels = { 'cluster.x-k8s.io/drain': 'wait-completed' };
  buildPod(world, aPod({ host, node }, { name, labels, state: 'Succeeded' }));
  world.say('a Job', `has left the Pod shop/${name} on ${node} of ${host}`);
}

function giveTime(setting: FaultSetting, target: Target): void {
  const timeouts = { drain: 300, volumes: 300 };
  const isNew = textAt(target.machine, 'apiVersion').endsWith('v1beta2');
  const spec = isNew ? { deletion: timeoutsV1beta2(timeouts) } : timeoutsV1beta1(timeouts);
  if (change(setting, target, { spec }))
    setting.world.say('a user', `gives the Machine ${nameOf(target.machine)} five minutes`);
}

/** Answers with whether it is there. */
function change(setting: FaultSetting, target: Target, patch: object): boolean {
  const found = stillThere(setting, target);
  if (found === undefined) return false;
  setting.world.management.patch(target.plan.resource, found, patch);
  return true;
}

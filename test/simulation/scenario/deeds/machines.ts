import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import type { Fault } from '../../faults/fault.ts';
import { annotationsOf, isGoing } from '../blockers/case.ts';
import { hooksOn } from '../blockers/hooks.ts';
import { timeoutsV1beta1, timeoutsV1beta2 } from '../build/capi-machine.ts';
import { hookName } from '../draw/hooks.ts';
import { aMachineOf, type DeedSetting, deed, later, nameOf, oneOf, type Target } from './deed.ts';
import { listPatch, takeHookOff, withoutHook } from './hooks.ts';
import { giveAway, handOver, pause } from './pauses.ts';

const points = ['pre-drain', 'pre-terminate'] as const;

/** OpenShift's webhook takes none once the Machine is being deleted. */
const takesHooks = ({ plan, machine }: Target): boolean =>
  plan.api === 'capi' || (plan.api === 'openshift' && !isGoing(machine));

function addHook(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const target = aMachineOf(setting, takesHooks);
  if (target === undefined) return undefined;
  const { plan, machine } = target;
  const point = random.oneOf(points);
  const owner = random.oneOf(['somebody/slow', 'somebody/slow', 'somebody/slow', 'nobody/left-the-company']);
  const name = hookName(plan.api, point, `late-${random.between(1, 1_000_000)}`);
  const known = hooksOn(machine, plan, point);
  const patch =
    plan.api === 'capi'
      ? { metadata: { annotations: { [name]: owner } } }
      : listPatch(point, [...known, { name, owner }]);
  world.management.patch(plan.resource, machine, patch);
  if (owner === 'somebody/slow')
    later(setting, random.between(500, 15_000), () => takeHookOff(world, plan, { point, name, owner }));
  return `puts the ${point} hook ${name} on the Machine ${nameOf(machine)}`;
}

function removeHook(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const target = aMachineOf(setting, ({ plan, machine }) =>
    points.some((point) => hooksOn(machine, plan, point).length > 0),
  );
  if (target === undefined) return undefined;
  const { plan, machine } = target;
  const point = random.oneOf(points.filter((each) => hooksOn(machine, plan, each).length > 0));
  const hooks = hooksOn(machine, plan, point);
  const { name } = random.oneOf(hooks);
  world.management.patch(plan.resource, machine, withoutHook(plan, point, name, hooks));
  return `takes the ${point} hook ${name} off the Machine ${nameOf(machine)}`;
}

const isOfCapi = ({ plan }: Target): boolean => plan.api === 'capi';

function changeTimeouts(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const target = aMachineOf(setting, isOfCapi);
  if (target === undefined) return undefined;
  const seconds = random.oneOf([0, 5, 20, 60, 100]);
  const which = random.oneOf(['drain', 'volumes', 'node'] as const);
  const timeouts = { [which]: seconds };
  const isNew = textAt(target.machine, 'apiVersion').endsWith('v1beta2');
  const spec = isNew ? { deletion: timeoutsV1beta2(timeouts) } : timeoutsV1beta1(timeouts);
  world.management.patch(target.plan.resource, target.machine, { spec });
  return `gives the Machine ${nameOf(target.machine)} a timeout: ${JSON.stringify(spec)}`;
}

const exclusions = {
  capi: [
    'machine.cluster.x-k8s.io/exclude-node-draining',
    'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
  ],
  openshift: ['machine.openshift.io/exclude-node-draining'],
  v1alpha1: [],
} as const;

function changeExclusion(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const target = aMachineOf(setting, ({ plan }) => plan.api !== 'v1alpha1');
  const key = target && oneOf(random, exclusions[target.plan.api]);
  if (target === undefined || key === undefined) return undefined;
  // That it is there counts, whatever it says. A fork leaves all other chance as it is.
  const said = random.fork('what an exclusion says').oneOf(['', 'false']);
  const value = key in annotationsOf(target.machine) ? null : said;
  world.management.patch(target.plan.resource, target.machine, {
    metadata: { annotations: { [key]: value } },
  });
  const what = value === null ? `takes ${key} off` : `puts ${value === '' ? key : `${key}=${value}`} on`;
  return `${what} the Machine ${nameOf(target.machine)}`;
}

/** What users change of Machines that are being deleted, or will be. */
export const machineDeeds: readonly Fault[] = [
  deed({
    name: 'hooks-added',
    about: 'Hooks are put on Machines, also late.',
    who: 'the owner of a hook',
    run: addHook,
  }),
  deed({
    name: 'hooks-removed',
    about: 'Hooks are taken off Machines.',
    who: 'the owner of a hook',
    run: removeHook,
  }),
  deed({ name: 'timeouts-changed', about: 'Timeouts of Machines change.', most: 3, run: changeTimeouts }),
  deed({
    name: 'exclusions-changed',
    about: 'The drain or the wait for volumes is excluded, or not any more.',
    run: changeExclusion,
  }),
  deed({
    name: 'machine-paused',
    about: 'Machines are paused, and most of them go on later.',
    run: (setting) => pause(setting),
  }),
  deed({
    name: 'machine-handed-over',
    about: 'Machines of OpenShift are ruled by another API, most of them for a while.',
    run: handOver,
  }),
  deed({
    name: 'machine-given-away',
    about: 'The watch-filter label of Machines of Cluster API changes, of most of them for a while.',
    run: giveAway,
  }),
  deed({
    name: 'machine-labels-changed',
    about: 'Labels of Machines change, and with them which rules are for them.',
    run(setting) {
      const target = aMachineOf(setting);
      if (target === undefined) return undefined;
      const labels = { pool: setting.random.oneOf(['a', 'b', null]) };
      setting.world.management.patch(target.plan.resource, target.machine, { metadata: { labels } });
      return `labels the Machine ${nameOf(target.machine)} ${JSON.stringify(labels)}`;
    },
  }),
];

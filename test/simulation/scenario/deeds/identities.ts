import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { deletedForMove } from '../beside.ts';
import { annotationsOf, isGoing, ownFinalizers } from '../blockers/case.ts';
import { createWithStatus } from '../build/create.ts';
import type { MachinePlan } from '../model.ts';
import { aMachineOf, anew, deed, isOf, nameOf } from './deed.ts';

const checkpoint = 'phaseout.dev/checkpoint';

/** A Machine is made again as soon as it is gone; some from a backup that has our checkpoint too. */
const recreated: Fault = {
  name: 'machine-recreated',
  about: 'A Machine that is gone is made again under the same name, with or without its old checkpoint.',
  strike(setting) {
    const { world, scenario, random, lasts } = setting;
    const last = world.now() + lasts - 1;
    for (const plan of random.some(scenario.machines, 0.5)) {
      const stop = world.management.watch(plan.resource, ({ type, object }) => {
        if (type !== 'DELETED' || !isOf(plan, object)) return;
        stop();
        const delay = random.between(0, 3_000);
        if (world.now() + delay < last) world.scheduler.after(delay, () => makeAgain(setting, plan, object));
      });
    }
    return undefined;
  },
};

function makeAgain({ world, random }: FaultSetting, plan: MachinePlan, object: KubeObject): void {
  if (world.management.get(plan.resource, plan.namespace, plan.name) !== undefined) return;
  const machine = fromBackup(plan, object, random.chance(0.4));
  const created = createWithStatus(world.management, plan.resource, machine);
  // A Machine that never had a server gets none. For one of v1alpha1 we make a new one.
  const isServed = textAt(created, 'spec', 'providerID') !== '' && plan.api !== 'capi';
  if (isServed && (plan.api === 'openshift' || random.chance(0.5))) world.cloud.adopt(created);
  world.say('a user', `makes the Machine ${nameOf(created)} again`);
  world.hit('machine-recreated');
}

/** The controller of living Machines puts its finalizer on. What is moved is marked only where it goes. */
function fromBackup({ api }: MachinePlan, object: KubeObject, withCheckpoint: boolean): KubeObject {
  const fresh = anew(object);
  const { [checkpoint]: old, [deletedForMove]: _mark, ...others } = annotationsOf(fresh);
  const annotations = withCheckpoint && old !== undefined ? { ...others, [checkpoint]: old } : others;
  return { ...fresh, metadata: { ...fresh.metadata, annotations, finalizers: [ownFinalizers[api]] } };
}

type Corruption = (text: string) => string | null;
const corruptions: readonly Corruption[] = [
  () => null,
  () => '',
  () => 'now',
  () => '[]',
  (text) => text.slice(0, text.length / 2),
  (text) => text.replace(/"phase":"[^"]*"/, '"phase":"lunch"'),
  (text) => text.replace(/"uid":"[^"]*"/, '"uid":"another"'),
  (text) => text.replace(/"since":"[^"]*"/, '"since":"yesterday"'),
  (text) => text.replace(/"seq":\d+/, '"seq":-1'),
];

function corrupt(setting: FaultSetting): string | undefined {
  const { world, random } = setting;
  const target = aMachineOf(setting, ({ machine }) => checkpoint in annotationsOf(machine));
  const text = target && annotationsOf(target.machine)[checkpoint];
  if (target === undefined || text === undefined) return undefined;
  const value = random.oneOf(corruptions)(text);
  world.management.patch(target.plan.resource, target.machine, {
    metadata: { annotations: { [checkpoint]: value } },
  });
  if (value === null) return `takes the checkpoint off the Machine ${nameOf(target.machine)}`;
  return `writes ${JSON.stringify(value)} over the checkpoint of the Machine ${nameOf(target.machine)}`;
}

const groups = ['infrastructure', 'bootstrap'] as const;

/** An object that a Machine of Cluster API refers to. */
function aReferredOf(setting: FaultSetting): { resource: string; object: KubeObject } | undefined {
  const { world, random } = setting;
  const resource = resources[random.oneOf(groups)];
  const find = ({ plan }: { plan: { namespace: string; name: string } }): KubeObject | undefined =>
    world.management.get(resource, plan.namespace, plan.name);
  const target = aMachineOf(setting, (one) => one.plan.api === 'capi' && find(one) !== undefined);
  const object = target && find(target);
  return object === undefined ? undefined : { resource, object };
}

/** Objects that go and come, or are not what they were. */
export const identityDeeds: readonly Fault[] = [
  recreated,
  deed({
    name: 'machine-deleted-again',
    about: 'A Machine that is being deleted is deleted again, and others with it.',
    most: 3,
    run(setting) {
      const target = aMachineOf(setting);
      if (target === undefined) return undefined;
      setting.world.management.remove(target.plan.resource, target.machine);
      return `deletes the Machine ${nameOf(target.machine)}`;
    },
  }),
  deed({
    name: 'checkpoint-corrupted',
    about: 'Somebody writes over a checkpoint by hand, or takes it off.',
    run: corrupt,
  }),
  deed({
    name: 'infrastructure-held',
    about: 'Infrastructure or a bootstrap object has a finalizer of somebody who never takes it off.',
    who: 'a controller',
    most: 1,
    run(setting) {
      const found = aReferredOf(setting);
      if (found === undefined || isGoing(found.object)) return undefined;
      const finalizers = [...(found.object.metadata.finalizers ?? []), 'network.example/address'];
      setting.world.management.patch(found.resource, found.object, { metadata: { finalizers } });
      return `puts its finalizer on ${found.resource} ${nameOf(found.object)}`;
    },
  }),
  deed({
    name: 'infrastructure-deleted',
    about: 'Infrastructure or a bootstrap object is deleted by hand.',
    run(setting) {
      const found = aReferredOf(setting);
      if (found === undefined || isGoing(found.object)) return undefined;
      setting.world.management.remove(found.resource, found.object);
      return `deletes ${found.resource} ${nameOf(found.object)}`;
    },
  }),
  deed({
    name: 'infrastructure-recreated',
    about: 'Infrastructure or a bootstrap object is torn away and made again under the same name.',
    most: 1,
    run(setting) {
      const { management } = setting.world;
      const found = aReferredOf(setting);
      if (found === undefined) return undefined;
      const { resource, object } = found;
      management.patch(resource, object, { metadata: { finalizers: null } });
      if (management.get(resource, object.metadata.namespace, object.metadata.name) !== undefined)
        management.remove(resource, object);
      createWithStatus(management, resource, anew(object));
      return `tears ${resource} ${nameOf(object)} away and makes it again`;
    },
  }),
];

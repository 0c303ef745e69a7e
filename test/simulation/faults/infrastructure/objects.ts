import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { World } from '../../world.ts';
import type { Fault, FaultSetting } from '../fault.ts';

const finalizer = 'provider.example.com/teardown';
const groups = ['.infrastructure.cluster.x-k8s.io', '.bootstrap.cluster.x-k8s.io'];

interface Kept {
  resource: string;
  object: KubeObject;
}

/** The objects that providers of Cluster API keep for Machines. */
function providersObjects({ management }: World): Kept[] {
  return management
    .resources()
    .filter((resource) => groups.some((group) => resource.endsWith(group)))
    .toSorted()
    .flatMap((resource) => management.list(resource).map((object) => ({ resource, object })));
}

/** As it is now, if it is still the same. */
function current({ management }: World, { resource, object: { metadata } }: Kept): KubeObject | undefined {
  const found = management.get(resource, metadata.namespace, metadata.name);
  return found?.metadata.uid === metadata.uid ? found : undefined;
}

function setFinalizers(world: World, kept: Kept, change: (before: string[]) => string[]): void {
  const object = current(world, kept);
  if (object === undefined) return;
  const finalizers = change(object.metadata.finalizers ?? []);
  world.management.patch(kept.resource, object, { metadata: { finalizers } });
}

const letGo = (world: World, kept: Kept): void =>
  setFinalizers(world, kept, (before) => before.filter((each) => each !== finalizer));

/** It is asked to go: from now on the fault holds it. */
const isWaitedFor = (world: World, kept: Kept): boolean =>
  current(world, kept)?.metadata.deletionTimestamp !== undefined;

interface Slow {
  name: string;
  about: string;
  /** For how long it holds each of them once it is asked to go; undefined until the calm. */
  holds: (setting: FaultSetting) => number | undefined;
}

/** Some objects have a finalizer more, which goes late. */
const slow = ({ name, about, holds }: Slow): Fault => ({
  name,
  about,
  strike(setting) {
    const { world, random } = setting;
    const held = random.some(providersObjects(world), 0.5);
    const mend: (() => void)[] = [];
    for (const kept of held) {
      setFinalizers(world, kept, (before) => [...before, finalizer]);
      const stop = world.management.watch(kept.resource, () => {
        if (!isWaitedFor(world, kept)) return;
        stop();
        world.say('the provider', `takes its time over ${kept.resource} ${kept.object.metadata.name}`);
        world.hit(name);
        const milliseconds = holds(setting);
        if (milliseconds !== undefined) world.scheduler.after(milliseconds, () => letGo(world, kept));
      });
      mend.push(stop, () => letGo(world, kept));
    }
    return () => mend.forEach((each) => each());
  },
});

const failing: Fault = {
  name: 'infrastructure-fails',
  about: 'Objects of providers say in their status that their end has failed.',
  strike({ world, random, lasts }) {
    for (const kept of random.some(providersObjects(world), 0.5)) {
      world.scheduler.after(random.between(0, lasts - 1), () => {
        const object = current(world, kept);
        if (object === undefined) return;
        world.management.patch(kept.resource, object, { status: { ready: false, ...failure } }, 'status');
        world.say('the provider', `says that ${kept.resource} ${object.metadata.name} has failed`);
        world.hit(this.name);
      });
    }
    return undefined;
  },
};

const failure = { failureReason: 'DeleteError', failureMessage: 'the cloud has a bad day' };

/** Objects of providers of Cluster API that do not go as they should. */
export const objects: readonly Fault[] = [
  slow({
    name: 'infrastructure-slow',
    about: 'The objects of providers go only some time after they were asked to.',
    holds: ({ random }) => random.between(1_000, 120_000),
  }),
  slow({
    name: 'infrastructure-stays',
    about: 'The objects of providers do not go before somebody looks after them.',
    holds: () => undefined,
  }),
  failing,
];

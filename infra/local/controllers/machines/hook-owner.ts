import { conditionOf, isTerminating, isTrue, uidOf } from '../machinery/objects.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import type { Hook, Machine } from './apis.ts';

/** The value of a hook annotation, or the owner of a hook, that says that it is this example's. */
const hookOwner = 'local-hook-owner';

/** How a Machine API keeps its hooks. */
interface HookStyle {
  resource: string;
  /** The patch that takes away this example's hooks that the Machine waits for; undefined when there are none. */
  removal: (machine: Machine) => object | undefined;
}

/**
 * An example owner of a deletion hook. When the Machine waits for the hook, it does its work (here: a pause) and
 * removes it.
 */
export function hookOwners(world: World): void {
  for (const style of [clusterApiHooks, openShiftHooks]) ownHooks(world, style);
}

function ownHooks(world: World, { resource, removal }: HookStyle): void {
  const machines = world.informer<Machine>(resource);
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue(`hook-owner ${resource}`, (key) => {
    const machine = machines.get(key);
    if (machine === undefined) return;
    const patch = isTerminating(machine) ? removal(machine) : undefined;
    if (patch === undefined) return stopwatch.forget(uidOf(machine));
    const due = stopwatch.due(uidOf(machine), world.settings.hookSeconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    stopwatch.forget(uidOf(machine));
    world.patch(resource, machine, patch);
  });
  machines.follow(queue, (uid) => stopwatch.forget(uid));
}

const prefixes: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  WaitingForPreTerminateHook: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
};

/** Cluster API: annotations, and a condition that says which of them the Machine waits for. */
const clusterApiHooks: HookStyle = {
  resource: 'machines.cluster.x-k8s.io',
  removal({ metadata, status }) {
    const prefix = prefixes[conditionOf(status?.conditions, 'Deleting')?.reason ?? ''];
    const awaited = Object.entries(metadata.annotations ?? {}).filter(
      ([key, value]) => prefix !== undefined && key.startsWith(prefix) && value === hookOwner,
    );
    if (awaited.length === 0) return undefined;
    return { metadata: { annotations: Object.fromEntries(awaited.map(([key]) => [key, null])) } };
  },
};

/** OpenShift: lists in the Machine's spec. What comes before the drain is waited for from the start. */
const openShiftHooks: HookStyle = {
  resource: 'machines.machine.openshift.io',
  removal({ metadata, spec, status }) {
    const isDrained = isTrue(status?.conditions, 'Drained');
    const { preDrain = [], preTerminate = [] } = spec?.lifecycleHooks ?? {};
    const lists = {
      ...(preDrain.some(isOurs) && { preDrain: withoutOurs(preDrain) }),
      ...(isDrained && preTerminate.some(isOurs) && { preTerminate: withoutOurs(preTerminate) }),
    };
    if (Object.keys(lists).length === 0) return undefined;
    const { resourceVersion } = metadata;
    return { metadata: { resourceVersion }, spec: { lifecycleHooks: lists } };
  },
};

const isOurs = ({ owner }: Hook): boolean => owner === hookOwner;

/** Whole lists are patched; an empty one is taken away. */
function withoutOurs(hooks: readonly Hook[]): Hook[] | null {
  const left = hooks.filter((hook) => !isOurs(hook));
  return left.length > 0 ? left : null;
}

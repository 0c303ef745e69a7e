import { conditionOf } from './conditions.ts';
import { isTerminating, type Machine, uidOf } from './objects.ts';
import { Stopwatch } from './stopwatch.ts';
import type { World } from './world.ts';

const resource = 'machines.cluster.x-k8s.io';

/** The value by which a hook annotation says that it is this example's. */
const hookOwner = 'local-hook-owner';

const prefixes: Readonly<Record<string, string>> = {
  WaitingForPreDrainHook: 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  WaitingForPreTerminateHook: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
};

/**
 * An example of what owns a deletion hook: when the Machine says that it waits for the hook, it does its work (here: a
 * pause) and removes the annotation.
 */
export function hookOwners(world: World): void {
  const machines = world.informer<Machine>(resource);
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue('hook-owner', (key) => {
    const machine = machines.get(key);
    if (machine === undefined) return;
    const awaited = awaitedHooks(machine);
    const [first] = awaited;
    if (first === undefined) return stopwatch.forget(uidOf(machine));
    const due = stopwatch.due(uidOf(machine), world.settings.hookSeconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    stopwatch.forget(uidOf(machine));
    const annotations = Object.fromEntries(awaited.map((hook) => [hook, null]));
    world.patch(resource, machine, { metadata: { annotations } });
  });
  machines.onChange(({ key, before, after }) => {
    if (after !== undefined) queue.add(key);
    else if (before !== undefined) stopwatch.forget(uidOf(before));
  });
}

function awaitedHooks(machine: Machine): string[] {
  const deleting = conditionOf(machine.status?.conditions, 'Deleting');
  const prefix = prefixes[deleting?.reason ?? ''];
  if (!isTerminating(machine) || prefix === undefined) return [];
  return Object.entries(machine.metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(prefix) && value === hookOwner)
    .map(([key]) => key);
}

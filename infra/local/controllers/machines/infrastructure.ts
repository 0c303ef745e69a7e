import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import type { Informer } from '../machinery/informer.ts';
import { isTerminating, secondsFrom, uidOf } from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';

/** Put on infrastructure and bootstrap objects whose end takes time: this provider removes it when they are gone. */
export const providerFinalizer = 'machine.infrastructure.local.phaseout.dev';

const groups = ['.infrastructure.cluster.x-k8s.io', '.bootstrap.cluster.x-k8s.io'];

/**
 * Takes down infrastructure and bootstrap objects of any kind, as a provider does. It lets go of them after a while.
 */
export function infrastructure(world: World): void {
  world.informers.each((informer) => {
    if (groups.some((group) => informer.resource.endsWith(group))) provide(world, informer);
  });
}

function provide(world: World, informer: Informer<KubeObject>): void {
  const stopwatch = new Stopwatch(world.clock);
  const queue = world.queue(informer.resource, (key) => {
    const object = informer.get(key);
    if (object === undefined || !isHeld(object)) return;
    if (object.metadata.annotations?.[annotations.neverStops] === 'true') return;
    const seconds = secondsFrom(object, annotations.stopSeconds) ?? world.settings.infrastructureSeconds;
    const due = stopwatch.due(uidOf(object), seconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    world.dropFinalizer(informer.resource, object, providerFinalizer);
  });
  informer.follow(queue, (uid) => stopwatch.forget(uid));
}

function isHeld(object: KubeObject): boolean {
  return isTerminating(object) && (object.metadata.finalizers ?? []).includes(providerFinalizer);
}

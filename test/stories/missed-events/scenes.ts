import { isDeepStrictEqual } from 'node:util';
import type { Fleet } from '../stage/fleet.ts';
import { resources } from '../stage/fleet.ts';
import type { Knative } from './knative.ts';

export const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
export const paused = 'cluster.x-k8s.io/paused';

/** Seconds until the slow tick of serverless.yml, and what a deletion that it finds takes by itself. */
export const untilFound = 180 + 15;
/** Seconds until the look that every wait has saved, the next quick tick, and what is left of the deletion. */
export const untilLookedAt = 20 + 5 + 15;

export const minutes = 60;

export function aWorker(fleet: Fleet): void {
  workers(fleet, 1);
}

export function aWorkerWithAHook(fleet: Fleet): void {
  workers(fleet, 1);
  fleet.change(resources.machines, 'worker-1', { metadata: { annotations: { [hook]: '' } } });
}

/** Each with two Pods, which take their time to stop. */
export function workers(fleet: Fleet, count: number): void {
  fleet.cluster();
  for (let number = 1; number <= count; number += 1) {
    fleet.worker(`worker-${number}`);
    fleet.pods(`web-${number}`, 2, `node-${number}`, { stopSeconds: 10 });
  }
}

/** Once the sources run, worker-1 is deleted; resolves when its deletion is so many seconds old. */
export async function deletionBegins(fleet: Fleet, seconds: number): Promise<void> {
  await fleet.seconds(5);
  fleet.delete('worker-1');
  await fleet.seconds(seconds);
}

/** It happens while the adapter is down, and when that starts again it does not send what happened before. */
export async function unheard(
  fleet: Fleet,
  { adapters }: Pick<Knative, 'adapters'>,
  happen: () => void,
): Promise<void> {
  adapters.stop();
  happen();
  await fleet.seconds(1);
  adapters.start();
}

/** Throws when it is not so in time. */
async function within(fleet: Fleet, seconds: number, what: string, isSo: () => boolean): Promise<void> {
  const start = fleet.clock.now();
  await fleet.until(what, isSo);
  const took = (fleet.clock.now() - start) / 1_000;
  if (took > seconds) throw new Error(`${what}: only after ${took} s\n${fleet.told.text()}`);
}

export const goneWithin = (fleet: Fleet, seconds: number, ...names: string[]): Promise<void> =>
  within(fleet, seconds, `${names.join(', ')} gone`, () =>
    names.every((name) => fleet.machine(name) === undefined),
  );

/** In the midst of a story; throws when it is otherwise. */
export function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

/** What our instances did to the cluster, leaving the Machine itself and what is only said out of it. */
export const effectsOf = ({ requests }: Fleet): string[] =>
  requests
    .filter(({ verb, resource, code }) => isEffect(verb, resource) && code < 300)
    .map(({ verb, resource }) => `${verb} ${resource}`);

const isEffect = (verb: string, resource: string): boolean =>
  ['create', 'patch', 'delete'].includes(verb) && !/^(machines\.|events)/.test(resource);

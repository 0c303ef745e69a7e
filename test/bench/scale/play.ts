import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { constants } from './constants.ts';
import { buildFleet, machinesResource, namespace, workerName } from './fleet.ts';
import type { Setting } from './setting.ts';
import { ScaleWorld } from './world.ts';

/** A world in which a fleet was deleted. Who has it ends it. */
export interface Played {
  setting: Setting;
  world: ScaleWorld;
  /** By the simulation's clock, from the first Machine's deletion on. */
  seconds: number;
  /** From its deletionTimestamp on, of each Machine that is gone. */
  deletionSeconds: readonly number[];
}

/** For sources and controllers to see what there is. */
const sceneMilliseconds = 3_000;
/** No run takes longer. */
const longestMilliseconds = 3_600_000;

/** Deletes all workers of a fleet at once, and ends when all are gone, or when `isEnough`. */
export async function play(
  setting: Setting,
  isEnough: (world: ScaleWorld) => boolean = () => false,
): Promise<Played> {
  const world = new ScaleWorld(setting);
  const { scheduler, management, tally } = world;
  buildFleet(management.server, { ...setting, isHeld: setting.mode === 'beside' });
  await scheduler.run(scheduler.now() + sceneMilliseconds);
  world.begin();
  await scheduler.run(scheduler.now() + sceneMilliseconds);
  const deletionSeconds: number[] = [];
  world.watch(machinesResource, ({ type, object }) => {
    if (type === 'DELETED') deletionSeconds.push((scheduler.now() - deletedAt(object)) / 1_000);
  });
  const begun = scheduler.now();
  count(world, true);
  for (let index = 0; index < setting.machines; index += 1) void remove(world, workerName(index));
  const areGone = (): boolean => deletionSeconds.length >= setting.machines;
  await scheduler.run(begun + longestMilliseconds, () => areGone() || isEnough(world));
  const seconds = (scheduler.now() - begun) / 1_000;
  tally.isCounting = false;
  if (world.peer !== undefined && areGone())
    await scheduler.run(scheduler.now() + constants.peer.countedAfter);
  count(world, false);
  return { setting, world, seconds, deletionSeconds };
}

function count({ tally, peer }: ScaleWorld, isCounting: boolean): void {
  tally.isCounting = isCounting;
  if (peer !== undefined) peer.tally.isCounting = isCounting;
}

/** As fast as the API server takes it. */
async function remove({ cores, server, management: { cluster } }: ScaleWorld, name: string): Promise<void> {
  await cores.run(server.worker, constants.apiServer.cpu.delete);
  const machine = cluster.get(machinesResource, namespace, name);
  if (machine !== undefined) cluster.remove(machinesResource, machine);
}

const deletedAt = ({ metadata: { deletionTimestamp = '' } }: KubeObject): number =>
  Date.parse(deletionTimestamp);

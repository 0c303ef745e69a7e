import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { constants } from './constants.ts';
import { buildFleet, machinesResource, namespace, workerName } from './fleet.ts';
import type { Setting } from './setting.ts';
import { ScaleWorld } from './world.ts';

/** What a run came to. */
export interface Played {
  setting: Setting;
  /** By the clock of the simulation, from the first Machine's deletion on. */
  seconds: number;
  /** From its deletionTimestamp to its end, of each Machine. */
  deletionSeconds: number[];
  /** Undefined where not all Machines were gone in time. */
  left: number;
  world: ScaleWorld;
}

/** For sources and controllers to see what there is. */
const sceneMilliseconds = 3_000;
/** No run takes longer. */
const longestMilliseconds = 3_600_000;

/** Deletes all workers of a fleet at once. */
export async function play(setting: Setting): Promise<Played> {
  const world = new ScaleWorld(setting);
  const { scheduler, management, tally } = world;
  const { cluster, server } = management;
  buildFleet(server, { ...setting, isHeld: setting.mode === 'beside' });
  await scheduler.run(scheduler.now() + sceneMilliseconds);
  world.begin(setting.instances);
  await scheduler.run(scheduler.now() + sceneMilliseconds);
  const deletionSeconds: number[] = [];
  cluster.watch(machinesResource, ({ type, object }) => {
    if (type === 'DELETED') deletionSeconds.push((scheduler.now() - deletedAt(object)) / 1_000);
  });
  const begun = scheduler.now();
  tally.isCounting = true;
  deleteAll(world, setting.machines);
  const isOver = (): boolean => deletionSeconds.length >= setting.machines;
  await scheduler.run(begun + longestMilliseconds, isOver);
  const seconds = (scheduler.now() - begun) / 1_000;
  tally.isCounting = false;
  return { setting, seconds, deletionSeconds, left: setting.machines - deletionSeconds.length, world };
}

/** At once, as fast as the API server takes them. */
function deleteAll({ cores, server, management: { cluster } }: ScaleWorld, machines: number): void {
  for (let index = 0; index < machines; index += 1)
    void cores.run(server.worker, constants.apiServer.cpu.delete).then(() => {
      const machine = cluster.get(machinesResource, namespace, workerName(index));
      if (machine !== undefined) cluster.remove(machinesResource, machine);
    });
}

const deletedAt = ({ metadata: { deletionTimestamp = '' } }: KubeObject): number => Date.parse(deletionTimestamp);

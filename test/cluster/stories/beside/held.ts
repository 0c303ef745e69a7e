import { hookOf } from '../../../../shared/dialects/beside/hook.ts';
import type { Scene } from '../../scene.ts';
import { afterOurs } from '../../settings.ts';
import { pause } from '../../until.ts';
import type { WorkerWishes } from '../capi-machine.ts';
import { machines, makeWorker } from '../objects.ts';

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';

/** Of somebody who goes before phaseout. */
export const beforeOurs = `${preDrain}/a-test-before`;

/** Of somebody who goes after phaseout: the peer waits for it, and phaseout does not. */
export const peerHeld = { [`${preDrain}/${afterOurs}`]: 'a-test' };
export const peerFree = { [`${preDrain}/${afterOurs}`]: null };

/** The hook of this run. */
export const hookIn = ({ run }: Scene): string => hookOf(run);

export async function isHeld(scene: Scene, name: string): Promise<boolean> {
  const machine = await scene.get(machines, name);
  return machine?.metadata.annotations?.[hookIn(scene)] !== undefined;
}

/** A worker with our hook, which it gets as it lives. */
export async function makeHeld(scene: Scene, name: string, wishes: WorkerWishes = {}): Promise<void> {
  await makeWorker(scene, name, wishes);
  await scene.until(`our hook on ${name}`, async () => (await isHeld(scene, name)) || undefined);
}

/** Longer than it takes until a Machine is looked at again. */
const quietMilliseconds = 7_000;

/** Throws when one of these comes to pass though it has to wait for somebody. */
export async function staysSo(scene: Scene, ...texts: string[]): Promise<void> {
  await pause(quietMilliseconds, scene.site.clock, scene.site.interrupted);
  const seen = texts.filter((text) => scene.chronicle.saw(text));
  if (seen.length > 0) throw new Error(`${seen.join(', ')}\n${scene.chronicle.text()}`);
}

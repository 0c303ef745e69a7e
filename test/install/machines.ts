import { hookOf } from '../../shared/dialects/beside/hook.ts';
import { stopAnnotation } from '../cluster/play/kubelet.ts';
import type { Scene } from '../cluster/scene.ts';
import { machines, makeCluster, makePod, makeWorker, podsRun } from '../cluster/stories/objects.ts';
import type { Stage } from './stage.ts';

export const worker = 'worker-1';

interface WorkerWishes {
  /** Quick ones, beside one that is slow. */
  pods?: number;
  /** How long the slow one takes to stop; without it there is none. */
  slowMilliseconds?: number;
  /** It gets no hook, as phaseout only watches. */
  isUnhooked?: boolean;
}

const podNames = ({ pods = 3, slowMilliseconds }: WorkerWishes): string[] => [
  ...Array.from({ length: pods }, (_, i) => `web-${i + 1}`),
  ...(slowMilliseconds === undefined ? [] : ['slow']),
];

/** A Cluster with one worker and its Pods, which has our hook where the mode asks for it. */
export async function populate(stage: Stage, scene: Scene, wishes: WorkerWishes = {}): Promise<void> {
  await makeCluster(scene);
  await makeWorker(scene, worker);
  for (const name of podNames(wishes)) {
    const isSlow = name === 'slow';
    const annotations = isSlow ? { [stopAnnotation]: String(wishes.slowMilliseconds) } : {};
    await makePod(scene, name, { on: worker, annotations });
  }
  await podsRun(scene, ...podNames(wishes));
  if (stage.mode === 'beside' && wishes.isUnhooked !== true) await untilHooked(scene);
}

export const untilHooked = (scene: Scene): Promise<true> =>
  scene.until('our hook on the worker', async () => (await isHooked(scene)) || undefined);

export async function isHooked(scene: Scene): Promise<boolean> {
  const machine = await scene.get(machines, worker);
  return machine?.metadata.annotations?.[hookOf('')] !== undefined;
}

/** Asks the worker to go. */
export async function begin(scene: Scene): Promise<void> {
  await scene.follow();
  await scene.remove(machines, worker);
}

/** Waits for its end, and throws if a Pod was still there when its server was asked to go. */
export async function finish(scene: Scene, wishes: WorkerWishes = {}): Promise<string> {
  await scene.untilGone(machines, worker);
  await scene.untilSeen(`Machine ${worker} gone`);
  const { chronicle } = scene;
  for (const name of podNames(wishes))
    chronicle.inOrder(
      `Machine ${worker} asked to go`,
      `Node ${worker} cordoned`,
      `Pod ${name} asked to go`,
      `Pod ${name} gone`,
      `server ${worker} asked to go`,
      `Machine ${worker} gone`,
    );
  chronicle.inOrder(`server ${worker} gone`, `Node ${worker} gone`, `Machine ${worker} gone`);
  const asked = `Machine ${worker} asked to go`;
  const [first] = podNames(wishes)
    .map((name) => chronicle.secondsBetween(asked, `Pod ${name} asked to go`))
    .toSorted((a, b) => a - b);
  const all = chronicle.secondsBetween(asked, `Machine ${worker} gone`);
  return `first eviction after ${(first ?? 0).toFixed(1)} s, gone after ${all.toFixed(1)} s`;
}

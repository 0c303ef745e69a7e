import { afterEach } from 'vitest';
import type { ClusterStage } from '../stories/stage/cluster-stage.ts';

let open: ClusterStage | undefined;

/** A sweep finds what no event announces, a minute after phaseout has come. */
const untilFound = 60;

/** Closes the stage of each case, however it ends. */
export const closesStages = (): void => {
  afterEach(() => {
    open?.end();
    open = undefined;
  });
};

/**
 * Starts phaseout in the middle of a deletion that others have begun, without a checkpoint of its own. Answers what it
 * does and reports within so many seconds, in order. Its own checkpoints are left out.
 */
export async function tookOver<F extends ClusterStage>(
  fleet: F,
  scene: (fleet: F) => void,
  seconds = 0,
): Promise<string[]> {
  open = fleet;
  scene(fleet);
  await fleet.seconds(3);
  fleet.begin();
  await fleet.seconds(untilFound + seconds);
  if (fleet.problems.length > 0) throw new Error(fleet.problems.join('\n'));
  return fleet.told
    .text()
    .split(/\n(?=\s*\d+\.\d{3} {2})/)
    .map((line) => line.trim().replace(/^\d+\.\d{3} {2}/, ''))
    .filter((line) => line !== '' && !/^\S+: phase /.test(line));
}

/** What was written of the Machine itself or of anything else, checkpoints included. */
export const writesOf = ({ requests }: ClusterStage): string[] =>
  requests
    .filter(({ verb }) => ['create', 'patch', 'delete'].includes(verb))
    .map(({ verb, path }) => `${verb} ${path}`);

import type { Clock } from '../../../shared/time/clock.ts';
import type { LocalApi } from '../apis/local-api.ts';
import { startControllers } from '../controllers/index.ts';
import type { Cloud } from '../provider/cloud.ts';
import { HurriedClock } from './fast-clock.ts';

const longestMilliseconds = 30_000;
/** What follows a Pod's start, such as the next one of a StatefulSet, comes sooner than this. */
const quietMilliseconds = 700;
const lookMilliseconds = 100;

/**
 * Lets the controllers bring up what the manifests ask for, on a clock of their own that takes no time. When this
 * resolves, all Pods that can run do, and no controller is left. `cloud`: where the servers of the Machines are.
 */
export async function bringUp(
  { apiServer, unknownOwners }: Pick<LocalApi, 'apiServer' | 'unknownOwners'>,
  clock: Clock,
  cloud?: Cloud,
): Promise<void> {
  const hurried = new HurriedClock(clock.now());
  // Nothing that was loaded is out of order for longer just because time is hurried here.
  const except = ['health-checks'] as const;
  const stopControllers = startControllers(apiServer.cluster, hurried, { unknownOwners, cloud, except });
  let changedAt = hurried.now();
  const stopWatch = apiServer.cluster.watch('pods', () => {
    changedAt = hurried.now();
  });
  // Its time goes from timer to timer, and the next thing to happen may be far beyond the quiet.
  const look = (): void => void hurried.after(lookMilliseconds, look);
  look();
  const isQuiet = (): boolean => hurried.now() - changedAt >= quietMilliseconds;
  await hurried.passUntil(hurried.now() + longestMilliseconds, isQuiet);
  stopWatch();
  stopControllers();
}

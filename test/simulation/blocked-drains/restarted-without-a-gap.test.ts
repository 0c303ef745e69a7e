import { expect, test } from 'vitest';
import type { Stage } from '../invariants/stage.ts';
import { setReady } from '../scenario/build/power.ts';
import { deployments, rollouts } from './deployments.ts';
import { openRestartStage, podOf, restart } from './restart-stage.ts';
import { restartedWithoutAGap } from './restarted-without-a-gap.ts';

const goes = (stage: Stage): void => stage.world.cluster('blue').remove('pods', podOf(stage));

const cry = '0 of the 1 Pods of rollouts/web of blue are available in its rollout';

test.each<[name: string, plot: (stage: Stage) => void, cries: string[]]>([
  ['nothing is missing after a restart', (stage) => restart(stage, 'one'), []],
  [
    'a Pod goes before its successor is there',
    (stage) => {
      restart(stage, 'one');
      goes(stage);
    },
    [cry],
  ],
  ['a Pod goes without a restart', goes, []],
  [
    'somebody takes it, and says so',
    (stage) => {
      restart(stage, 'one');
      stage.world.say('a user', 'deletes the Pod rollouts/web-first-1 of blue');
      goes(stage);
    },
    [],
  ],
  [
    'its Node is not heard of any more',
    (stage) => {
      restart(stage, 'one');
      setReady(stage.world, 'blue', 'node-1', 'Unknown');
      goes(stage);
    },
    [],
  ],
  [
    'somebody else changes the Deployment in mid-rollout',
    (stage) => {
      restart(stage, 'one');
      const metadata = { namespace: rollouts, name: 'web' };
      stage.world.cluster('blue').patch(deployments, { metadata }, { spec: { paused: true } });
      goes(stage);
    },
    [],
  ],
])('%s', async (_name, plot, cries) => {
  const stage = await openRestartStage(restartedWithoutAGap);
  plot(stage);
  await stage.pass(100);
  expect(stage.cries.slice(0, 1)).toEqual(cries);
});

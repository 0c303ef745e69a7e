import { expect, test } from 'vitest';
import type { BlockedAction } from '../../../shared/blocked/entry.ts';
import { onlyWhatIsGranted } from './only-what-is-granted.ts';
import { asked, openRestartStage } from './restart-stage.ts';

const words = (what: string, action: BlockedAction): string =>
  `instance-1 asks ${what} without the grant ${action}`;

const restartWords = [
  words('get deployments.apps rollouts/web', 'RolloutRestart'),
  words('get persistentvolumeclaims rollouts/web', 'RolloutRestart'),
  words('patch deployments.apps rollouts/web', 'RolloutRestart'),
];
const deleteWords = [words('delete pods rollouts/web', 'Delete')];

test.each<[granted: BlockedAction[], cries: string[]]>([
  [['RolloutRestart', 'Delete'], []],
  [['Delete'], restartWords],
  [['RolloutRestart'], deleteWords],
  [[], [...restartWords, ...deleteWords]],
])('where %j are granted, the others are not asked', async (granted, cries) => {
  const stage = await openRestartStage(onlyWhatIsGranted);
  stage.world.config = { ...stage.world.config, actions: new Set(granted) };
  stage.ask(asked('get', 'deployments.apps', 'web'));
  stage.ask(asked('get', 'persistentvolumeclaims', 'web'));
  stage.ask(asked('patch', 'deployments.apps', 'web'));
  stage.ask(asked('delete', 'pods', 'web'));
  expect(stage.cries).toEqual(cries);
});

import { expect, test } from 'vitest';
import { openRestartStage, restart } from './restart-stage.ts';
import { restartedOnce } from './restarted-once.ts';

test.each([
  ['a Deployment is restarted for a Machine', [['one', 200]], []],
  [
    'it is restarted for another one too',
    [
      ['one', 200],
      ['two', 200],
    ],
    [],
  ],
  [
    'the server has refused the first of two',
    [
      ['one', 409],
      ['one', 200],
    ],
    [],
  ],
  [
    'it is restarted twice for one',
    [
      ['one', 200],
      ['two', 200],
      ['one', 200],
    ],
    ['instance-1 restarts rollouts/web of blue once more for the Machine one'],
  ],
] as const)('%s', async (_name, restarts, cries) => {
  const stage = await openRestartStage(restartedOnce);
  for (const [machine, code] of restarts) restart(stage, machine, code);
  expect(stage.cries).toEqual(cries);
});

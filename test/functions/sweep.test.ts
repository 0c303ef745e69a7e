import { expect, test } from 'vitest';
import { sweep } from '../../functions/sweep.ts';
import { countedMetrics } from '../builders/observed.ts';
import { aWorld } from '../builders/world.ts';

test.each<[which: 'due' | 'all', told: string[]]>([
  ['due', []],
  ['all', ['m-1']],
])('a sweep of what is %s asks again for that alone', async (which, told) => {
  const { env } = aWorld();
  const commands = await sweep(env, which);
  expect(commands.map(({ machine }) => machine.name)).toEqual(told);
});

test.each(['due', 'all'] as const)('a sweep of what is %s is counted as such', async (which) => {
  const { env } = aWorld();
  const { metrics, counted } = countedMetrics();
  await sweep({ ...env, metrics }, which);
  expect(counted).toContain(`sweeps sweep=${which} outcome=done`);
});

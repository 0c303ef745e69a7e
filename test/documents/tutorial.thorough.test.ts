import { expect, test } from 'vitest';
import { playTutorial } from './play-tutorial.ts';
import { typed } from './tutorial.ts';

test('the tutorial works with the example fleet, line by line', async () => {
  const answers = await playTutorial(typed.filter((line) => !/^(?:npm ci|export )/.test(line)));
  expect(answers.map(({ name, code }) => [name, code])).toEqual([
    ['status', 0],
    ['hooks', 0],
    ['plan', 0],
    ['explain', 0],
    ['status', 0],
    ['explain', expect.toBeOneOf([0, 4])],
    ['history', 0],
    ['hooks', 0],
    ['status', 0],
    ['release', 0],
    ['release', 0],
    ['hooks', 0],
  ]);
  const told = answers.map(({ text }) => text);
  expect(told[0]).toContain('no Machine is being deleted');
  expect(told[2]).toContain('Deleting Machine fleet/worker-2\n');
  expect(told[4]).toContain('fleet/worker-3');
  expect(told[6]).toContain('Machine fleet/worker-3 of cluster.x-k8s.io');
  expect(told[7]).toMatch(/fleet\/worker-2 +pre-drain +phaseout +phaseout\.dev/);
  expect(told[11]).not.toContain('phaseout.dev');
});

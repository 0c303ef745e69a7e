import { expect, test } from 'vitest';
import type { Authority } from '../stage/beside/two-apis-fleet.ts';
import { type Conditions, firstFailure, seeded } from '../stage/conditions.ts';
import { besideBoth } from '../stage/story.ts';

const apis = ['MachineAPI', 'ClusterAPI'] as const;

/** A deletion during which the authority moves, while much goes wrong: what happens, and when, follows from the seed. */
async function astray(seed: number): Promise<unknown> {
  const random = seeded(seed);
  const isSo = (chance: number): boolean => random() < chance;
  const within = (seconds: number): number => Math.floor(random() * seconds * 1_000) / 1_000;
  const one = (): Authority => apis[Math.floor(random() * 2)] ?? 'MachineAPI';
  const conditions: Conditions = {
    seed,
    instances: 1 + Math.floor(random() * 3),
    latencyMilliseconds: [2, 20, 200][Math.floor(random() * 3)] ?? 0,
    delayMilliseconds: within(6) * 1_000,
    ...(isSo(0.2) && { losesEvents: true }),
    ...(isSo(0.2) && { restarts: true }),
    ...(isSo(0.1) && { storeIsDown: true }),
  };
  let rules = one();
  const played = await besideBoth.play(
    {
      scene(fleet) {
        fleet.cluster();
        fleet.copies('worker-1', rules, { isNew: isSo(0.2) });
        for (let number = 0; number < Math.floor(random() * 5); number += 1)
          fleet.pod(`web-${number}`, 'node-1', { grace: 200, stopSeconds: within(150) });
      },
      async plot(fleet) {
        if (isSo(0.5)) await fleet.seconds(within(100));
        fleet.deleteIn(one(), 'worker-1');
        for (let moves = Math.floor(random() * 4); moves > 0; moves -= 1) {
          await fleet.seconds(within(40));
          rules = rules === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI';
          fleet.moves('worker-1', rules);
          await fleet.seconds(within(60));
          fleet.moved('worker-1', rules);
          if (isSo(0.3)) fleet.killOne(random);
        }
        await fleet.gone('worker-1');
      },
    },
    conditions,
  );
  return played.text;
}

test('wherever the authority moves, each deletion ends, and the copy without it is left alone', async () => {
  expect(await firstFailure(astray)).toBeUndefined();
}, 600_000);

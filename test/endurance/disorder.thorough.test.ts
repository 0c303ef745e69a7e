import { expect, test } from 'vitest';
import { disorder } from '../stories/missed-events/disorder.ts';
import { endWith, playMissed } from '../stories/missed-events/missed.ts';
import { goneWithin, hook, untilFound } from '../stories/missed-events/scenes.ts';
import { seeded } from '../stories/stage/conditions.ts';
import { type Fleet, resources } from '../stories/stage/fleet.ts';

const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
const going = numbers.map((number) => `worker-${number}`);
const staying = ['worker-51', 'worker-52'];
const hooked = going.filter((_, index) => index % 10 === 9);

/** Each with a Pod or two, every fifth under a budget, every tenth with a hook. */
function fifty(fleet: Fleet): void {
  fleet.cluster();
  for (const number of numbers) {
    const name = `worker-${number}`;
    const annotations = hooked.includes(name) ? { [hook]: '' } : {};
    fleet.worker(name, { metadata: { annotations } });
    fleet.pods(`web-${number}`, 1 + (number % 2), `node-${number}`, { stopSeconds: number % 7 });
  }
  for (const name of staying) fleet.worker(name);
  fleet.replicas('shop', 10, 'node-5');
  fleet.budget('shop', { maxUnavailable: 3, selector: { matchLabels: { app: 'shop' } } });
}

/** Machines' deletions begin all over the time of disorder, and so go hooks. */
function duringDisorder(fleet: Fleet, random: () => number, seconds: number): void {
  const later = (run: () => void): void => void fleet.clock.after(random() * seconds * 1_000, run);
  for (const [index, name] of going.entries()) {
    if (index % 2 === 0) fleet.delete(name);
    else later(() => fleet.delete(name));
  }
  for (const name of hooked)
    later(() => fleet.change(resources.machines, name, { metadata: { annotations: { [hook]: null } } }));
}

test.each([
  { seed: 1, instances: 2 },
  { seed: 2, instances: 1 },
  { seed: 3, instances: 3 },
])(
  'none of 50 deletions is lost or stuck in a disorder of adapters, Broker, functions, store and API: %j',
  { timeout: 60_000 },
  async ({ seed, instances }) => {
    const random = seeded(seed);
    const { end } = await playMissed({
      rests: true,
      conditions: { instances, latencyMilliseconds: 300, seed },
      scene: fifty,
      async plot(fleet, knative) {
        await fleet.seconds(5);
        duringDisorder(fleet, random, 120);
        await disorder(fleet, knative, { seconds: 150, random });
        await goneWithin(fleet, untilFound + 60, ...going);
      },
    });
    expect(end).toStrictEqual(endWith(...staying));
  },
);

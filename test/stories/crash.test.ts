import { describe, expect, it } from 'vitest';
import { play, type Story } from './stage/story.ts';

const plain: Story = {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 3, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
};

const rich: Story = {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    const pods = [{ selector: { matchLabels: { wave: 'late' } } }];
    fleet.rule('late', { drain: { behavior: 'Drain', order: 10 }, pods });
    fleet.replicas('web', 3, 'node-1');
    fleet.node('node-2');
    fleet.budget('web', { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', labels: { wave: 'late' }, order: 10 });
  },
  plot: (fleet) => plain.plot(fleet),
};

const requestsOf = async (told: Story): Promise<{ end: unknown; count: number }> => {
  const { end, requests } = await play(told, {});
  return { end, count: Object.values(requests).reduce((sum, count) => sum + count, 0) };
};

/** The request was done, and whoever asked never learns of it. */
describe('an instance that dies after any one of its requests does no harm', () => {
  const stories: [string, Story][] = [
    ['in a plain deletion', plain],
    ['with orders, a budget and a volume', rich],
  ];
  it.each(stories)('%s', async (_name, told) => {
    const { end, count } = await requestsOf(told);
    for (let request = 1; request <= count; request += 1) {
      const died = await play(told, { diesAfterRequest: request });
      expect({ request, end: died.end }).toStrictEqual({ request, end });
    }
  });
  it.each(stories)('%s, with the store down', async (_name, told) => {
    const { end, count } = await requestsOf(told);
    for (let request = 1; request <= count; request += 2) {
      const died = await play(told, { diesAfterRequest: request, storeIsDown: true, wakeUps: false });
      expect({ request, end: died.end }).toStrictEqual({ request, end });
    }
  });
});

/** Everything at once, with other random numbers each time. */
describe('a deletion comes to its end whatever happens', () => {
  const all = {
    repeats: 2,
    delayMilliseconds: 3_000,
    instances: 2,
    latencyMilliseconds: 100,
    storeIsDown: true,
  };
  it.each([1, 2, 3, 4, 5, 6])('in the disorder of seed %i', async (seed) => {
    const { end } = await play(rich, { ...all, seed });
    expect(end).toStrictEqual((await requestsOf(rich)).end);
  });
});

import { expect, test } from 'vitest';
import { Fleet } from './stage/fleet.ts';

/** For how many seconds a Machine is still there after somebody has deleted its Node in mid-drain. */
async function secondsAfterNode(hold: (fleet: Fleet) => void): Promise<number> {
  const fleet = new Fleet({ latencyMilliseconds: 20 }, {});
  fleet.cluster();
  fleet.worker('worker-1');
  hold(fleet);
  await fleet.seconds(3);
  fleet.begin();
  fleet.delete('worker-1');
  await fleet.seconds(7);
  fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
  const before = fleet.clock.now();
  await fleet.gone('worker-1');
  const after = fleet.clock.now();
  fleet.end();
  return (after - before) / 1_000;
}

function keptByFinalizer(fleet: Fleet): void {
  fleet.pod('kept', 'node-1');
  const { cluster } = fleet.server;
  const pod =
    cluster.get('pods', 'shop', 'kept') ??
    cluster.list('pods').find(({ metadata }) => metadata.name === 'kept');
  if (pod !== undefined) cluster.patch('pods', pod, { metadata: { finalizers: ['example.com/keep'] } }, '');
}

function refusedByBudget(fleet: Fleet): void {
  fleet.pod('web', 'node-1', { labels: { app: 'web' } });
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
}

test.each([
  ['a finalizer keeps its Pod', keptByFinalizer],
  ['a budget refuses its Pod', refusedByBudget],
])('the end of a Node is seen at once while %s', async (_what, hold) => {
  // The server takes two seconds to go.
  expect(await secondsAfterNode(hold)).toBeLessThan(5);
});

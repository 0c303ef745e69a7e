import { expect, test } from 'vitest';
import { leasesAreGivenBack } from './leases-are-given-back.ts';
import { openStage, type Stage } from './stage.ts';

const leases = 'leases.coordination.k8s.io';
const lease = { namespace: 'default', name: 'phaseout-control-plane-cordon' };

/** A Lease is taken; after so long somebody asks for something. */
async function criesAfter(milliseconds: number, meanwhile?: (stage: Stage) => void): Promise<string[]> {
  const stage = await openStage(leasesAreGivenBack);
  stage.world.management.create(leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: lease,
    spec: { leaseDurationSeconds: 60, renewTime: new Date(stage.world.now()).toISOString() },
  });
  await stage.pass(10);
  meanwhile?.(stage);
  await stage.pass(milliseconds);
  stage.look();
  return stage.cries;
}

test('a Lease is not left to expire', async () => {
  expect(await criesAfter(15_000)).toEqual([
    'Lease default/phaseout-control-plane-cordon is still held after 15 s',
  ]);
});

test.each([
  ['is still at work', 5_000, undefined],
  ['has given it back', 15_000, ({ world }: Stage) => world.management.remove(leases, { metadata: lease })],
  ['was struck by something', 15_000, ({ observer }: Stage) => observer.hit?.('timeout', [], 'instance-1')],
])('nothing is told of whoever %s', async (_who, milliseconds, meanwhile) => {
  expect(await criesAfter(milliseconds, meanwhile)).toEqual([]);
});

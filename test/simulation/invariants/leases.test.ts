import { expect, test } from 'vitest';
import { leasesAreGivenBack } from './leases-are-given-back.ts';
import { openStage, type Stage } from './stage.ts';

const leases = 'leases.coordination.k8s.io';
const lease = { namespace: 'default', name: 'phaseout-control-plane-cordon' };

interface Told {
  before?: (stage: Stage) => void;
  meanwhile?: (stage: Stage) => void;
}

/** A Lease is taken; after so long somebody asks for something. */
async function criesAfter(milliseconds: number, { before, meanwhile }: Told = {}): Promise<string[]> {
  const stage = await openStage(leasesAreGivenBack);
  before?.(stage);
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

const strike = ({ observer }: Stage): void => observer.hit?.('timeout', [], 'instance-1');
const giveBack = ({ world }: Stage): void => world.management.remove(leases, { metadata: lease });

test.each<[string, number, Told]>([
  ['is still at work', 5_000, {}],
  ['has given it back', 15_000, { meanwhile: giveBack }],
  ['was struck by something', 15_000, { meanwhile: strike }],
  [
    'was struck by something right before, and may never have heard that it has it',
    15_000,
    { before: strike },
  ],
])('nothing is told of whoever %s', async (_who, milliseconds, told) => {
  expect(await criesAfter(milliseconds, told)).toEqual([]);
});

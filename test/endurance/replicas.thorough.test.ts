import { expect, type TestContext, test } from 'vitest';
import { createStoreClient } from '../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import type { Requeue } from '../../shared/store/port.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { aFailingCluster, type FailingCluster, until } from './stage/cluster.ts';
import { type Surroundings, surroundings } from './stage/host.ts';
import { manyMachines } from './stage/many.ts';
import { Replicas } from './stage/replicas.ts';

const names = Array.from({ length: 21 }, (_, index) => `many-${index + 1}`);

const signals = ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const;

/** Of the Machines' own objects, their Nodes and Pods, what is there. */
function leftOf({ cluster }: FailingCluster): string[] {
  const resources = ['localmachines.infrastructure', 'localbootstrapconfigs.bootstrap'];
  const kinds = [...resources.map((each) => `${each}.cluster.x-k8s.io`), 'nodes', 'pods'];
  return kinds.flatMap((kind) =>
    cluster
      .list(kind)
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.includes('many-')),
  );
}

/** Looks of any time that the store has, once nothing changes any more. */
async function looksLeft(context: TestContext, { env }: Surroundings): Promise<Requeue[]> {
  const client = createStoreClient({ endpoint: env['PHASEOUT_DYNAMODB_ENDPOINT'] ?? '' });
  context.onTestFinished(() => client.destroy());
  const store = createDynamoStore({ client, table: 'phaseout', clock: systemClock });
  let looks: Requeue[] = [];
  // An instance that died between a Machine's end and that of its look left that to the next tick.
  for (let second = 0; second < 10; second += 1) {
    looks = await store.due(Date.now() + 3_600_000, 100);
    if (looks.length === 0) return looks;
    await new Promise((resolve) => void setTimeout(resolve, 1_000));
  }
  return looks;
}

test('two processes that are killed again and again lose none of 21 deletions', {
  timeout: 120_000,
}, async (context) => {
  const stage = await aFailingCluster(context, await manyMachines(names));
  const around = await surroundings(context, stage);
  const replicas = new Replicas(context, around);
  await Promise.all([replicas.start(), replicas.start()]);
  stage.front.latencyMilliseconds = 20;

  const ends: (number | string)[] = [];
  for (const [round, signal] of signals.entries()) {
    const evicted = stage.witness.evictions;
    stage.ask(...names.slice(7 * round, 7 * round + 7));
    await until(() => stage.witness.evictions > evicted);
    ends.push(await replicas.replace(signal));
  }
  // Who is asked to end does so in order, whatever it was doing.
  expect(ends).toEqual(['SIGKILL', 0, 'SIGKILL']);

  await stage.untilGone(...names);
  expect(stage.witness.problems).toEqual([]);
  expect(leftOf(stage)).toEqual([]);
  expect(await looksLeft(context, around)).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import type { Conditions } from './stage/conditions.ts';
import type { Fleet } from './stage/fleet.ts';
import { policyDefinitions } from './stage/hook-definitions.ts';
import { mayAct, movingShop } from './stage/shop.ts';
import { type Played, play } from './stage/story.ts';

/** Requests take time, and so do their events: an event comes to another instance in the middle of a step. */
const five: Conditions = { instances: 5, latencyMilliseconds: 40, delayMilliseconds: 60 };

const patches = ({ requests }: Played): number => requests['patch deployments.apps'] ?? 0;

describe('a Deployment that holds a drain is restarted once, without a gap', () => {
  it.each([1, 2, 3])('of %i replicas', async (replicas) => {
    expect(patches(await play(movingShop(replicas), {}))).toBe(1);
  });

  it.each([1, 2, 3])('by five instances, with random numbers of %i', async (seed) => {
    await expect(play(movingShop(2), { ...five, seed, repeats: 2 })).resolves.toBeDefined();
  });
});

it('a Pod is deleted under its own UID, after its time, and no other one', async () => {
  const deletes: [seconds: number, path: string, uid: unknown][] = [];
  await play(
    {
      beside: policyDefinitions,
      ...mayAct,
      scene(fleet: Fleet) {
        fleet.cluster();
        fleet.worker('worker-1');
        const pods = { selector: { matchLabels: { app: 'web' } } };
        fleet.drainPolicy('workers', {
          blocked: [{ cause: 'BudgetNeverAllows', after: '1m', pods, action: 'Delete' }],
        });
        fleet.pod('web', 'node-1', { labels: { app: 'web' } });
        fleet.pod('db', 'node-1', { labels: { app: 'db' } });
        for (const app of ['web', 'db'])
          fleet.budget(app, { maxUnavailable: 0, selector: { matchLabels: { app } } });
      },
      async plot(fleet: Fleet) {
        const began = fleet.clock.now();
        const { uid } = fleet.server.cluster.get('pods', 'shop', 'web')?.metadata ?? {};
        fleet.delete('worker-1');
        await fleet.until('web is gone', () => fleet.server.cluster.get('pods', 'shop', 'web') === undefined);
        await fleet.seconds(300);
        for (const { verb, path, body } of fleet.requests.filter(
          (each) => each.resource === 'pods' && each.verb === 'delete',
        ))
          deletes.push([
            (fleet.clock.now() - began) / 1_000,
            `${verb} ${path}`,
            JSON.stringify(body).includes(uid ?? '-'),
          ]);
        fleet.server.cluster.remove('poddisruptionbudgets.policy', {
          metadata: { name: 'db', namespace: 'shop' },
        });
        await fleet.gone('worker-1');
      },
    },
    {},
  );
  expect(deletes.map(([, path, isItsOwn]) => [path, isItsOwn])).toEqual([
    ['delete /api/v1/namespaces/shop/pods/web', true],
  ]);
});

it('without a grant nothing is asked of Deployments, ReplicaSets, claims or Pods', async () => {
  const { requests } = await play(
    {
      ...movingShop(1),
      configured: {},
      environment: {},
      async plot(fleet: Fleet) {
        fleet.delete('worker-1');
        await fleet.seconds(300);
        fleet.server.cluster.remove('poddisruptionbudgets.policy', {
          metadata: { name: 'web', namespace: 'shop' },
        });
        await fleet.gone('worker-1');
      },
    },
    {},
  );
  const asked = Object.keys(requests).filter((each) =>
    /deployments|replicasets|claims|delete pods$/.test(each),
  );
  expect(asked).toEqual([]);
});

import { expect, test } from 'vitest';
import { type BesideOpenShiftFleet, etcd } from '../stage/beside/openshift-fleet.ts';
import { type Conditions, firstFailure, seeded } from '../stage/conditions.ts';
import { besideOpenShift, type Played } from '../stage/story.ts';

const hour = 3_600;
const skip = { 'cluster.x-k8s.io/drain': 'skip' };
const hasRules = true;

/** Pods that were asked to go although a label lets them stay, while their Node was there. */
function watchAgents(fleet: BesideOpenShiftFleet, evicted: string[]): void {
  const { cluster } = fleet.server;
  cluster.watch('pods', ({ object: { metadata } }) => {
    if (!metadata.name.startsWith('agent') || metadata.deletionTimestamp === undefined) return;
    const isThere = cluster.list('nodes').some((node) => node.metadata.name === 'node-1');
    if (isThere && !evicted.includes(metadata.name)) evicted.push(metadata.name);
  });
}

function scene(fleet: BesideOpenShiftFleet): void {
  fleet.held('worker-1');
  fleet.pods('web', 2, 'node-1');
  fleet.pod('agent', 'node-1', { labels: skip, stays: true });
}

async function goes(fleet: BesideOpenShiftFleet): Promise<void> {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
}

test('whatever is done last before phaseout dies, an hour later the drain goes on, and no Pod that may stay goes', async () => {
  const { requests, text } = await besideOpenShift.play({ scene, plot: goes, hasRules }, {});
  expect(text).toContain('say on worker-1 that its drain is done');
  const count = Object.values(requests).reduce((sum, each) => sum + each, 0);
  for (let request = 1; request <= count; request += 1) {
    const evicted: string[] = [];
    const died = await besideOpenShift.play(
      {
        hasRules,
        scene,
        async plot(fleet) {
          watchAgents(fleet, evicted);
          fleet.delete('worker-1');
          await fleet.until('it dies', () => fleet.requests.length >= request);
          const back = fleet.away();
          await fleet.seconds(hour);
          back();
          await fleet.gone('worker-1');
        },
      },
      { diesAfterRequest: request },
    );
    expect({ request, isGone: died.text.includes('worker-1 is gone'), evicted }).toEqual({
      request,
      isGone: true,
      evicted: [],
    });
  }
}, 120_000);

/** A deletion in which much goes wrong: what happens, and when, follows from the seed. */
function astray(seed: number): Promise<Played> {
  const random = seeded(seed);
  const isSo = (chance: number): boolean => random() < chance;
  const within = (seconds: number): number => Math.floor(random() * seconds * 1_000) / 1_000;
  const conditions: Conditions = {
    seed,
    instances: 1 + Math.floor(random() * 3),
    latencyMilliseconds: [2, 20, 200, 900][Math.floor(random() * 4)] ?? 0,
    delayMilliseconds: within(6) * 1_000,
    ...(isSo(0.2) && { losesEvents: true }),
    ...(isSo(0.2) && { restarts: true }),
    ...(isSo(0.1) && { storeIsDown: true }),
  };
  const hasEtcd = isSo(0.3);
  const areRulesServed = isSo(0.7);
  return besideOpenShift.play(
    {
      hasRules: areRulesServed,
      scene(fleet) {
        const authority = isSo(0.5) ? { authoritativeAPI: 'MachineAPI' } : {};
        fleet.held('worker-1', {
          preDrain: hasEtcd ? [etcd] : [],
          spec: authority,
          status: authority,
        });
        for (let number = 0; number < Math.floor(random() * 5); number += 1)
          fleet.pod(`web-${number}`, 'node-1', { grace: 60, stopSeconds: within(50) });
        if (isSo(0.5)) fleet.pod('agent', 'node-1', { labels: skip, stays: areRulesServed });
      },
      async plot(fleet) {
        fleet.delete('worker-1');
        if (isSo(0.4)) {
          await fleet.seconds(within(20));
          fleet.killOne(random);
        }
        if (isSo(0.3) && fleet.machine('worker-1') !== undefined) {
          await fleet.seconds(within(20));
          if (fleet.machine('worker-1') !== undefined) fleet.ruledBy('worker-1', 'Migrating');
          await fleet.seconds(within(90));
          if (fleet.machine('worker-1') !== undefined) fleet.ruledBy('worker-1', 'MachineAPI');
        }
        if (hasEtcd) {
          await fleet.seconds(within(60));
          if (fleet.machine('worker-1') !== undefined) fleet.takesOff('worker-1', etcd);
        }
        if (isSo(0.2)) {
          await fleet.seconds(within(30));
          const { cluster } = fleet.server;
          const isThere = cluster.list('nodes').some(({ metadata }) => metadata.name === 'node-1');
          if (isThere)
            cluster.patch('nodes', { metadata: { name: 'node-1' } }, { spec: { unschedulable: null } });
        }
        await fleet.gone('worker-1');
      },
    },
    conditions,
  );
}

test('whatever goes wrong, each deletion ends, and nothing unsafe is done on the way', async () => {
  expect(await firstFailure(astray)).toBeUndefined();
}, 600_000);

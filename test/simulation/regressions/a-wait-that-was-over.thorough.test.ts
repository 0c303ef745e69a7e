import { expect, test } from 'vitest';
import { resources } from '../../stories/stage/fleet.ts';
import type { Fault } from '../faults/fault.ts';
import { buildPod } from '../scenario/build/workloads.ts';
import { aPod } from '../scenario/draw/draft.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// The time to wait for volumes ended during a pause. Phaseout did not look at what had come to the Node meanwhile.

const scenario = (): Scenario => oneWorker({ worker: { timeouts: { volumes: 30 } }, calmAt: 90_000 });

const pausedMeanwhile: Fault = {
  name: 'the one of this story',
  about: 'Volumes stay attached, the Cluster is paused, somebody uncordons the Node, and a Pod comes.',
  strike({ world }) {
    const { scheduler, management } = world;
    const blue = world.cluster('blue');
    const patchNodes = (patch: object, subresource?: 'status'): void => {
      for (const { metadata } of blue.list('nodes')) blue.patch('nodes', { metadata }, patch, subresource);
    };
    const pause = (paused: boolean): void => {
      for (const { metadata } of management.list('clusters.cluster.x-k8s.io'))
        management.patch('clusters.cluster.x-k8s.io', { metadata }, { spec: { paused } });
    };
    blue.create('namespaces', { metadata: { name: 'shop' } });
    patchNodes({ status: { volumesAttached: [{ name: 'old', devicePath: '' }] } }, 'status');
    scheduler.after(10_000, () => pause(true));
    scheduler.after(15_000, () => {
      patchNodes({ spec: { unschedulable: null } });
      buildPod(world, aPod({ host: 'blue', node: 'node-1' }, { name: 'late' }));
      world.hit(this.name);
    });
    scheduler.after(60_000, () => pause(false));
    return undefined;
  },
};

test('what has come to the Node goes before its server, where the time to wait for volumes is over', async () => {
  const effects: string[] = [];
  const { violations } = await simulate(1, {
    faults: [pausedMeanwhile],
    always: true,
    scenario,
    observers: [
      () => ({
        before({ verb, resource, name }) {
          if (resource === 'pods/eviction' || (verb === 'delete' && resource === resources.infrastructure))
            effects.push(`${verb} ${resource} ${name}`);
        },
      }),
    ],
  });
  expect(violations).toEqual([]);
  expect(effects.map((effect) => effect.split(' ')[1])).toEqual(['pods/eviction', resources.infrastructure]);
});

import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Resource, Selection } from '../../../shared/kubernetes/client.ts';
import { isListed } from '../../../shared/read/machine.ts';
import { aMachine, aRawMachine } from '../../builders/cluster-api.ts';
import { aWorld, machinePath, type World } from '../../builders/world.ts';

describe('a Machine that a read did not find', () => {
  test.each<[string, (world: World) => unknown, boolean]>([
    ['is there where a list has it', () => undefined, true],
    ['is gone where no list has it', ({ management }) => management.drop(machinePath), false],
    [
      'is gone where the list has another one of its name',
      ({ management }) => management.put('machines', aRawMachine({ metadata: { uid: 'uid-2' } })),
      false,
    ],
  ])('%s', async (_what, given, isThere) => {
    const world = aWorld();
    given(world);
    expect(await isListed(world.env, clusterApi, aMachine())).toBe(isThere);
  });

  test('is looked for alone: a list of all would be a long answer', async () => {
    const world = aWorld();
    const asked: [Resource, Selection | undefined][] = [];
    world.management.list = async (resource, selection) => {
      asked.push([resource, selection]);
      return { items: [], resourceVersion: '900' };
    };
    await isListed(world.env, clusterApi, aMachine());
    const resource = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' };
    expect(asked).toEqual([[resource, { namespace: 'default', fieldSelector: 'metadata.name=m-1' }]]);
  });
});

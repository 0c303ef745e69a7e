import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { type Asked, hooksAnnotation, serializeAsked } from '../../../shared/hooks/asked.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { anAsked } from '../../builders/asked.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { countedMetrics } from '../../builders/observed.ts';
import { atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const begun = (parts: Partial<Asked> = {}): Asked => anAsked({ begin: timeAfter(-600), ...parts });
const silent = begun({ silentSince: timeAfter(-60) });

/** Waits before its drain for the functions of these DeletionHooks. */
function waiting(name: string, hooks: readonly Asked[], namespace = 'blue'): KubeObject {
  const uid = `uid-${name}`;
  const annotations = {
    ...atCheckpoint(aCheckpoint({ uid, seq: 1, phase: 'pre-drain' })),
    [hooksAnnotation]: serializeAsked(uid, hooks),
  };
  return aRawMachine({ metadata: { name, namespace, uid, annotations } });
}

function withMachines(...machines: readonly KubeObject[]): World {
  const world = aWorld();
  world.management.drop(machinePath);
  for (const machine of machines) world.management.put('machines', machine);
  return world;
}

/** What a full sweep says of them. */
async function told({ env }: World): Promise<string[]> {
  const { metrics, counted } = countedMetrics();
  await sweep({ ...env, metrics }, 'all');
  return counted.filter((line) => line.startsWith('hooksHeldUp'));
}

const labels = 'machine_api=cluster-api machine_namespace=blue hook=move-data';
const said = (state: 'Failed' | 'Working') => ({ said: { state, at: timeAfter(-30) } });

describe('a turn that a person should look at', () => {
  test.each<[string, Asked]>([
    ['is silent', silent],
    ['fails', begun(said('Failed'))],
    ['is over and holds', begun({ timeoutSeconds: 300, onTimeout: 'Hold', ...said('Working') })],
  ])('is counted where its function %s', async (_what, hook) => {
    expect(await told(withMachines(waiting('a', [hook])))).toEqual([`hooksHeldUp ${labels} 1`]);
  });

  test.each<[string, readonly Asked[]]>([
    ['works in its time', [begun({ timeoutSeconds: 900, onTimeout: 'Hold', ...said('Working') })]],
    ['has not been asked yet', [anAsked()]],
    ['is done', [{ ...silent, end: { as: 'Done', at: timeAfter(-10), why: 'moved' } }]],
    ['comes after another one', [begun(), { ...silent, name: 'later', uid: 'later', order: 5 }]],
  ])('is none where its function %s', async (_what, hooks) => {
    expect(await told(withMachines(waiting('a', hooks)))).toEqual(['hooksHeldUp']);
  });

  test('is counted by namespace and DeletionHook, those of most Machines first', async () => {
    const other = { ...silent, name: 'wipe', uid: 'wipe' };
    const world = withMachines(
      waiting('a', [silent], 'green'),
      waiting('b', [silent]),
      waiting('c', [silent, other]),
    );
    expect(await told(world)).toEqual([
      `hooksHeldUp ${labels} 2`,
      'hooksHeldUp machine_api=cluster-api machine_namespace=green hook=move-data 1',
      'hooksHeldUp machine_api=cluster-api machine_namespace=blue hook=wipe 1',
    ]);
  });

  test('is none of a living Machine', async () => {
    const { deletionTimestamp: _, ...metadata } = waiting('a', [silent]).metadata;
    expect(await told(withMachines({ ...waiting('a', [silent]), metadata }))).toEqual(['hooksHeldUp']);
  });

  test('stays as it was while a Machine API does not answer', async () => {
    const world = withMachines(waiting('a', [silent]));
    world.env.dialects = [...world.env.dialects, originalApi];
    const discover = world.management.discover.bind(world.management);
    world.management.discover = async (group, kind) => {
      if (group === 'cluster.k8s.io') throw new Unavailable('no answer');
      return discover(group, kind);
    };
    expect(await told(world)).toEqual([]);
  });

  test('of one DeletionHook in each of 101 namespaces, 100 are told', async () => {
    const machines = Array.from({ length: 101 }, (_each, index) =>
      waiting(`m-${index}`, [silent], `n-${index}`),
    );
    expect(await told(withMachines(...machines))).toHaveLength(100);
  });
});

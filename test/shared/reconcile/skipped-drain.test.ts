import { describe, expect, test } from 'vitest';
import { preDrain } from '../../../functions/pre-drain.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../../builders/world.ts';

const excluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const atPreDrain = atCheckpoint(aCheckpoint({ seq: 1, phase: 'pre-drain' }));

/** Cluster API's dialect, with a word for a drain that is passed over. */
const telling: Dialect = {
  ...clusterApi,
  events: (_machine, { what }) =>
    what === 'drain-skipped'
      ? [{ type: 'Normal', reason: 'DrainSkipped', message: 'skipped', component: 'drainer' }]
      : [],
};

async function passPreDrain(
  annotations: Record<string, string>,
  seq: number,
  others: Partial<Dialect> = {},
): Promise<World> {
  const world = aWorld(aRawMachine({ annotations }));
  Object.assign(world.env, { dialects: [{ ...telling, ...others }] });
  await reconcilePhase(world.env, preDrain, aCommand({ phase: 'pre-drain', seq }));
  return world;
}
const told = (world: World) => world.log.filter((call) => call.startsWith('create events'));

describe('that a drain is passed over is told', () => {
  test('when the deletion begins behind it', async () => {
    const world = await passPreDrain(excluded, 0);
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'volume-detach',
      passed: { drain: { as: 'excluded' } },
    });
    expect(told(world)).toHaveLength(1);
  });

  test('when the phase before it is passed', async () => {
    const world = await passPreDrain({ ...atPreDrain, ...excluded }, 1);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach' });
    expect(told(world)).toHaveLength(1);
  });

  test('and nothing when it is not', async () => {
    const world = await passPreDrain(atPreDrain, 1);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    expect(told(world)).toEqual([]);
  });

  test.each<[string, number, Record<string, string>]>([
    ['as the deletion begins', 0, {}],
    ['on the way', 1, atPreDrain],
  ])('and nothing when it was done before: %s', async (_when, seq, annotations) => {
    const world = await passPreDrain(annotations, seq, { isDone: (_machine, phase) => phase === 'drain' });
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach' });
    expect(told(world)).toEqual([]);
  });

  test('in the name of the controller whose word it is', async () => {
    const world = await passPreDrain(excluded, 0);
    const [name = ''] = told(world).map((call) => call.replace('create ', ''));
    expect(world.management.at(name)).toMatchObject({
      reason: 'DrainSkipped',
      source: { component: 'drainer' },
      reportingComponent: 'drainer',
    });
  });
});

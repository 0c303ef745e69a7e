import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { conditionsFrom } from '../../../shared/dialects/conditions.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { DrainStage } from '../../../shared/drain/node.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { setNodeConditions } from '../../../shared/write/node-conditions.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { aWorld, type World } from '../../builders/world.ts';

const status = 'patch nodes/node-1/status';

function aStage({ nodeConditions = true } = {}) {
  const world = aWorld(aRawMachine(), { nodeConditions });
  const machine = clusterApi.read(aRawMachine());
  const tell = (stage: DrainStage, { isRepeated = true, uid }: { isRepeated?: boolean; uid?: string } = {}) =>
    setNodeConditions(world.env, {
      machine,
      conditions: { stage, reason: 'PhaseoutTold', message: 'Machine default/m-1: as it is' },
      uid,
      workload: async () => world.workload,
      isRepeated,
    });
  return { world, tell };
}

const patches = ({ log }: World) => log.filter((call) => call === status).length;
const reads = ({ workload }: World) => workload.reads.filter((call) => call === 'get nodes/node-1').length;
const shown = ({ workload }: World) =>
  conditionsFrom(recordAt(workload.at('nodes/node-1'), 'status')['conditions']).filter(({ type }) =>
    type.startsWith('Drain'),
  );

describe('telling on the Node', () => {
  test('writes both conditions in one patch of its status', async () => {
    const { world, tell } = aStage();
    await tell('in-progress');
    expect(patches(world)).toBe(1);
    expect(shown(world)).toMatchObject([
      { type: 'DrainInProgress', status: 'True', reason: 'PhaseoutTold' },
      { type: 'Drained', status: 'False', reason: 'PhaseoutTold' },
    ]);
  });

  test('is off unless it is asked for', async () => {
    const { world, tell } = aStage({ nodeConditions: false });
    await tell('in-progress');
    expect([reads(world), patches(world)]).toEqual([0, 0]);
  });

  test('reads the Node again no sooner than a minute later', async () => {
    const { world, tell } = aStage();
    await tell('in-progress');
    await tell('in-progress');
    expect(reads(world)).toBe(1);
    world.time.now += 60_000;
    world.time.passed += 60_000;
    await tell('in-progress');
    expect([reads(world), patches(world)]).toEqual([2, 1]);
  });

  test('reads it always where the drain has ended: another instance may have shown it since', async () => {
    const { world, tell } = aStage();
    await tell('drained', { isRepeated: false });
    await tell('drained', { isRepeated: false });
    expect([reads(world), patches(world)]).toEqual([2, 1]);
  });

  test('begins anew where the Node has changed meanwhile', async () => {
    const { world, tell } = aStage();
    world.workload.on(status, () =>
      world.workload.change('nodes/node-1', { metadata: { labels: { a: 'b' } } }),
    );
    await tell('in-progress');
    expect(patches(world)).toBe(2);
    expect(shown(world)).toHaveLength(2);
  });

  test('leaves it to the next look where the Node keeps changing', async () => {
    const { world, tell } = aStage();
    world.workload.on(status, () => ({ kind: 'conflict', message: 'changed' }), 2);
    await tell('in-progress');
    await tell('in-progress');
    expect([patches(world), shown(world).length]).toEqual([3, 2]);
  });

  test.each([
    ['refused', { kind: 'refused', code: 403, message: 'forbidden' }],
    ['not found', { kind: 'gone' }],
  ] as const)('is not asked again for this Machine once it was %s', async (_, outcome) => {
    const { world, tell } = aStage();
    world.workload.on(status, () => outcome);
    await tell('in-progress');
    await tell('drained', { isRepeated: false });
    expect([reads(world), patches(world)]).toEqual([1, 1]);
    expect(world.said).toContain('Node may not show the drain');
  });

  test('is tried again at the next look after no answer', async () => {
    const { world, tell } = aStage();
    world.workload.on(status, () => {
      throw new Unavailable('no answer');
    });
    await tell('in-progress');
    await tell('in-progress');
    expect([patches(world), shown(world).length]).toEqual([2, 2]);
  });

  test("leaves another Node alone that has taken the name of the Machine's", async () => {
    const { world, tell } = aStage();
    await tell('in-progress', { uid: 'another' });
    expect([reads(world), patches(world)]).toEqual([1, 0]);
  });
});
